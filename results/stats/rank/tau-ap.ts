import { countsAboveInBoth } from './above.js';
import { firstRanks, requireComparable, tiedPairs, tieRuns, type Values } from './ranks.js';

/**
 * τ_AP (Yilmaz, Aslam and Robertson 2008): the mean share, over the items below the first of `estimate`, of items above
 * that `truth` puts above too, scaled to [−1, 1]. Errors near the top weigh more. Null where a side has ties or there
 * are fewer than two items. O(n log n).
 */
export function tauAP(truth: Values, estimate: Values): number | null {
  requireComparable(truth, estimate);
  return tiedPairs(estimate) > 0 ? null : tauAPa(truth, estimate);
}

/**
 * τ_AP,a (Urbano and Marrero 2017): the mean of τ_AP over all orders of the ties of `estimate`, by closed form. Null
 * where `truth` has ties or there are fewer than two items. O(n log n).
 */
export function tauAPa(truth: Values, estimate: Values): number | null {
  requireComparable(truth, estimate);
  const n = truth.length;
  if (n < 2 || tiedPairs(truth) > 0) return null;
  const above = countsAboveInBoth(truth, estimate);
  const { order, runs } = tieRuns(estimate);
  let sum = 0;
  for (const [start, end] of runs) {
    const { fromAbove, within } = expectedShares(start, end - start);
    for (let place = start; place < end; place++) sum += above[order[place]] * fromAbove + within;
  }
  return (2 * sum) / (n - 1) - 1;
}

/**
 * For a member of a group of `size` that has `before` items above the group: what each item rightly above the group
 * adds, and what its own group adds. The member stands on each place of the group equally often, k of its group above
 * it, and half of those rightly.
 */
function expectedShares(before: number, size: number): { readonly fromAbove: number; readonly within: number } {
  let fromAbove = 0;
  let within = 0;
  for (let k = 0; k < size; k++) {
    if (before + k === 0) continue;
    fromAbove += 1 / (before + k);
    within += k / (before + k);
  }
  return { fromAbove: before === 0 ? 0 : fromAbove / size, within: within / (2 * size) };
}

/**
 * τ_AP,b (Urbano and Marrero 2017): symmetric, ties anywhere, pairs tied on either side not scored. The mean of both
 * directions, each over the items below the other side's first group. Null where a side is constant or there are fewer
 * than two items. O(n log n).
 */
export function tauAPb(x: Values, y: Values): number | null {
  requireComparable(x, y);
  const above = countsAboveInBoth(x, y);
  const one = direction(above, y);
  const other = direction(above, x);
  return one === null || other === null ? null : (one + other) / 2;
}

function direction(above: Int32Array, estimate: Values): number | null {
  let sum = 0;
  let scored = 0;
  firstRanks(estimate).forEach((rank, i) => {
    if (rank === 1) return;
    sum += above[i] / (rank - 1);
    scored++;
  });
  return scored === 0 ? null : (2 * sum) / scored - 1;
}
