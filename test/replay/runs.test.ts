import { describe, expect, test } from 'vitest';
import { docId, type QueryId, queryId } from '../../core/ids.js';
import { amongCandidates, type ReplayQueries, splitRun } from '../../results/replay/runs.js';
import type { Pool, Ranking } from '../../tasks/types.js';

const tasks = (queries: Readonly<Record<string, readonly string[]>>): ReplayQueries => ({
  tasks: Object.entries(queries).map(([task, ids]) => ({
    task,
    digest: `digest of ${task}`,
    queries: ids.map(queryId),
  })),
});

function rankings(lists: Readonly<Record<string, readonly string[]>>): ReadonlyMap<QueryId, Ranking> {
  return new Map(
    Object.entries(lists).map(([query, docs]) => [
      queryId(query),
      { docs: docs.map(docId), scores: docs.map((_, i) => -i) },
    ]),
  );
}

const run = (lists: Readonly<Record<string, readonly string[]>>) => ({
  name: 'my.run',
  rankings: rankings(lists),
  task: null,
});

describe('a run among the tasks of an artifact', () => {
  const two = tasks({ 's/a': ['1', '2', '__proto__'], 's/b': ['2', '3'] });

  test('a query goes to the task that has it; what no task has counts nowhere', () => {
    const { byTask, unknown } = splitRun(run({ '1': ['x'], '3': ['y'], '9': ['z'] }), two);
    expect([...byTask].map(([task, lists]) => [task, [...lists.keys()]])).toEqual([
      ['s/a', ['1']],
      ['s/b', ['3']],
    ]);
    expect(unknown).toEqual(['9']);
  });

  test('an id that two tasks have needs the task before it', () => {
    expect(() => splitRun(run({ '2': ['x'] }), two)).toThrow(/s\/a, s\/b\): my\.run, query 2\. Write .* `s\/a:2`/);
    const { byTask } = splitRun(run({ 's/a:2': ['x'], 's/b:2': ['y'] }), two);
    expect(byTask.get('s/a')?.get(queryId('2'))?.docs).toEqual(['x']);
    expect(byTask.get('s/b')?.get(queryId('2'))?.docs).toEqual(['y']);
    expect(() => splitRun(run({ '1': ['x'], 's/a:1': ['x'] }), two)).toThrow(/stands twice.*s\/a:1/);
  });

  test('a hostile id is an id', () => {
    const lists = new Map([[queryId('__proto__'), { docs: [docId('d')], scores: [1] }]]);
    const { byTask } = splitRun({ name: 'r', rankings: lists, task: null }, two);
    expect(byTask.get('s/a')?.has(queryId('__proto__'))).toBe(true);
  });

  test('a run of ours belongs to its task alone, in the build of the artifact', () => {
    const ours = (digest: string) => ({ ...run({ '2': ['x'] }), task: { id: 's/b', digest } });
    expect([...splitRun(ours('digest of s/b'), two).byTask.keys()]).toEqual(['s/b']);
    expect(() => splitRun(ours('another'), two)).toThrow(/another build of the task.*my\.run, s\/b/);
  });

  test('a run without a query of the artifact is refused', () => {
    expect(() => splitRun(run({ '9': ['x'] }), two)).toThrow(/No query of this run/);
    expect(() => splitRun(run({}), two)).toThrow(/No query of this run/);
  });
});

describe('a run among the candidates', () => {
  const pool: Pool = new Map([[queryId('1'), { docs: ['x', 'y'].map(docId), scores: [2, 1], forced: [] }]]);

  test('an order of them, or of some, is as it was', () => {
    for (const docs of [['y', 'x'], ['y'], []]) {
      const made = amongCandidates({ name: 'r', rankings: rankings({ '1': docs }) }, pool, 'refuse');
      expect(made).toEqual({ rankings: rankings({ '1': docs }), dropped: 0 });
    }
  });

  test('another document is refused with its query, or left out', () => {
    const given = { name: 'r', rankings: rankings({ '1': ['y', 'z', 'x'] }) };
    expect(() => amongCandidates(given, pool, 'refuse')).toThrow(/r, query 1, document z/);
    const { rankings: kept, dropped } = amongCandidates(given, pool, 'drop');
    expect(kept.get(queryId('1'))).toEqual({ docs: ['y', 'x'], scores: [-0, -2] });
    expect(dropped).toBe(1);
  });
});
