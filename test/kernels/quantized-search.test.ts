import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hits, Index } from '../../runners/system.js';
import { hammingIndex } from '../../runners/variants/binary.js';
import { nearestIndex } from '../../runners/variants/int8.js';
import { rawCodeIndex } from '../../runners/variants/int8-hakari.js';
import { corpora, plain, vectorsOf } from './vectors.js';

const indexes = { int8: nearestIndex, 'int8@hakari': rawCodeIndex, binary: hammingIndex } as const;
const searched = (index: Index, query: number, k: number) => plain(index.search(query, k) as Hits);

describe.each(['int8', 'int8@hakari', 'binary'] as const)('search of %s', (name) => {
  const indexOf = indexes[name];

  it('by kernels is that of the plain loops, to the last bit, alone and in blocks', async () => {
    await fc.assert(
      fc.asyncProperty(corpora, async ({ encoding, k }) => {
        const [quick, scalar] = [indexOf(encoding), indexOf(encoding, 'scalar')];
        const queries = Int32Array.from({ length: encoding.queries.length / encoding.dims }, (_, query) => query);
        const expected = Array.from(queries, (query) => searched(scalar, query, k));
        expect(Array.from(queries, (query) => searched(quick, query, k))).toEqual(expected);
        expect((await quick.searchBlock?.(queries, k))?.map(plain)).toEqual(expected);
        expect((await scalar.searchBlock?.(queries, k))?.map(plain)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  it('does so for 1,200 documents and 70 queries of 300 dimensions', async () => {
    const dims = 300;
    const docs = vectorsOf(11, 1200, dims, { kinds: ['normal'], copies: 1 });
    const queries = vectorsOf(12, 70, dims, { kinds: ['normal'], copies: 0 });
    const encoding = { kind: 'dense', dims, similarity: 'dot', docs, queries } as const;
    const asked = Int32Array.from({ length: 70 }, (_, query) => query);
    const [quick, scalar] = [indexOf(encoding), indexOf(encoding, 'scalar')];
    const expected = Array.from(asked, (query) => searched(scalar, query, 10));
    expect((await quick.searchBlock?.(asked, 10))?.map(plain)).toEqual(expected);
  });
});
