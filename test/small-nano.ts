import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { docId, type QueryId, queryId, taskId } from '../core/ids.js';
import type { Unsealed } from '../tasks/nano-files.js';
import type { Candidates, Pool } from '../tasks/types.js';

/** A folder of its own for one test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenbin-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface SmallCandidates {
  readonly docs?: readonly string[];
  readonly forced?: readonly string[];
  readonly scores?: readonly number[];
}

export interface SmallNano {
  readonly docs: Readonly<Record<string, string>>;
  readonly queries: Readonly<Record<string, string>>;
  readonly judged: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly pools?: Readonly<Record<string, Readonly<Record<string, SmallCandidates>>>>;
  readonly language?: string;
}

/** A nano-set from plain objects, for tests; pools get the scores n, n − 1, … */
export function smallNano(
  { docs, queries, judged, pools = {}, language = 'en' }: SmallNano,
  id = 'test/small',
): Unsealed {
  const [suite = '', task = ''] = id.split('/');
  const kept = {
    docs: Object.keys(docs).length,
    queries: Object.keys(queries).length,
    qrels: Object.values(judged).flatMap(Object.keys).length,
  };
  return {
    task: taskId(id),
    docs: Object.entries(docs).map(([key, text]) => ({ id: docId(key), text })),
    queries: Object.entries(queries).map(([key, text]) => ({ id: queryId(key), text })),
    judged: new Map(
      Object.entries(judged).map(([query, grades]) => [
        queryId(query),
        new Map(Object.entries(grades).map(([doc, grade]) => [docId(doc), grade])),
      ]),
    ),
    pools: new Map(Object.entries(pools).map(([name, lists]) => [name, poolOf(lists)])),
    manifest: {
      schema: 'tenbin/nano@1',
      task,
      suite,
      source: { id: 'test:small', revision: '1', title: 'small', attribution: 'the test' },
      language,
      domain: 'test',
      licence: 'MIT',
      citation: '',
      analyzer: 'english',
      options: { seed: 17 },
      counts: { read: kept, kept },
      notes: [],
      grades: {},
      pools: Object.fromEntries(
        Object.keys(pools).map((name) => [
          name,
          { system: name, recallAt100: 0, nDCGAt10: 0, oracleAt10: 0, forcedRows: 0 },
        ]),
      ),
    },
  };
}

function poolOf(lists: NonNullable<SmallNano['pools']>[string]): Pool {
  return new Map<QueryId, Candidates>(
    Object.entries(lists).map(([query, { docs = [], forced = [], scores }]) => [
      queryId(query),
      { docs: docs.map(docId), scores: scores ?? docs.map((_, i) => docs.length - i), forced: forced.map(docId) },
    ]),
  );
}

export const animals: SmallNano = {
  docs: {
    a: 'the cat sat on the mat',
    b: 'dogs and cats living together',
    c: 'a bird in the hand',
    d: 'the early bird catches the worm',
    'e\t\n<script>': 'fish swim in the sea',
    __proto__x: 'cats chase birds',
  },
  queries: { q1: 'cat', q2: 'bird worm', q3: 'zzz unknown' },
  judged: { q1: { a: 2, b: 1, c: 0 }, q2: { d: 1 }, q3: { c: 1 } },
  pools: {
    bm25: { q1: { docs: ['a', 'b'] }, q2: { docs: ['d', 'c'] }, q3: {} },
    dense: { q1: { docs: ['b', 'a'] }, q2: { docs: ['c', 'd'] }, q3: { docs: ['a'] } },
    hybrid: { q1: { docs: ['a', 'b'] }, q2: { docs: ['d', 'c'] }, q3: { docs: ['a', 'c'], forced: ['c'] } },
  },
};
