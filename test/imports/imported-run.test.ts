import { expect, test } from 'vitest';
import { docId, queryId } from '../../core/ids.js';
import { importedRun, type RunImport } from '../../results/imports/imported-run.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import { animals, smallNano } from '../small-nano.js';

const small = smallNano(animals);
const nano: RunImport['nano'] = { ...small, manifest: sealNanoSet(small).manifest };
const origin = { format: 'TREC run', file: 'other.run', digest: 'a'.repeat(64) };

type Rows = Readonly<Record<string, readonly (readonly [doc: string, score: number])[]>>;

function imported(rows: Rows, more: Partial<RunImport> = {}) {
  const rankings = new Map(
    Object.entries(rows).map(([query, list]) => [
      queryId(query),
      { docs: list.map(([doc]) => docId(doc)), scores: list.map(([, score]) => score) },
    ]),
  );
  const run = { rankings, scores: 'given' as const };
  return importedRun({ nano, system: 'other', family: 'dense', origin, run, depth: null, ...more });
}

test('lists stand best first, equal scores as in the file, infinities at the ends', () => {
  const { run, notes } = imported({
    q1: [
      ['a', 1],
      ['__proto__x', Number.NEGATIVE_INFINITY],
      ['b', 2],
      ['c', 1],
      ['d', Number.POSITIVE_INFINITY],
    ],
    q2: [],
    q3: [['e\t\n<script>', -1]],
  });
  expect(run.rankings.get(queryId('q1'))).toEqual({
    docs: ['d', 'b', 'a', 'c', '__proto__x'],
    scores: [Number.POSITIVE_INFINITY, 2, 1, 1, Number.NEGATIVE_INFINITY],
  });
  expect(run.task).toEqual({ id: 'test/small', digest: nano.manifest.digest });
  expect(run.conditions).toEqual({ imported: { ...origin, scores: 'as given' }, depth: 5 });
  expect(notes).toEqual([]);
});

test('queries that lack, and queries of other tasks, are told', () => {
  const { run, notes } = imported({ q1: [['a', 1]], other: [['nowhere', 1]] });
  expect([...run.rankings.keys()]).toEqual(['q1']);
  expect(notes).toEqual([
    '2 of 3 queries are missing and count with 0: q2, q3',
    '1 queries are not in the task and were left out',
  ]);
});

test('documents that the task does not have are refused by name, and a run without its queries too', () => {
  const rows = Object.fromEntries(
    ['q1', 'q2'].map((query) => [query, Array.from({ length: 6 }, (_, i) => [`x${i}`, -i] as const)]),
  );
  expect(() => imported(rows)).toThrow(
    'The run has 6 documents that the task test/small does not have: other.run: `x0`, `x1`, `x2`, `x3`, `x4`, ….',
  );
  expect(() => imported({ nobody: [['a', 1]] })).toThrow('The run has no query of the task test/small: other.run');
});

test('the digest covers the bytes, the name, the depth and the task', () => {
  const digests = [
    imported({ q1: [['a', 1]] }),
    imported({ q1: [['a', 1]] }, { system: 'b' }),
    imported({ q1: [['a', 1]] }, { depth: 100 }),
    imported({ q1: [['a', 1]] }, { origin: { ...origin, digest: 'b'.repeat(64) } }),
  ].map(({ run }) => run.digest);
  expect(new Set(digests).size).toBe(4);
  expect(imported({ q1: [['a', 1]] }).run.digest).toBe(digests[0]);
});

test('an order without scores says so', () => {
  const rankings = new Map([[queryId('q1'), { docs: ['a', 'b'].map(docId), scores: [-1, -2] }]]);
  const { run, notes } = imported({}, { run: { rankings, scores: 'ranks' }, depth: 100 });
  expect(run.conditions).toMatchObject({ depth: 100, imported: { scores: 'minus the rank; ties unseen' } });
  expect(notes).toContain('the file has no scores: they are minus the rank, and ties are unseen');
});
