import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InvertedIndexParts, invertedIndex } from '../../runners/kernels/inverted-index.js';
import { transposed } from '../../runners/kernels/sparse-rows.js';
import type { SparseRows } from '../../runners/system.js';

type Row = ReadonlyMap<number, number>;

function sparse(rows: readonly Row[]): SparseRows {
  const sorted = rows.map((row) => [...row].sort(([a], [b]) => a - b));
  const offsets = new Int32Array(rows.length + 1);
  sorted.forEach((row, i) => {
    offsets[i + 1] = offsets[i] + row.length;
  });
  return {
    offsets,
    terms: Int32Array.from(sorted.flatMap((row) => row.map(([term]) => term))),
    weights: Float64Array.from(sorted.flatMap((row) => row.map(([, weight]) => weight))),
  };
}

const termCount = 8;
const rowOf = (weight: fc.Arbitrary<number>) =>
  fc.array(fc.tuple(fc.nat(termCount - 1), weight), { maxLength: 6 }).map((pairs): Row => new Map(pairs));
const positive = fc.oneof(fc.constantFrom(0, 0.1, 0.2, 0.25, 1, 3), fc.double({ min: 0, max: 100, noNaN: true }));
const anySign = fc.oneof(positive, fc.constantFrom(-0.1, -1, -3, Number.POSITIVE_INFINITY));

interface Case {
  readonly docs: readonly Row[];
  readonly query: Row;
  readonly bias: readonly number[] | undefined;
  readonly k: number;
  readonly among: readonly number[];
}

const cases = (weight: fc.Arbitrary<number>, maxDocs: number): fc.Arbitrary<Case> =>
  fc.array(rowOf(weight), { minLength: 1, maxLength: maxDocs }).chain((docs) =>
    fc.record({
      docs: fc.constant(docs),
      query: rowOf(weight),
      bias: fc.option(fc.array(fc.constantFrom(-3, -1.5, 0, 0.5), { minLength: docs.length, maxLength: docs.length }), {
        nil: undefined,
      }),
      k: fc.nat(maxDocs + 2),
      among: fc.shuffledSubarray([...docs.keys()]),
    }),
  );

function indexOf({ docs, query, bias }: Case) {
  const parts: InvertedIndexParts = {
    docCount: docs.length,
    postings: transposed(sparse(docs), termCount),
    // The query stands second, so that its offset is not zero.
    queries: sparse([new Map([[0, 1]]), query]),
    docBias: bias === undefined ? undefined : Float64Array.from(bias),
    sharedBytes: 0,
  };
  return invertedIndex(parts);
}

/** Dot products by definition, summed in term order from zero, then the bias. */
function naive({ docs, query, bias, k }: Case, among: readonly number[] | undefined) {
  const terms = [...query].sort(([a], [b]) => a - b);
  const mass = terms.reduce((sum, [, weight]) => sum + weight, 0);
  const dot = (doc: number) =>
    terms.reduce((sum, [term, weight]) => (docs[doc].has(term) ? sum + weight * (docs[doc].get(term) ?? 0) : sum), 0);
  const found = among ?? [...docs.keys()].filter((doc) => dot(doc) !== 0);
  const rows = found.map((doc) => ({ doc, score: bias === undefined ? dot(doc) : dot(doc) + mass * bias[doc] }));
  if (rows.some(({ score }) => Number.isNaN(score))) return undefined;
  rows.sort((a, b) => (a.score === b.score ? a.doc - b.doc : a.score > b.score ? -1 : 1));
  const last = k === 0 ? undefined : rows.at(Math.min(k, rows.length) - 1);
  return rows.filter(({ score }) => last !== undefined && score >= last.score);
}

async function expectNaive(theCase: Case): Promise<void> {
  const index = indexOf(theCase);
  const posted = [...theCase.query.keys()].reduce(
    (sum, term) => sum + theCase.docs.filter((row) => row.has(term)).length,
    0,
  );
  // Twice over: a search must leave no trace in the scratch of the next one.
  for (const among of [undefined, theCase.among, undefined, theCase.among]) {
    const expected = naive(theCase, among);
    const search = async () => index.search(1, theCase.k, among === undefined ? undefined : Int32Array.from(among));
    if (expected === undefined) {
      if (theCase.k > 0) await expect(search()).rejects.toThrow('not a number');
      continue;
    }
    const hits = await search();
    expect([...hits.docs]).toEqual(expected.map(({ doc }) => doc));
    expect([...hits.scores]).toEqual(expected.map(({ score }) => score));
    expect(hits.work).toEqual({ postings: posted });
  }
}

describe('invertedIndex', () => {
  it('finds what the dot products of a whole scan give', async () => {
    await fc.assert(fc.asyncProperty(cases(positive, 12), expectNaive), { numRuns: 300 });
  });

  it('finds it with weights of any sign and infinite ones, too', async () => {
    await fc.assert(fc.asyncProperty(cases(anySign, 12), expectNaive), { numRuns: 300 });
  });

  it('finds it where postings are few among many documents, and where k cuts deep into them', async () => {
    const many = fc.record({ filler: fc.integer({ min: 50, max: 300 }), theCase: cases(positive, 40) });
    await fc.assert(
      fc.asyncProperty(many, async ({ filler, theCase }) => {
        const empty = Array.from({ length: filler }, (): Row => new Map());
        const bias = theCase.bias === undefined ? undefined : [...theCase.bias, ...empty.map(() => -1)];
        await expectNaive({ ...theCase, docs: [...theCase.docs, ...empty], bias });
        await expectNaive({ ...theCase, docs: [...theCase.docs, ...empty], bias, k: 3 });
      }),
      { numRuns: 150 },
    );
  });

  it('counts 12 bytes a posting, 8 more a document for a bias', () => {
    const docs = [
      new Map([[1, 1]]),
      new Map([
        [1, 1],
        [2, 2],
      ]),
      new Map(),
    ];
    const plain = { docs, query: new Map(), bias: undefined, k: 1, among: [] };
    expect(indexOf(plain).bytesPerDoc).toBe((3 * 12) / 3);
    expect(indexOf({ ...plain, bias: [0, 0, 0] }).bytesPerDoc).toBe((3 * 12) / 3 + 8);
    expect(indexOf(plain).bytes).toBeGreaterThan(3 * 12);
  });

  it('holds no documents, and finds none', async () => {
    const empty = indexOf({ docs: [], query: new Map(), bias: undefined, k: 1, among: [] });
    expect([...(await empty.search(1, 10)).docs]).toEqual([]);
    expect(empty.bytesPerDoc).toBe(0);
  });
});
