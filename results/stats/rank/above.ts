import { firstRanks, tieRuns, type Values } from './ranks.js';

/**
 * For each item, how many items are strictly above it on both sides. By a binary indexed tree over the ranks of `x`
 * (Fenwick 1994), filled along `y`: O(n log n).
 */
export function countsAboveInBoth(x: Values, y: Values): Int32Array {
  const rank = firstRanks(x);
  const tree = new Int32Array(x.length + 1);
  const counts = new Int32Array(x.length);
  const { order, runs } = tieRuns(y);
  for (const [start, end] of runs) {
    for (let place = start; place < end; place++) counts[order[place]] = sumBelow(tree, rank[order[place]]);
    for (let place = start; place < end; place++) insert(tree, rank[order[place]]);
  }
  return counts;
}

function insert(tree: Int32Array, rank: number): void {
  for (let i = rank; i < tree.length; i += i & -i) tree[i]++;
}

function sumBelow(tree: Int32Array, rank: number): number {
  let sum = 0;
  for (let i = rank - 1; i > 0; i -= i & -i) sum += tree[i];
  return sum;
}
