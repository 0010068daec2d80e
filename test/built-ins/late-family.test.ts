import { describe, expect, it } from 'vitest';
import { lateInteraction, preparedLate } from '../../runners/families/late-interaction.js';
import type { LateInteractionEncoding } from '../../runners/system.js';
import { outputOf, tokenRows } from '../variants/subjects.js';

const blank = (rows: readonly unknown[]) => rows.map(() => '');
function prepare(docs: readonly (readonly number[])[], queries: readonly (readonly number[])[], changed = {}) {
  const encoding: LateInteractionEncoding = {
    kind: 'late-interaction',
    dims: 2,
    docs: tokenRows(docs, 2),
    queries: tokenRows(queries, 2),
    ...changed,
  };
  return preparedLate(outputOf(encoding), { docs: blank(docs), queries: blank(queries) }, 'colbert');
}

describe('the late-interaction family', () => {
  it('scores the sum over query vectors of the greatest dot product', async () => {
    const { index } = prepare(
      [
        [1, 0, 0, 1],
        [0.6, 0.8],
        [-1, 0],
      ],
      [
        [1, 0, 0, 2],
        [0, -1],
      ],
    );
    const hits = await index.search(0, 3);
    expect([...hits.docs]).toEqual([0, 1, 2]);
    expect([...hits.scores]).toEqual([3, expect.closeTo(0.6 + 1.6, 6), -1]);
    const second = await index.search(1, 3);
    // The best of two is 0, not -1: a maximum of negatives stays negative only where all are.
    expect([...second.scores]).toEqual([0, 0, expect.closeTo(-0.8, 6)]);
  });

  it('keeps what the backend counted and says how many vectors there are', () => {
    const prepared = prepare([[1, 0, 0, 1], [], [0, 1]], [[1, 0, 0, 1, 1, 1]]);
    expect(lateInteraction.id).toBe('late-interaction');
    expect(prepared).toMatchObject({ encodeWork: { flops: 7 }, modelBytes: 11, applied: [] });
    expect(prepared.index).toBe(prepared.exact);
    expect(prepared.conditions).toMatchObject({
      given: 'by a test',
      'late.dims': 2,
      'late.meanVectorsDocs': 1,
      'late.meanVectorsQueries': 3,
    });
  });

  it('finds no document without vectors, and nothing for a query without', async () => {
    const { index } = prepare([[], [1, 0]], [[1, 0], []]);
    expect([...(await index.search(0, 5)).docs]).toEqual([1]);
    expect([...(await index.search(0, 5, Int32Array.of(0, 1))).docs]).toEqual([1, 0]);
    expect((await index.search(1, 5)).docs).toHaveLength(0);
    expect((await prepare([], [[1, 0]]).index.search(0, 5)).docs).toHaveLength(0);
  });

  it.each<[string, readonly (readonly number[])[], readonly (readonly number[])[], RegExp]>([
    ['NaN', [[], [1, 0], [1, 0, 0, Number.NaN]], [[]], /NaN in dimension 1 of vector 1 of the document at position 2/],
    [
      'infinity',
      [[1, 0]],
      [[], [], [Number.NEGATIVE_INFINITY, 0]],
      /-Infinity in dimension 0 of vector 0 of the query at position 2/,
    ],
  ])('refuses %s and names the text', (_, docs, queries, message) => {
    expect(() => prepare(docs, queries)).toThrow(message);
  });

  it('refuses matrices of a wrong size', () => {
    const vectors = new Float32Array(3);
    expect(() => prepare([[]], [[]], { docs: { offsets: Int32Array.of(0, 1), vectors } })).toThrow(
      /rows from 0 to 1 of 1.5 entries/,
    );
    expect(() =>
      prepare([[1, 0]], [[]], {
        docs: tokenRows(
          [
            [1, 0],
            [1, 0],
          ],
          2,
        ),
      }),
    ).toThrow(/2 rows for 1 texts/);
    expect(() => prepare([[]], [[]], { dims: 0 })).toThrow(/vectors without dimensions: 0/);
  });

  it('does not read tensors of another kind', () => {
    const dense = {
      kind: 'dense',
      dims: 1,
      similarity: 'dot',
      docs: new Float32Array(0),
      queries: new Float32Array(0),
    } as const;
    expect(() => preparedLate(outputOf(dense), { docs: [], queries: [] }, 'given')).toThrow(
      /cannot read dense tensors/,
    );
  });
});
