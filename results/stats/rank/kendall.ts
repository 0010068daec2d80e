import { countsAboveInBoth } from './above.js';
import { requireComparable, tiedPairs, tieRuns, type Values } from './ranks.js';

/**
 * Kendall's tau-b (Kendall 1945): concordant minus discordant pairs over √((n₀ − Tx)(n₀ − Ty)), n₀ being all pairs and T
 * those tied on one side. Null where one side is constant or there are fewer than two items. O(n log n).
 */
export function kendallTauB(x: Values, y: Values): number | null {
  requireComparable(x, y);
  const pairs = (x.length * (x.length - 1)) / 2;
  const untiedX = pairs - tiedPairs(x);
  const untiedY = pairs - tiedPairs(y);
  if (untiedX === 0 || untiedY === 0) return null;
  const concordant = countsAboveInBoth(x, y).reduce((sum, count) => sum + count, 0);
  const untied = untiedX + untiedY - pairs + pairsTiedInBoth(x, y);
  return (2 * concordant - untied) / Math.sqrt(untiedX * untiedY);
}

function pairsTiedInBoth(x: Values, y: Values): number {
  const { order, runs } = tieRuns(x);
  return runs.reduce((sum, [start, end]) => sum + tiedPairs(order.slice(start, end).map((i) => y[i])), 0);
}
