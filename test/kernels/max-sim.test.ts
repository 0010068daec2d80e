import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quickMaxSim } from '../../runners/kernels/max-sim.js';
import { maxSimBinaryIndex, maxSimIndex, maxSimInt8Index } from '../../runners/kernels/max-sim-index.js';
import { int16Rows } from '../../runners/kernels/panel-kernel.js';
import { nearestCodes, rangesOf } from '../../runners/kernels/quantize.js';
import { errorsOf } from '../../runners/kernels/quick-pass.js';
import type { Hits, Index, LateInteractionEncoding, TokenRows } from '../../runners/system.js';
import { naiveDot, plain, someKinds, vectorsOf } from './vectors.js';

/** Rows per text, from a seed: lengths around a panel of eight, none now and then. */
function tokensOf(lengths: readonly number[], vectors: Float32Array): TokenRows {
  const offsets = new Int32Array(lengths.length + 1);
  lengths.forEach((length, text) => {
    offsets[text + 1] = offsets[text] + length;
  });
  return { offsets, vectors };
}

const lengths = (maxLength: number) =>
  fc.array(fc.oneof(fc.integer({ min: 0, max: 19 }), fc.constant(8)), { maxLength });
const encodings = fc
  .record({
    seed: fc.nat(),
    dims: fc.integer({ min: 1, max: 37 }),
    docLengths: lengths(30),
    queryLengths: lengths(3),
    docKinds: someKinds,
    queryKinds: someKinds,
    copies: fc.constantFrom(0, 3, 10),
  })
  .map(({ seed, dims, docLengths, queryLengths, docKinds, queryKinds, copies }): LateInteractionEncoding => {
    const total = (all: readonly number[]) => all.reduce((sum, length) => sum + length, 0);
    const docs = vectorsOf(seed, total(docLengths), dims, { kinds: docKinds, copies });
    const queries = vectorsOf(seed + 1, total(queryLengths), dims, { kinds: queryKinds, copies: 0 });
    return {
      kind: 'late-interaction',
      dims,
      docs: tokensOf(docLengths, docs),
      queries: tokensOf(queryLengths, queries),
    };
  });

type Similarity = (queryRow: number, docRow: number) => number;

const textRows = ({ offsets }: TokenRows, text: number) =>
  Array.from({ length: offsets[text + 1] - offsets[text] }, (_, i) => offsets[text] + i);

/** Σ over query rows, from the first to the last, of the greatest similarity; 0 for a document without rows. */
function naiveScore({ docs, queries }: LateInteractionEncoding, query: number, doc: number, similarity: Similarity) {
  const rows = textRows(docs, doc);
  if (rows.length === 0) return 0;
  return textRows(queries, query).reduce((sum, q) => sum + Math.max(...rows.map((d) => similarity(q, d))), 0);
}

function naiveHits(encoding: LateInteractionEncoding, query: number, k: number, score: (doc: number) => number) {
  const { dims, docs, queries } = encoding;
  const queryRows = textRows(queries, query);
  const blank = queryRows.every((row) => queries.vectors.subarray(row * dims, (row + 1) * dims).every((x) => x === 0));
  const found = Array.from({ length: docs.offsets.length - 1 }, (_, doc) => doc).filter(
    (doc) => !blank && textRows(docs, doc).length > 0,
  );
  const ranked = found.map((doc) => ({ doc, score: score(doc) })).sort((a, b) => b.score - a.score || a.doc - b.doc);
  const kept = ranked.filter((hit, i) => k > 0 && (i < k || hit.score === ranked[k - 1].score));
  return { docs: kept.map(({ doc }) => doc), scores: kept.map((hit) => hit.score) };
}

const similarities: Readonly<Record<string, (encoding: LateInteractionEncoding) => Similarity>> = {
  float:
    ({ dims, docs, queries }) =>
    (q, d) =>
      naiveDot(queries.vectors, q * dims, docs.vectors, d * dims, dims),
  int8: ({ dims, docs, queries }) => {
    const ranges = rangesOf({ dims, docs: docs.vectors });
    const codes = nearestCodes(docs.vectors, ranges);
    return (q, d) => {
      const query = [...queries.vectors.subarray(q * dims, (q + 1) * dims)];
      const weights = query.map((x, j) => x * ranges.step[j]);
      const offset = query.reduce((sum, x, j) => sum + x * ranges.least[j], 0);
      return offset + naiveDot(weights, 0, codes, d * dims, dims);
    };
  },
};

