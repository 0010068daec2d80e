import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sparseDotWork } from '../../runners/cost/retrieval.js';
import { exactIndex } from '../../runners/kernels/dense-index.js';
import { invertedIndex } from '../../runners/kernels/inverted-index.js';
import { maxSimBinaryIndex, maxSimIndex, maxSimInt8Index } from '../../runners/kernels/max-sim-index.js';
import { transposed } from '../../runners/kernels/sparse-rows.js';
import type {
  DenseEncoding,
  Hits,
  Index,
  LateInteractionEncoding,
  SparseRows,
  TokenRows,
  Work,
} from '../../runners/system.js';
import { hammingIndex } from '../../runners/variants/binary.js';
import { nearestIndex } from '../../runners/variants/int8.js';
import { rawCodeIndex } from '../../runners/variants/int8-hakari.js';
import { vectorsOf } from './vectors.js';

/** Arithmetic that counts itself: what a search costs is found by doing it. */
function counting() {
  const done = { flops: 0, integerOps: 0, popcountWords: 0 };
  type Unit = 'flops' | 'integerOps';
  return {
    done,
    /** A sum of products that starts from a number that is there. */
    dot: (unit: Unit, dims: number): void => {
      for (let j = 0; j < dims; j++) {
        done[unit]++; // the product
        done[unit]++; // added to what there is
      }
    },
    distance: (dims: number): void => {
      for (let from = 0, word = 0; from < dims; from += 64, word++) {
        done.integerOps++; // bits that differ
        done.integerOps++; // how many
        done.popcountWords++;
        if (word > 0) done.integerOps++; // added to those of the words before
      }
    },
    step: (unit: Unit): void => {
      done[unit]++;
    },
  };
}
type Counter = ReturnType<typeof counting>;

const isBlank = (vectors: Float32Array): boolean => vectors.every((value) => value === 0);

function countedDense(encoding: DenseEncoding, query: number, docs: number, score: (counter: Counter) => void) {
  const counter = counting();
  const { dims, queries } = encoding;
  if (isBlank(queries.subarray(query * dims, (query + 1) * dims))) return counter.done;
  for (let doc = 0; doc < docs; doc++) score(counter);
  return counter.done;
}

const kinds: Readonly<
  Record<
    string,
    {
      index: (encoding: DenseEncoding) => Index;
      units: readonly (keyof Work)[];
      score: (dims: number) => (counter: Counter) => void;
    }
  >
> = {
  float: {
    index: exactIndex,
    units: ['flops'],
    score:
      (dims) =>
      ({ dot }) =>
        dot('flops', dims),
  },
  int8: {
    index: nearestIndex,
    units: ['flops'],
    score:
      (dims) =>
      ({ dot }) =>
        dot('flops', dims),
  },
  'int8@hakari': {
    index: rawCodeIndex,
    units: ['integerOps'],
    score:
      (dims) =>
      ({ dot }) =>
        dot('integerOps', dims),
  },
  binary: {
    index: hammingIndex,
    units: ['popcountWords', 'integerOps'],
    score:
      (dims) =>
      ({ distance }) =>
        distance(dims),
  },
};

const only = (done: Work, units: readonly (keyof Work)[]): Work =>
  Object.fromEntries(units.map((unit) => [unit, done[unit] ?? 0]));

const denseCases = fc
  .record({
    seed: fc.nat(),
    dims: fc.integer({ min: 1, max: 140 }),
    docs: fc.integer({ min: 0, max: 40 }),
    k: fc.nat(12),
  })
  .map(({ seed, dims, docs, k }): { encoding: DenseEncoding; k: number } => ({
    k,
    encoding: {
      kind: 'dense',
      dims,
      similarity: 'dot',
      docs: vectorsOf(seed, docs, dims, { kinds: ['normal'], copies: 2 }),
      queries: vectorsOf(seed + 1, 3, dims, { kinds: ['normal', 'zero'], copies: 0 }),
    },
  }));

describe.each(Object.keys(kinds))('the work of %s', (name) => {
  const { index: indexOf, units, score } = kinds[name];

  it('is what a scan of the documents considered counts, alone, in a block and among some', async () => {
    await fc.assert(
      fc.asyncProperty(denseCases, async ({ encoding, k }) => {
        const index = indexOf(encoding);
        const docCount = encoding.docs.length / encoding.dims;
        const some = Int32Array.from({ length: docCount }, (_, doc) => doc).filter((doc) => doc % 3 === 0);
        const counted = (query: number, docs: number) =>
          only(countedDense(encoding, query, docs, score(encoding.dims)), units);
        const block = (await index.searchBlock?.(Int32Array.of(0, 1, 2), k)) ?? [];
        for (const query of [0, 1, 2]) {
          expect((await index.search(query, k)).work).toEqual(counted(query, docCount));
          expect(block[query].work).toEqual(counted(query, docCount));
          // A query without a direction computes nothing and ties what it is asked about.
          expect((await index.search(query, k, some)).work).toEqual(counted(query, some.length));
        }
      }),
      { numRuns: 40 },
    );
  });
});

it.each([
  ['float', 4 * 70],
  ['int8', 4 * 70],
  ['int8@hakari', 70],
  ['binary', 4 * 3],
])('a query of 70 dimensions takes %s %i bytes', (name, bytes) => {
  const encoding: DenseEncoding = {
    kind: 'dense',
    dims: 70,
    similarity: 'dot',
    docs: vectorsOf(1, 3, 70, { kinds: ['normal'], copies: 0 }),
    queries: vectorsOf(2, 2, 70, { kinds: ['normal'], copies: 0 }),
  };
  expect(kinds[name].index(encoding).bytesPerQuery).toBe(bytes);
});

