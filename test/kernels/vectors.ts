import fc from 'fast-check';
import { gaussians, mulberry32 } from '../../core/random.js';
import type { DenseEncoding, Hits } from '../../runners/system.js';

/** What goes wrong with sums: each kind of vector attacks a bound from another side. */
const kinds = [
  'normal',
  'whole',
  'alike',
  'cancelling',
  'spiked',
  'huge',
  'tiny',
  'denormal',
  'mixed lengths',
  'zero',
] as const;
type Kind = (typeof kinds)[number];

function entryOf(kind: Kind, normal: () => number, j: number): number {
  switch (kind) {
    case 'normal':
      return normal();
    case 'whole':
      return Math.round(normal());
    case 'alike':
      return Math.sin(j + 1) + normal() * 1e-6;
    case 'cancelling':
      return (j & 1 ? -1 : 1) * 1e6 + normal();
    case 'spiked':
      return j === 0 ? 1 : normal() * 1e-4;
    case 'huge':
      return normal() * 1e37;
    case 'tiny':
      return normal() * 1e-30;
    case 'denormal':
      return normal() * 1e-43;
    case 'mixed lengths':
      return normal();
    case 'zero':
      return 0;
  }
}

/** Row-major vectors of those kinds in turn; `copies` of ten rows repeat an earlier row, so that scores tie. */
export function vectorsOf(seed: number, rows: number, dims: number, of: { kinds: readonly Kind[]; copies: number }) {
  const uniform = mulberry32(seed);
  const normal = gaussians(uniform);
  const vectors = new Float32Array(rows * dims);
  for (let row = 0; row < rows; row++) {
    if (row > 0 && 10 * uniform() < of.copies) {
      const earlier = Math.floor(uniform() * row);
      vectors.copyWithin(row * dims, earlier * dims, (earlier + 1) * dims);
      continue;
    }
    const kind = of.kinds[row % of.kinds.length];
    const length = kind === 'mixed lengths' ? 10 ** (12 * uniform() - 6) : 1;
    for (let j = 0; j < dims; j++) vectors[row * dims + j] = length * entryOf(kind, normal, j);
  }
  return vectors;
}

export const someKinds = fc.oneof(
  fc.constantFrom(...kinds).map((kind) => [kind]),
  fc.subarray([...kinds], { minLength: 1 }),
);

export interface Corpus {
  readonly encoding: DenseEncoding;
  readonly k: number;
}

/** Corpora of up to 60 documents of up to 40 dimensions, around every edge of a panel, a tile and a block of four. */
export const corpora: fc.Arbitrary<Corpus> = fc
  .record({
    seed: fc.nat(),
    dims: fc.integer({ min: 1, max: 40 }),
    docs: fc.integer({ min: 0, max: 60 }),
    queries: fc.integer({ min: 0, max: 9 }),
    docKinds: someKinds,
    queryKinds: someKinds,
    copies: fc.constantFrom(0, 3, 10),
    k: fc.integer({ min: 0, max: 20 }),
  })
  .map(({ seed, dims, docs, queries, docKinds, queryKinds, copies, k }) => ({
    k,
    encoding: {
      kind: 'dense',
      dims,
      similarity: 'dot',
      docs: vectorsOf(seed, docs, dims, { kinds: docKinds, copies }),
      queries: vectorsOf(seed + 1, queries, dims, { kinds: queryKinds, copies: 0 }),
    },
  }));

/** Hits as plain numbers, to the last bit. */
export const plain = ({ docs, scores, work }: Hits) => ({ docs: [...docs], scores: [...scores], work });

/** Even and odd dimensions summed apart from first to last, in float64: the definition of a score. */
export function naiveDot(a: ArrayLike<number>, aStart: number, b: ArrayLike<number>, bStart: number, dims: number) {
  const sums = [0, 0];
  for (let j = 0; j < dims; j++) sums[j & 1] += a[aStart + j] * b[bStart + j];
  return sums[0] + sums[1];
}

/** Full scan, full sort: by descending score, ascending position, ties with the k-th kept. */
export function naiveSearch({ dims, docs, queries }: DenseEncoding, query: number, k: number) {
  const blank = queries.subarray(query * dims, (query + 1) * dims).every((x) => x === 0);
  const count = docs.length / dims;
  const all = Array.from({ length: count }, (_, doc) => ({
    doc,
    score: naiveDot(queries, query * dims, docs, doc * dims, dims),
  }));
  const ranked = blank || k < 1 ? [] : all.sort((a, b) => b.score - a.score || a.doc - b.doc);
  const kept = ranked.filter(({ score }, i) => i < k || score === ranked[k - 1].score);
  return {
    docs: kept.map(({ doc }) => doc),
    scores: kept.map(({ score }) => score),
    work: { flops: blank ? 0 : 2 * dims * count },
  };
}
