/** Two clusters that become one, by their slots, the lower of which goes on; the greater the height, the later. */
interface Merge {
  readonly low: number;
  readonly high: number;
  readonly height: number;
}

/**
 * Ward's hierarchical clustering (JASA 58, 1963) of the rows of a matrix, cut at `wanted` clusters: for each row the
 * number of its cluster, clusters numbered by their first row. By the nearest-neighbour chain (Murtagh 1983), with the
 * distances updated after Lance and Williams (1967): O(rows²·dims) time, 4·rows² bytes. Equal distances: the chain
 * stays where it is, else the lower row wins; equal heights: the merge that was found first.
 */
export function wardClusters(vectors: Float32Array, dims: number, wanted: number): Int32Array {
  const rows = vectors.length / dims;
  const merges = chainMerges(squaredDistances(vectors, dims), rows);
  const order = [...merges.keys()].sort((a, b) => merges[a].height - merges[b].height || a - b);
  const parents = Int32Array.from({ length: rows }, (_, row) => row);
  for (const at of order.slice(0, Math.max(0, rows - wanted))) {
    parents[rootOf(parents, merges[at].high)] = rootOf(parents, merges[at].low);
  }
  return numbered(parents);
}

/**
 * Below the diagonal, row by row: the distance of i and j < i stands at i·(i − 1)/2 + j. Four rows at a time, which is
 * twice as fast; each sum goes from the first dimension to the last.
 */
function squaredDistances(vectors: Float32Array, dims: number): Float64Array {
  const rows = vectors.length / dims;
  // Rows and places beyond the end, where a step of four may reach.
  const all = new Float64Array((rows + 3) * dims);
  all.set(vectors);
  const distances = new Float64Array((rows * (rows - 1)) / 2 + 3);
  for (let i = 1; i < rows; i++) {
    for (let j = 0; j < i; j += 4) writeFour(all, dims, [i, j], distances);
  }
  return distances;
}

/** The distances of row i to the rows j … j + 3; what is written beyond row i is overwritten by the next row's. */
function writeFour(all: Float64Array, dims: number, [i, j]: readonly [number, number], distances: Float64Array): void {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let at = i * dims, a = j * dims, end = at + dims; at < end; at++, a++) {
    const x = all[at];
    const toFirst = x - all[a];
    const toSecond = x - all[a + dims];
    const toThird = x - all[a + 2 * dims];
    const toFourth = x - all[a + 3 * dims];
    first += toFirst * toFirst;
    second += toSecond * toSecond;
    third += toThird * toThird;
    fourth += toFourth * toFourth;
  }
  const out = (i * (i - 1)) / 2 + j;
  distances[out] = first;
  distances[out + 1] = second;
  distances[out + 2] = third;
  distances[out + 3] = fourth;
}

function place(i: number, j: number): number {
  return i > j ? (i * (i - 1)) / 2 + j : (j * (j - 1)) / 2 + i;
}

function chainMerges(distances: Float64Array, rows: number): Merge[] {
  const sizes = new Float64Array(rows).fill(1);
  const heights = new Float64Array(rows);
  const chain: number[] = [];
  const merges: Merge[] = [];
  while (merges.length < rows - 1) {
    if (chain.length === 0) chain.push(sizes.findIndex((size) => size > 0));
    const last = chain[chain.length - 1];
    const before = chain.at(-2);
    const nearest = nearestTo(last, before, sizes, distances);
    if (nearest !== before) {
      chain.push(nearest);
      continue;
    }
    chain.length -= 2;
    const [low, high] = last < nearest ? [last, nearest] : [nearest, last];
    // Rounding never puts a merge below those that it is made of.
    const height = Math.max(distances[place(low, high)], heights[low], heights[high]);
    merges.push({ low, high, height });
    join(low, high, sizes, distances);
    heights[low] = height;
  }
  return merges;
}

function nearestTo(slot: number, before: number | undefined, sizes: Float64Array, distances: Float64Array): number {
  let nearest = before ?? -1;
  let least = before === undefined ? Number.POSITIVE_INFINITY : distances[place(slot, before)];
  for (let other = 0; other < sizes.length; other++) {
    if (sizes[other] === 0 || other === slot) continue;
    const distance = distances[place(slot, other)];
    if (nearest >= 0 && distance >= least) continue;
    nearest = other;
    least = distance;
  }
  return nearest;
}

/** The cluster of slot `high` goes into that of `low`; distances to it follow (Lance and Williams, for Ward). */
function join(low: number, high: number, sizes: Float64Array, distances: Float64Array): void {
  const [a, b] = [sizes[low], sizes[high]];
  const between = distances[place(low, high)];
  sizes[high] = 0;
  for (let other = 0; other < sizes.length; other++) {
    const c = sizes[other];
    if (c === 0 || other === low) continue;
    const toLow = place(low, other);
    const sum = (a + c) * distances[toLow] + (b + c) * distances[place(high, other)] - c * between;
    distances[toLow] = sum / (a + b + c);
  }
  sizes[low] = a + b;
}

function rootOf(parents: Int32Array, row: number): number {
  let root = row;
  while (parents[root] !== root) root = parents[root];
  return root;
}

function numbered(parents: Int32Array): Int32Array {
  const numbers = new Map<number, number>();
  return parents.map((_, row) => {
    const root = rootOf(parents, row);
    const number = numbers.get(root) ?? numbers.size;
    numbers.set(root, number);
    return number;
  });
}