const factories = { float: maxSimIndex, int8: maxSimInt8Index, binary: maxSimBinaryIndex };
const searched = (index: Index, query: number, k: number, among?: Int32Array) => index.search(query, k, among) as Hits;
/** Without its work, which work.test.ts counts. */
const found = (index: Index, query: number, k: number) => {
  const { docs, scores } = searched(index, query, k);
  return { docs: [...docs], scores: [...scores] };
};

describe.each(['float', 'int8'] as const)('MaxSim of %s rows', (name) => {
  const factory = factories[name];

  it('finds what the definition finds, to the last bit, with vectors and without', () => {
    fc.assert(
      fc.property(encodings, fc.integer({ min: 0, max: 6 }), (encoding, k) => {
        const similarity = similarities[name](encoding);
        const ways = [
          factory(encoding),
          factory(encoding, { arithmetic: 'scalar' }),
          factory(encoding, { partBytes: 1 }),
        ];
        for (let query = 0; query < encoding.queries.offsets.length - 1; query++) {
          const score = (doc: number) => naiveScore(encoding, query, doc, similarity);
          const expected = naiveHits(encoding, query, k, score);
          for (const index of ways) expect(found(index, query, k)).toEqual(expected);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('scores exactly the documents of among, those without rows at 0', () => {
    fc.assert(
      fc.property(encodings, (encoding) => {
        const similarity = similarities[name](encoding);
        const count = encoding.docs.offsets.length - 1;
        const some = Int32Array.from({ length: count }, (_, doc) => doc).filter((doc) => doc % 3 !== 1);
        for (let query = 0; query < encoding.queries.offsets.length - 1; query++) {
          const expected = Array.from(some, (doc) => ({ doc, score: naiveScore(encoding, query, doc, similarity) }));
          expected.sort((a, b) => b.score - a.score || a.doc - b.doc);
          const hits = searched(factory(encoding), query, count + 1, some.slice().reverse());
          const blank = hits.work.flops === 0;
          expect([...hits.docs]).toEqual(blank ? [...some] : expected.map(({ doc }) => doc));
          expect([...hits.scores]).toEqual(expected.map(({ score }) => (blank ? 0 : score)));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('takes queries of more than 64 rows and documents of more than 512', () => {
    const dims = 5;
    const docLengths = [1030, 3, 0, 513, 8];
    const encoding: LateInteractionEncoding = {
      kind: 'late-interaction',
      dims,
      docs: tokensOf(docLengths, vectorsOf(1, 1554, dims, { kinds: ['normal'], copies: 1 })),
      queries: tokensOf([131, 64], vectorsOf(2, 195, dims, { kinds: ['normal'], copies: 0 })),
    };
    const similarity = similarities[name](encoding);
    for (const query of [0, 1]) {
      const { docs, scores } = naiveHits(encoding, query, 2, (doc) => naiveScore(encoding, query, doc, similarity));
      expect(plain(searched(factory(encoding), query, 2))).toMatchObject({ docs, scores });
    }
  });

  it('refuses NaN as the definition does', () => {
    const broken: LateInteractionEncoding = {
      kind: 'late-interaction',
      dims: 2,
      docs: tokensOf([1, 2], Float32Array.of(1, 1, 1, 0, 0, 1)),
      queries: tokensOf([1], Float32Array.of(1, Number.NaN)),
    };
    expect(() => searched(factory(broken), 0, 1)).toThrow(/NaN for the document at position 0/);
  });
});

describe('the quick look of MaxSim', () => {
  /** Rows of one dimension whose codes are off by 1.5 in a given direction, and a query of 1: the worst that is promised. */
  const worst = (rows: readonly { readonly value: number; readonly code: number }[], offsets: readonly number[]) => {
    const writer = (bytes: ArrayBuffer) => {
      const codes = new Int16Array(bytes);
      return (row: number, place: number) => {
        codes[2 * place] = rows[row].code;
      };
    };
    const codeQuery = (_query: number, codes: Int32Array, at: number) => {
      new Int16Array(codes.buffer)[2 * at] = 1;
      return { unit: 1, slack: 1.5 };
    };
    const ones = new Float64Array(rows.length).fill(1);
    const coding = { format: int16Rows, units: 1, writer, codeQuery, errors: () => errorsOf(ones, ones) };
    const sides = {
      dims: 1,
      offsets: Int32Array.from(offsets),
      rows: Float32Array.from(rows, ({ value }) => value),
      linearOf: () => ({ weights: Float64Array.of(1), offset: 0 }),
    };
    return quickMaxSim(sides, coding);
  };
  const [better, worse] = [
    { value: 20.5, code: 19 },
    { value: 19.5, code: 21 },
  ];

  it('finds the greatest row though another seems greater by twice the error', () => {
    const scores = new Float64Array(1);
    worst([worse, better], [0, 2]).score({ from: 0, to: 1 }, Int32Array.of(0), scores);
    expect([...scores]).toEqual([20.5]);
  });

  it('keeps a document though another seems better by twice the error', () => {
    const survivors = worst([worse, better, { value: 1, code: 1 }], [0, 1, 2, 3]).survivors(
      { from: 0, to: 1 },
      Int32Array.of(0, 1, 2),
      1,
    );
    expect([...(survivors ?? [])]).toEqual([0, 1]);
  });
});

describe('MaxSim of sign bits', () => {
  it('is the scaled number of agreeing signs, with vectors and without', () => {
    fc.assert(
      fc.property(encodings, fc.integer({ min: 0, max: 6 }), (encoding, k) => {
        const { dims, docs: docTokens, queries } = encoding;
        const agreeing = (q: number, d: number) =>
          Array.from({ length: dims }, (_, j) => j).reduce(
            (sum, j) => sum + (queries.vectors[q * dims + j] > 0 === docTokens.vectors[d * dims + j] > 0 ? 1 : -1),
            0,
          );
        const ways = [{}, { arithmetic: 'scalar' as const }, { partBytes: 1 }].map((o) =>
          maxSimBinaryIndex(encoding, o),
        );
        for (let query = 0; query < queries.offsets.length - 1; query++) {
          const score = (doc: number) => naiveScore(encoding, query, doc, agreeing) / dims;
          const expected = naiveHits(encoding, query, k, score);
          for (const index of ways) expect(found(index, query, k)).toEqual(expected);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('indexes of token vectors', () => {
  const encoding: LateInteractionEncoding = {
    kind: 'late-interaction',
    dims: 40,
    docs: tokensOf([3, 0, 1], vectorsOf(1, 4, 40, { kinds: ['normal'], copies: 0 })),
    queries: tokensOf([2, 0, 1], new Float32Array(3 * 40).fill(1, 0, 80)),
  };

  it.each([
    ['float', 160, 0],
    ['int8', 40, 2 * 4 * 40],
    ['binary', 8, 0],
  ] as const)('%s: %i bytes a row and 4 a document', (name, rowBytes, shared) => {
    const { bytes, bytesPerDoc } = factories[name](encoding);
    expect(bytesPerDoc).toBe((4 * rowBytes + 3 * 4) / 3);
    expect(bytes).toBe(4 * rowBytes + 3 * 4 + shared);
    const empty = { ...encoding, docs: tokensOf([], new Float32Array(0)) };
    expect(factories[name](empty)).toMatchObject({ bytes: shared, bytesPerDoc: 0 });
  });

  it.each(['float', 'int8', 'binary'] as const)(
    '%s: finds no document without rows, and scores it 0 when asked',
    (name) => {
      const index = factories[name](encoding);
      expect([...searched(index, 0, 3).docs].sort()).toEqual([0, 2]);
      const asked = searched(index, 0, 3, Int32Array.of(1));
      expect(plain(asked)).toMatchObject({ docs: [1], scores: [0] });
    },
  );

  it.each(['float', 'int8', 'binary'] as const)('%s: a query without rows, or of zeros, finds nothing', (name) => {
    for (const query of [1, 2]) {
      const index = factories[name](encoding);
      expect(plain(searched(index, query, 3))).toMatchObject({ docs: [], scores: [] });
      const asked = searched(index, query, 1, Int32Array.of(2, 0));
      expect(plain(asked)).toMatchObject({ docs: [0, 2], scores: [0, 0] });
    }
  });
});