function tokens(lengths: readonly number[], seed: number, dims: number): TokenRows {
  const offsets = Int32Array.from([0, ...lengths.map((_, i) => lengths.slice(0, i + 1).reduce((a, b) => a + b, 0))]);
  return { offsets, vectors: vectorsOf(seed, offsets[lengths.length], dims, { kinds: ['normal'], copies: 1 }) };
}

const lengths = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 12 });
const lateCases = fc
  .record({
    seed: fc.nat(),
    dims: fc.integer({ min: 1, max: 130 }),
    docs: lengths,
    queries: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }),
  })
  .map(
    ({ seed, dims, docs, queries }): LateInteractionEncoding => ({
      kind: 'late-interaction',
      dims,
      docs: tokens(docs, seed, dims),
      queries: tokens(queries, seed + 1, dims),
    }),
  );

/** MaxSim by its definition: comparisons with the greatest so far, sums of what is there so far. */
function countedMaxSim(
  { dims, docs, queries }: LateInteractionEncoding,
  query: number,
  among: readonly number[],
  coded: 'floats' | 'bits',
) {
  const counter = counting();
  const unit = coded === 'bits' ? 'integerOps' : 'flops';
  const queryRows = queries.offsets[query + 1] - queries.offsets[query];
  for (const doc of among) {
    const docRows = docs.offsets[doc + 1] - docs.offsets[doc];
    if (docRows === 0 || queryRows === 0) continue;
    for (let q = 0; q < queryRows; q++) {
      for (let row = 0; row < docRows; row++) {
        if (coded === 'bits') counter.distance(dims);
        else counter.dot('flops', dims);
        if (row > 0) counter.step(unit);
      }
      if (q > 0) counter.step(unit);
    }
    if (coded === 'bits') counter.dot('flops', 1);
  }
  return only(counter.done, coded === 'bits' ? ['popcountWords', 'integerOps', 'flops'] : ['flops']);
}

describe.each([
  ['float', 'floats', maxSimIndex],
  ['int8', 'floats', maxSimInt8Index],
  ['binary', 'bits', maxSimBinaryIndex],
] as const)('the work of MaxSim %s', (_, coded, indexOf) => {
  it('is what its definition counts, over all and among some', async () => {
    await fc.assert(
      fc.asyncProperty(lateCases, async (encoding) => {
        const index = indexOf(encoding);
        const all = [...Array(encoding.docs.offsets.length - 1).keys()];
        const some = all.filter((doc) => doc % 2 === 1);
        for (let query = 0; query < encoding.queries.offsets.length - 1; query++) {
          expect((await index.search(query, 3)).work).toEqual(countedMaxSim(encoding, query, all, coded));
          const asked = await index.search(query, 3, Int32Array.from(some));
          expect(asked.work).toEqual(countedMaxSim(encoding, query, some, coded));
        }
      }),
      { numRuns: 60 },
    );
  });
});

it.each([
  ['float', maxSimIndex, 160 * 1.5],
  ['int8', maxSimInt8Index, 160 * 1.5],
  ['binary', maxSimBinaryIndex, 8 * 1.5],
])('queries of 1, 2, 0 and 3 vectors of 40 dimensions take MaxSim %s their mean', (_, indexOf, bytes) => {
  const docs = tokens([1, 2], 1, 40);
  expect(
    indexOf({ kind: 'late-interaction', dims: 40, docs, queries: tokens([1, 2, 0, 3], 2, 40) }).bytesPerQuery,
  ).toBe(bytes);
  expect(indexOf({ kind: 'late-interaction', dims: 40, docs, queries: tokens([], 2, 40) }).bytesPerQuery).toBe(0);
});

const sparseRow = fc.uniqueArray(fc.nat(9), { maxLength: 8 }).map((terms) => terms.sort((a, b) => a - b));

function rowsOf(rows: readonly (readonly number[])[]): SparseRows {
  const terms = Int32Array.from(rows.flat());
  const offsets = Int32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]);
  return { offsets, terms, weights: Float64Array.from(terms, (term) => 1 + term) };
}

describe('the work of an inverted index', () => {
  const cases = fc.record({
    docs: fc.array(sparseRow, { maxLength: 15 }),
    queries: fc.array(sparseRow, { maxLength: 4 }),
  });

  it('is each entry of the query’s terms, and of learned weights two flops for each, and for each prior', () => {
    fc.assert(
      fc.property(cases, fc.boolean(), ({ docs, queries }, withPriors) => {
        const docBias = withPriors ? new Float64Array(docs.length).fill(0.5) : undefined;
        const parts = {
          docCount: docs.length,
          postings: transposed(rowsOf(docs), 10),
          queries: rowsOf(queries),
          sharedBytes: 0,
          ...(docBias && { docBias }),
        };
        const [counted, learned] = [invertedIndex(parts), invertedIndex({ ...parts, workOf: sparseDotWork })];
        queries.forEach((query, i) => {
          const postings = docs.reduce((sum, doc) => sum + doc.filter((term) => query.includes(term)).length, 0);
          const matching = docs.filter((doc) => doc.some((term) => query.includes(term))).length;
          const priors = (found: number) => (withPriors ? found : 0);
          expect((counted.search(i, 2) as Hits).work).toEqual({ postings });
          expect((learned.search(i, 2) as Hits).work).toEqual({ postings, flops: 2 * (postings + priors(matching)) });
          const some = Int32Array.from(docs.keys()).slice(1);
          const asked = (learned.search(i, 2, some) as Hits).work;
          expect(asked).toEqual({ postings, flops: 2 * (postings + priors(some.length)) });
        });
        const terms = queries.flat().length;
        expect(counted.bytesPerQuery).toBe(queries.length === 0 ? 0 : (12 * terms) / queries.length);
      }),
      { numRuns: 60 },
    );
  });
});
