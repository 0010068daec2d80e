import { rawCodesWork } from '../cost/retrieval.js';
import { bytePass } from '../kernels/byte-pass.js';
import { scanIndex } from '../kernels/dense-index.js';
import { type Linear, rowDots } from '../kernels/dot.js';
import { hakariCodes, rangesOf } from '../kernels/quantize.js';
import { type Arithmetic, arithmeticHere } from '../kernels/wasm-memory.js';
import type { DenseEncoding, Index } from '../system.js';
import { denseVariant } from './variant.js';

/**
 * HAKARI-Bench's int8 (217c872): both sides in codes of the documents' ranges, cut toward zero, and the raw integer dot
 * product as the score. Neither offsets nor scales are undone, so this is not near the float score; it is here to
 * reproduce their numbers. Integers this small are exact in float64.
 */
export const hakariInt8 = denseVariant({
  id: 'int8@hakari',
  change: (encoding) => ({
    index: rawCodeIndex(encoding),
    conditions: {
      'int8.ranges': 'least and greatest of each dimension over the documents',
      'int8.codes': '(value − least) / step − 128 in float32, clipped to −128 … 127, cut toward zero',
      'int8.query': 'coded with the ranges of the documents',
      'int8.score': 'dot product of the codes',
      'int8.work': 'whole numbers only: no scale is applied',
    },
  }),
});

/** The raw dot product of codes: the search of `int8@hakari`. */
export function rawCodeIndex(encoding: DenseEncoding, arithmetic: Arithmetic = arithmeticHere): Index {
  const { dims, docs, queries } = encoding;
  const ranges = rangesOf(encoding);
  const codes = hakariCodes(docs, ranges);
  const dots = rowDots(codes, dims, arithmetic);
  const queryCodes = hakariCodes(queries, ranges);
  const linearOf = (query: number): Linear => {
    const weights = new Float64Array(dims);
    let sum = 0;
    for (let j = 0; j < dims; j++) {
      weights[j] = queryCodes[query * dims + j] - 128;
      sum += weights[j];
    }
    // Σ q·(stored − 128) = Σ q·stored − 128·Σ q
    return { weights, offset: -128 * sum };
  };
  return scanIndex({
    encoding,
    bytesPerDoc: dims,
    sharedBytes: ranges.least.byteLength + ranges.step.byteLength,
    bytesPerQuery: dims,
    workOf: (count) => rawCodesWork(count, dims),
    scorerOf: (query) => {
      const linear = linearOf(query);
      return (among, scores) => dots(linear, among, scores);
    },
    quickPass: () => (arithmetic === 'simd' ? bytePass({ dims, codes, linearOf }) : null),
  });
}
