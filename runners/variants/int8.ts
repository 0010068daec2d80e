import { TenbinError } from '../../core/errors.js';
import type { Plugin } from '../../core/registry.js';
import { denseWork } from '../cost/retrieval.js';
import { bytePass } from '../kernels/byte-pass.js';
import { scanIndex } from '../kernels/dense-index.js';
import { type Linear, rowDots } from '../kernels/dot.js';
import { nearestCodes, rangesOf } from '../kernels/quantize.js';
import { type Arithmetic, arithmeticHere } from '../kernels/wasm-memory.js';
import type { DenseEncoding, Index, Variant } from '../system.js';
import { hakariInt8 } from './int8-hakari.js';
import { denseVariant } from './variant.js';

/**
 * One byte per dimension. The query stays float32: with value ≈ least + step · code, the float dot product is
 * Σ q·least + Σ (q·step) · code, so the offset and the scale are both undone and the score is close to the float one.
 */
export const int8: Plugin<Variant> = {
  name: 'int8',
  summary:
    'documents in 8-bit codes of each dimension’s own range, nearest level; float query, offsets and scales undone. ' +
    'int8@hakari: HAKARI-Bench’s raw dot product of truncated codes',
  bind: (argument) => {
    if (argument === 'hakari') return hakariInt8;
    if (argument === undefined) return nearestInt8;
    throw new TenbinError('usage', {
      what: 'int8 knows one other way, hakari',
      value: `int8@${argument}`,
      fix: 'Write `int8` or `int8@hakari`.',
    });
  },
};

const nearestInt8 = denseVariant({
  id: 'int8',
  change: (encoding) => ({
    index: nearestIndex(encoding),
    conditions: {
      'int8.ranges': 'least and greatest of each dimension over the documents',
      'int8.codes': 'nearest of 256 levels, clipped',
      'int8.query': 'float32, not quantized',
      'int8.score': 'sum of q·(least + step·code), float64 sums',
    },
  }),
});

/** Documents in the nearest of 256 levels: the search of `int8`. */
export function nearestIndex(encoding: DenseEncoding, arithmetic: Arithmetic = arithmeticHere): Index {
  const { dims, docs, queries } = encoding;
  const ranges = rangesOf(encoding);
  const codes = nearestCodes(docs, ranges);
  const dots = rowDots(codes, dims, arithmetic);
  const linearOf = (query: number): Linear => {
    const weights = new Float64Array(dims);
    let offset = 0;
    for (let j = 0; j < dims; j++) {
      weights[j] = queries[query * dims + j] * ranges.step[j];
      offset += queries[query * dims + j] * ranges.least[j];
    }
    return { weights, offset };
  };
  return scanIndex({
    encoding,
    bytesPerDoc: dims,
    sharedBytes: ranges.least.byteLength + ranges.step.byteLength,
    bytesPerQuery: 4 * dims,
    workOf: (count) => denseWork(count, dims),
    scorerOf: (query) => {
      const linear = linearOf(query);
      return (among, scores) => dots(linear, among, scores);
    },
    quickPass: () => (arithmetic === 'simd' ? bytePass({ dims, codes, linearOf }) : null),
  });
}
