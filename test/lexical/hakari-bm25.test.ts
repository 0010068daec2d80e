import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { analyzers } from '../../runners/analyzers/index.js';
import { lexical } from '../../runners/families/lexical.js';
import { models } from '../../runners/models/index.js';

const shared = new URL('../../../shared/', import.meta.url);
const fixtures = new URL('fixtures/hakari/', shared);
const dataset = new URL('datasets/scifact/', shared);
const present = existsSync(fixtures) && existsSync(dataset);

const json = (file: string): unknown => JSON.parse(gunzipSync(readFileSync(new URL(file, fixtures))).toString());
interface Row {
  readonly _id: string;
  readonly title?: string;
  readonly text: string;
}
const textsOf = (file: string): ReadonlyMap<string, string> =>
  new Map(
    readFileSync(new URL(file, dataset), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row)
      .map(({ _id, title = '', text }) => [_id, title === '' ? text : `${title}\n\n${text}`]),
  );

it.skipIf(!present)(
  `bm25@scoring=robertson,k1=1.5 gives the scores of HAKARI-Bench ${present ? '' : `(no ${fixtures.pathname})`}`,
  async () => {
    const set = json('sets/NanoScifactSmall.json.gz') as { readonly docs: readonly string[] };
    const recorded = json('eval/bm25-regex-NanoScifactSmall.rankings.json.gz') as {
      readonly queries: readonly string[];
      readonly rankings: readonly { readonly lists: readonly (readonly number[])[] }[];
      readonly scores: readonly (readonly number[])[];
    };
    const [corpus, queries] = [textsOf('corpus.jsonl'), textsOf('queries.jsonl')];
    const texts = {
      docs: set.docs.map((id) => corpus.get(id) ?? ''),
      queries: recorded.queries.map((id) => queries.get(id) ?? ''),
    };
    const engine = { analyzer: analyzers.bind('unicode'), seed: 0 };
    const { index } = await lexical.prepare(texts, models.bind('bm25@scoring=robertson,k1=1.5'), engine);
    let worst = 0;
    for (const [q, list] of recorded.rankings[0].lists.entries()) {
      const { docs, scores } = await index.search(q, list.length, Int32Array.from(list));
      const ours = new Map([...docs].map((doc, i) => [doc, scores[i]]));
      list.forEach((doc, i) => {
        const theirs = recorded.scores[q][i];
        worst = Math.max(worst, Math.abs((ours.get(doc) ?? Number.NaN) - theirs) / Math.max(1, theirs));
      });
    }
    // Theirs are sums of single-precision weights.
    expect(worst).toBeLessThan(1e-6);
    expect(worst).toBeGreaterThan(0);
  },
);
