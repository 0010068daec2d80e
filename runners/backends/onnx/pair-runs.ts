import type { OnStep, Pair, PairScores } from '../../open-model.js';
import { type EncodingRun, type PreparedRow, runEncoding } from './encoding-run.js';

export interface PairRun extends Pick<EncodingRun, 'rule' | 'run' | 'jobOf'> {
  readonly prepare: (pair: Pair) => PreparedRow;
}

/** Scores pairs in the order in which they are given. */
export async function scorePairs(
  pairs: readonly Pair[],
  { prepare, ...how }: PairRun,
  onStep?: OnStep,
): Promise<PairScores> {
  const margins = new Float64Array(pairs.length);
  const encoded = await runEncoding({
    ...how,
    characters: pairs.map(({ query, document }) => query.length + document.length),
    prepare: (position) => prepare(pairs[position]),
    keep: (result, positions) => {
      if (result.kind !== 'margins') return;
      positions.forEach((position, row) => {
        margins[position] = result.values[row];
      });
    },
    ...(onStep && { onStep }),
  });
  return { margins, ...encoded };
}
