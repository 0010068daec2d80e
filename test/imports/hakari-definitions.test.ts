import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { docId, queryId } from '../../core/ids.js';
import { hakariCounterpart } from '../../results/imports/hakari-names.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { scoreRun } from '../../results/score.js';

const shared = new URL('../../../shared/fixtures/hakari/', import.meta.url).pathname;
const fixture = (path: string) => JSON.parse(gunzipSync(readFileSync(`${shared}${path}`)).toString());
const name = 'NanoScifactSmall';

interface Lists {
  readonly name: string;
  readonly ranking_kind: string;
  readonly distance: string;
  readonly lists?: readonly (readonly number[])[];
}
interface Means extends Omit<Lists, 'lists'> {
  readonly mean?: Readonly<Record<string, number>>;
}

describe.skipIf(!existsSync(shared))(
  'counterparts are so by definition (skipped without ../shared, which holds the output)',
  () => {
    test.each(['bm25-english_porter', 'dense-minilm-fp32'])(
      '%s: our measures of its lists are its metrics',
      (system) => {
        const set: { docs: string[]; qrels: [query: string, doc: string][] } = fixture(`sets/${name}.json.gz`);
        const judged = new Map<ReturnType<typeof queryId>, Map<ReturnType<typeof docId>, number>>();
        for (const [query, doc] of set.qrels)
          judged.set(queryId(query), (judged.get(queryId(query)) ?? new Map()).set(docId(doc), 1));
        const { queries, rankings }: { queries: string[]; rankings: Lists[] } = fixture(
          `eval/${system}-${name}.rankings.json.gz`,
        );
        const { evaluations }: { evaluations: Means[] } = fixture(`eval/${system}-${name}.perquery.json.gz`);
        let compared = 0;
        for (const { lists, ...of } of rankings) {
          const found = evaluations.find(
            (one) => one.name === of.name && one.ranking_kind === of.ranking_kind && one.distance === of.distance,
          );
          if (lists === undefined || found?.mean === undefined) continue;
          const run = new Map(
            lists.map((list, i) => [
              queryId(queries[i]),
              { docs: list.map((at) => docId(set.docs[at])), scores: list.map((_, rank) => -rank) },
            ]),
          );
          for (const [theirs, value] of Object.entries(found.mean)) {
            const measure = parseMeasure(hakariCounterpart(theirs) ?? '');
            const { totals } = scoreRun({ rankings: run, judged, measures: [measure] });
            expect(totals.get(measure.name)?.expected, `${of.name} ${theirs}`).toBeCloseTo(value, 12);
            compared++;
          }
        }
        expect(compared).toBeGreaterThan(5);
      },
    );
  },
);
