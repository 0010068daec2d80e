import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preparedSparse, sparse } from '../../runners/families/sparse.js';
import type { SparseEncoding } from '../../runners/system.js';
import { outputOf, sparseRows } from '../variants/subjects.js';

type Row = readonly (readonly [term: number, weight: number])[];
const blank = (rows: readonly unknown[]) => rows.map(() => '');
const encodingOf = (docs: readonly Row[], queries: readonly Row[], termCount = 10): SparseEncoding => ({
  kind: 'sparse',
  termCount,
  docs: sparseRows(docs),
  queries: sparseRows(queries),
});
const prepare = (docs: readonly Row[], queries: readonly Row[], encoding = encodingOf(docs, queries)) =>
  preparedSparse(outputOf(encoding), { docs: blank(docs), queries: blank(queries) }, 'splade');

const row = fc
  .uniqueArray(fc.nat(9), { maxLength: 6 })
  .chain((terms) =>
    fc
      .array(fc.double({ min: 0.01, max: 4, noNaN: true }), { minLength: terms.length, maxLength: terms.length })
      .map((weights): Row => terms.sort((a, b) => a - b).map((term, i) => [term, weights[i]])),
  );

describe('the sparse family', () => {
  it('scores the dot product of two rows, and finds what shares a term', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 8 }),
        fc.array(row, { minLength: 1, maxLength: 3 }),
        async (docs, queries) => {
          const { index } = prepare(docs, queries);
          for (const [q, query] of queries.entries()) {
            const dots = docs.map((doc) =>
              query.reduce(
                (sum, [term, weight]) => sum + weight * (doc.find(([other]) => other === term)?.[1] ?? 0),
                0,
              ),
            );
            const all = await index.search(q, docs.length, Int32Array.from(docs.keys()));
            all.docs.forEach((doc, i) => void expect(all.scores[i]).toBe(dots[doc]));
            const free = await index.search(q, docs.length);
            expect([...free.docs].sort((a, b) => a - b)).toEqual([...dots.keys()].filter((doc) => dots[doc] > 0));
          }
        },
      ),
    );
  });

  it('keeps what the backend counted and says how many terms are active', () => {
    const prepared = prepare(
      [
        [[1, 1]],
        [],
        [
          [0, 1],
          [2, 1],
          [3, 1],
        ],
      ],
      [
        [
          [1, 2],
          [4, 1],
        ],
      ],
    );
    expect(sparse.id).toBe('sparse');
    expect(prepared).toMatchObject({ encodeWork: { flops: 7 }, modelBytes: 11, applied: [] });
    expect(prepared.index).toBe(prepared.exact);
    expect(prepared.conditions).toMatchObject({
      given: 'by a test',
      'sparse.meanActiveDimsDocs': 4 / 3,
      'sparse.meanActiveDimsQueries': 2,
      scorePrecision: 'float64',
    });
    expect(prepared.index.bytesPerDoc).toBeCloseTo(16, 9);
  });

  it('stands collections without documents, queries and terms', async () => {
    expect((await prepare([], [[[1, 1]]]).index.search(0, 5)).docs).toHaveLength(0);
    const empty = prepare([[], []], [[]]);
    expect((await empty.index.search(0, 5)).docs).toHaveLength(0);
    expect([...(await empty.index.search(0, 5, Int32Array.of(1, 0))).docs]).toEqual([0, 1]);
    expect(prepare([[]], []).conditions).toMatchObject({ 'sparse.meanActiveDimsQueries': 0 });
  });

  it.each<[string, readonly Row[], readonly Row[], RegExp]>([
    [
      'a term twice',
      [
        [[1, 1]],
        [
          [2, 1],
          [2, 1],
        ],
      ],
      [[]],
      /term 2 after term 2 in the document at position 1/,
    ],
    [
      'terms that descend',
      [
        [
          [3, 1],
          [1, 1],
        ],
      ],
      [[]],
      /term 1 after term 3 in the document at position 0/,
    ],
    ['a term that does not exist', [[]], [[], [[10, 1]]], /term 10 of 10 in the query at position 1/],
    ['a negative term', [[[-1, 1]]], [[]], /term -1 after term -1/],
    ['NaN', [[], [], [[4, Number.NaN]]], [[]], /NaN for term 4 of the document at position 2/],
    [
      'infinity',
      [[]],
      [
        [
          [0, 1],
          [7, Number.POSITIVE_INFINITY],
        ],
      ],
      /Infinity for term 7 of the query at position 0/,
    ],
  ])('refuses %s and names the text', (_, docs, queries, message) => {
    expect(() => prepare(docs, queries)).toThrow(message);
  });

  it('refuses rows that are not one for each text', () => {
    const good = encodingOf([[[1, 1]]], [[]]);
    const with_ = (docs: Partial<SparseEncoding['docs']>) => ({ ...good, docs: { ...good.docs, ...docs } });
    const refused = (encoding: SparseEncoding) => expect(() => prepare([[]], [[]], encoding));
    refused(with_({ offsets: Int32Array.of(0, 0, 1) })).toThrow(/2 rows for 1 texts/);
    refused(with_({ offsets: Int32Array.of(0, 2) })).toThrow(/rows from 0 to 2 of 1 entries/);
    refused(with_({ offsets: Int32Array.of(1, 1) })).toThrow(/rows from 1 to 1 of 1 entries/);
    refused(with_({ weights: new Float64Array(2) })).toThrow(/1 terms with 2 weights/);
    refused({ ...good, docBias: new Float64Array(2) }).toThrow(/2 priors for 1 documents/);
    refused({ ...good, docBias: Float64Array.of(Number.NaN) }).toThrow(
      /NaN as the prior of the document at position 0/,
    );
    const three = encodingOf([[[1, 1]], [], []], [[]]);
    const back = { ...three, docs: { ...three.docs, offsets: Int32Array.of(0, 1, 0, 1) } };
    expect(() => prepare([[], [], []], [[]], back)).toThrow(
      /the row of the document at position 1 ends before it starts/,
    );
  });

  it('does not read tensors of another kind', () => {
    const dense = {
      kind: 'dense',
      dims: 1,
      similarity: 'dot',
      docs: new Float32Array(0),
      queries: new Float32Array(0),
    } as const;
    expect(() => preparedSparse(outputOf(dense), { docs: [], queries: [] }, 'given')).toThrow(
      /cannot read dense tensors/,
    );
  });
});
