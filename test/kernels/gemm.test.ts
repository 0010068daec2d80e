import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gemm, openGemm } from '../../runners/backends/gemm/index.js';
import { nested, text, whole } from '../../runners/backends/gemm/protobuf.js';
import { exactIndex } from '../../runners/kernels/dense-index.js';
import type { DenseEncoding } from '../../runners/system.js';
import { naiveDot, naiveSearch, plain, vectorsOf } from './vectors.js';

describe('fields of a Protocol Buffers message', () => {
  it('are those of the encoding guide', () => {
    // 08 96 01 is field 1 with 150, 12 07 … field 2 with "testing": the guide's own examples.
    expect([...whole(1, 150)]).toEqual([0x08, 0x96, 0x01]);
    expect([...text(2, 'testing')]).toEqual([0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]);
    expect([...nested(3, whole(1, 150))]).toEqual([0x1a, 0x03, 0x08, 0x96, 0x01]);
    expect([...whole(20, 2 ** 40)]).toEqual([0xa0, 0x01, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20]);
    expect(nested(1, new Uint8Array(300)).slice(0, 3)).toEqual(Uint8Array.of(0x0a, 0xac, 0x02));
  });
});

describe('matrix products of ONNX Runtime', () => {
  let gemm: Gemm;
  beforeAll(async () => {
    gemm = await openGemm(1);
  });
  afterAll(() => gemm.close());

  it.each([
    [1, 1, 1],
    [3, 5, 7],
    [65, 9, 384],
  ])('%i queries and %i rows of %i dimensions', async (queryCount, rowCount, dims) => {
    const queries = vectorsOf(1, queryCount, dims, { kinds: ['normal'], copies: 0 });
    const rows = vectorsOf(2, rowCount, dims, { kinds: ['normal'], copies: 0 });
    const scores = await gemm.scoreBlocks(queries, rows, dims);
    expect(scores).toHaveLength(queryCount * rowCount);
    scores.forEach((score, at) => {
      const [q, r] = [Math.floor(at / rowCount) * dims, (at % rowCount) * dims];
      expect(Math.abs(score - naiveDot(queries, q, rows, r, dims))).toBeLessThan(1e-3);
    });
  });

  it('take vectors that threads share', async () => {
    const shared = new Float32Array(new SharedArrayBuffer(16));
    shared.set([1, 2, 3, 4]);
    expect([...(await gemm.scoreBlocks(shared.subarray(0, 2), shared.subarray(2), 2))]).toEqual([11]);
  });

  it('lead to the same hits as the kernels and as plain loops', async () => {
    const dims = 48;
    for (const kind of ['normal', 'cancelling', 'spiked', 'mixed lengths', 'huge'] as const) {
      const docs = vectorsOf(3, 900, dims, { kinds: [kind], copies: 2 });
      const queries = vectorsOf(4, 30, dims, { kinds: [kind, 'normal', 'zero'], copies: 0 });
      const encoding: DenseEncoding = { kind: 'dense', dims, similarity: 'dot', docs, queries };
      const asked = Int32Array.from({ length: 30 }, (_, query) => query);
      const expected = Array.from(asked, (query) => naiveSearch(encoding, query, 10));
      const { scoreBlocks } = gemm;
      for (const options of [{ scoreBlocks }, {}, { arithmetic: 'scalar' as const }]) {
        expect((await exactIndex(encoding, options).searchBlock?.(asked, 10))?.map(plain)).toEqual(expected);
      }
    }
  });
});
