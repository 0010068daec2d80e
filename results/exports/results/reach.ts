import type { Judgements } from '../../../tasks/types.js';
import { parseMeasure } from '../../measures/parse.js';
import { scoreRun } from '../../score.js';
import type { ScoredRun } from './types.js';

/** Whether a run says anything about rank k: it went that deep, or to the end of the collection. */
export function reaches({ run, manifest }: ScoredRun, k: number): boolean {
  const { depth } = run.conditions;
  const longest = Math.max(0, ...[...run.rankings.values()].map(({ docs }) => docs.length));
  const deep = typeof depth === 'number' ? depth : longest;
  return Math.min(k, manifest.counts.kept.docs) <= deep;
}

/**
 * The means of a run, over ties the expected ones, by the names of another program: its name → ours. Topics that the run
 * lacks count with 0.
 */
export function meansOf(
  { run }: ScoredRun,
  names: ReadonlyMap<string, string>,
  judged: Judgements,
): readonly (readonly [theirs: string, mean: number | null])[] {
  const measures = [...names.values()].map(parseMeasure);
  const { totals } = scoreRun({ rankings: run.rankings, judged, measures, run: run.system });
  return [...names.keys()].map((theirs, i) => [theirs, totals.get(measures[i].name)?.expected ?? null]);
}
