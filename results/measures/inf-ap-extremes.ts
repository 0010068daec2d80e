import { type Above, type GroupCounts, inferredPrecision } from './inf-ap-precision.js';

/**
 * The least and the greatest sum of inferred precisions that an order inside a group gives. Outsiders only push a relevant
 * document down, and in lists of less than 50,000 documents so do judged non-relevant ones: they come last for the greatest
 * sum and first for the least. A pooled document may lower a relevant one's precision or raise it, so their places are
 * searched: row k holds, for each number of pooled documents above the relevant document k, the best sum so far.
 */
export function inferredExtremes(above: Above, group: GroupCounts): { readonly min: number; readonly max: number } {
  return {
    max: best(above, group, { others: 0, outside: 0, better: Math.max }),
    min: best(above, group, { others: group.others, outside: group.outside, better: Math.min }),
  };
}

interface Placed {
  /** Of the group, above all of its relevant documents. */
  readonly others: number;
  readonly outside: number;
  readonly better: (a: number, b: number) => number;
}

function best(above: Above, { relevant, pooled }: GroupCounts, { others, outside, better }: Placed): number {
  const sums = new Float64Array(pooled + 1);
  for (let k = 0; k < relevant; k++) {
    for (let n = 0; n <= pooled; n++) {
      sums[n] += inferredPrecision(above, {
        relevant: k,
        judged: k + others,
        pooled: n,
        all: k + others + outside + n,
      });
    }
    // The next one has as many pooled documents above it or more, so the best of all that are fewer goes on.
    for (let n = 1; n <= pooled; n++) sums[n] = better(sums[n - 1], sums[n]);
  }
  return sums[pooled];
}
