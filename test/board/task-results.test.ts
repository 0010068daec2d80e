import { describe, expect, it } from 'vitest';
import type { Digest } from '../../core/digest.js';
import { docId, queryId, taskId } from '../../core/ids.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { taskResults } from '../../results/task-results.js';
import type { Run } from '../../runners/types.js';

const judged = new Map([[queryId('q'), new Map([[docId('a'), 1]])]]);
const run = (conditions: Run['conditions']): Run => ({
  task: { id: taskId('t/t'), digest: '' as Digest },
  system: 'x',
  family: 'dense',
  digest: '' as Digest,
  rankings: new Map([[queryId('q'), { docs: [docId('a')], scores: [1] }]]),
  cost: { bytesPerDoc: 0, indexBytes: 0, modelBytes: 0, work: {} },
  conditions,
  timing: { prepareMs: 0, queryMs: { p50: 0, p95: 0, mean: 0 } },
});
const manifest = (forcedRows: number, options = { safeguard: 'append', poolSize: 100 }) => ({
  pools: { hybrid: { system: 'rrf', recallAt100: 0, nDCGAt10: 0, oracleAt10: 0, forcedRows } },
  options,
});

it.each([
  [{ imported: { format: 'trec', file: 'x.run', digest: 'd', scores: 'as given' } }, { format: 'trec', file: 'x.run' }],
  [{ imported: true }, { format: 'unknown', file: 'unknown' }],
  [{ imported: { format: 7 } }, { format: 'unknown', file: 'unknown' }],
  [{}, undefined],
])('a run with the conditions %j is from %j', (conditions, expected) => {
  expect(taskResults(run(conditions), { judged, manifest: manifest(0) }, []).imported).toEqual(expected);
});

describe('a run is marked where safeguard rows can help it', () => {
  const marked = (conditions: Run['conditions'], built: ReturnType<typeof manifest>, measure = 'R@100') =>
    taskResults(run(conditions), { judged, manifest: built }, [parseMeasure(measure)]).safeguarded;
  const replaced = { safeguard: 'replace', poolSize: 100 };

  it.each<[string, boolean | undefined, boolean]>([
    ['a pool reordered with its forced rows', marked({ 'stage1.forcedRows': 'with' }, manifest(3)), true],
    ['deep inside', marked({ 'stage1.stage1.forcedRows': 'with' }, manifest(3)), true],
    ['a pool reordered without them', marked({ 'stage1.forcedRows': 'without' }, manifest(3)), false],
    ['a task without forced rows', marked({ 'stage1.forcedRows': 'with' }, manifest(0)), false],
    ['a pool as it stands, rows appended beyond the cut-off', marked({ forcedRows: 'with' }, manifest(3)), false],
    ['a pool as it stands, cut-off beyond its size', marked({ forcedRows: 'with' }, manifest(3), 'R@200'), true],
    ['a pool as it stands, rows replaced', marked({ forcedRows: 'with' }, manifest(3, replaced)), true],
    ['a system that searches', marked({ analyzer: 'english' }, manifest(3)), false],
  ])('%s', (_, found, expected) => {
    expect(found).toBe(expected);
  });
});
