import { noArgument, type Plugin } from '../../core/registry.js';
import { hammingWork } from '../cost/retrieval.js';
import { bitPass } from '../kernels/bit-pass.js';
import { scanIndex } from '../kernels/dense-index.js';
import { negatedHamming, signBits, wordsFor } from '../kernels/hamming.js';
import { type Arithmetic, arithmeticHere } from '../kernels/wasm-memory.js';
import type { DenseEncoding, Index, Variant } from '../system.js';
import { denseVariant } from './variant.js';

/** One bit per dimension on both sides. There are at most dims + 1 different scores, so ties are the rule. */
export const binary: Plugin<Variant> = {
  name: 'binary',
  summary: 'sign bits of documents and queries; the score is minus the Hamming distance',
  bind: (argument) => {
    noArgument('binary', argument);
    return signVariant;
  },
};

const signVariant = denseVariant({
  id: 'binary',
  looksAt: 'documents',
  change: (encoding) => ({
    index: hammingIndex(encoding),
    conditions: { 'binary.bits': 'value > 0, documents and queries alike', 'binary.score': 'minus Hamming distance' },
  }),
});

/** Minus the Hamming distance of sign bits: the search of `binary`. */
export function hammingIndex(encoding: DenseEncoding, arithmetic: Arithmetic = arithmeticHere): Index {
  const { dims, docs, queries } = encoding;
  const words = wordsFor(dims);
  const docBits = signBits(docs, dims);
  const queryBits = signBits(queries, dims);
  return scanIndex({
    encoding,
    bytesPerDoc: 4 * words,
    sharedBytes: 0,
    bytesPerQuery: 4 * words,
    workOf: (count) => hammingWork(count, dims),
    scorerOf: (query) => {
      const bits = queryBits.subarray(query * words, (query + 1) * words);
      return (among, scores) => negatedHamming(bits, docBits, among, scores);
    },
    quickPass: () => (arithmetic === 'simd' ? bitPass({ dims, docBits, queryBits }) : null),
  });
}
