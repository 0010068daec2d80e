import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { docId, type QueryId, queryId, taskId } from '../../core/ids.js';
import { runPath, writeRun } from '../../runners/store.js';
import { registerGate } from '../../scripts/commands/gate.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import { readManifest, writeNanoSet } from '../../tasks/store.js';
import type { Ranking } from '../../tasks/types.js';
import { said } from '../replay/command-line.js';
import { smallNano, temporaryFolder } from '../small-nano.js';

/** Per query the rank of its one relevant document, 1 to 4; 0 where it is not found. So RR is 1 / rank. */
export type Ranks = readonly number[];

const docs = ['a', 'b', 'c', 'd'];
export const queries = Array.from({ length: 12 }, (_, i) => `q${i}`);
export const allFirst: Ranks = queries.map(() => 1);
export const allSecond: Ranks = queries.map(() => 2);

/** `gate.yaml`, and `out/` with two built tasks, `small/en` and `small/ja`, of 12 queries each. */
export async function smallWorld() {
  const folder = temporaryFolder();
  const out = join(folder, 'out');
  for (const [name, language] of [
    ['en', 'en'],
    ['ja', 'ja'],
  ]) {
    const texts = {
      docs: Object.fromEntries(docs.map((doc) => [doc, `text of ${doc}`])),
      queries: Object.fromEntries(queries.map((query) => [query, `text of ${query}`])),
      judged: Object.fromEntries(queries.map((query) => [query, { a: 1 }])),
    };
    await writeNanoSet(out, sealNanoSet(smallNano({ ...texts, language }, `small/${name}`)));
  }
  const path = (name: string) => join(folder, name);
  return {
    folder,
    out,
    path,
    read: (name: string) => readFileSync(path(name)),
    write: (name: string, text: string) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
    },
    remove: (name: string) => rmSync(path(name), { recursive: true }),
  };
}

export type SmallWorld = Awaited<ReturnType<typeof smallWorld>>;

/** A policy over `baseline.json` and `out/`; few resamples, since no digit of an interval is asked for. */
export function policyText(checks: string, more = 'system: bm25'): string {
  return `baseline: baseline.json\ncandidate: out\nresamples: 200\n${more}\nchecks: [${checks}]\n`;
}

export async function runOf({ out }: SmallWorld, ranks: Ranks, { task = 'small/en', system = 'bm25' } = {}) {
  const digest = (await readManifest(out, taskId(task)))?.digest;
  if (digest === undefined) throw new Error(`${task} is not built.`);
  await writeRun(out, {
    task: { id: taskId(task), digest },
    system,
    family: 'lexical',
    digest,
    rankings: new Map(ranks.map((rank, i): [QueryId, Ranking] => [queryId(queries[i]), ranking(rank)])),
    cost: { bytesPerDoc: 16, indexBytes: 64, modelBytes: 0, work: { postings: 3 } },
    conditions: {},
    timing: { prepareMs: 1, queryMs: { p50: 1, p95: 2, mean: 1 } },
  });
}

export function removeRun(world: SmallWorld, task: string, system = 'bm25'): void {
  world.remove(join('out', runPath(taskId(task), system)));
}

function ranking(rank: number): Ranking {
  const rest = docs.slice(1);
  const order = rank === 0 ? rest : [...rest.slice(0, rank - 1), 'a', ...rest.slice(rank - 1)];
  return { docs: order.map(docId), scores: order.map((_, i) => order.length - i) };
}

/** A run file of the same rankings, in the format of TREC. */
export function trecRun(ranks: Ranks): string {
  const lines = ranks.flatMap((rank, i) =>
    ranking(rank).docs.map((doc, place) => `${queries[i]} Q0 ${doc} ${place + 1} ${10 - place} tag`),
  );
  return `${lines.join('\n')}\n`;
}

export const trecQrels = `${queries.map((query) => `${query} 0 a 1`).join('\n')}\n`;

/** `tenbin gate gate.yaml …` in this thread, with its JSON. */
export async function gate({ path }: SmallWorld, args: readonly string[] = []) {
  const made = await said(registerGate, ['gate', path('gate.yaml'), '--format', 'json', ...args]);
  return { ...made, json: JSON.parse(made.stdout) };
}

export async function accepted(world: SmallWorld, reason = 'the first', args: readonly string[] = []) {
  const { code, json } = await gate(world, ['--accept', '--reason', reason, ...args]);
  return { code, ...json.accepted };
}
