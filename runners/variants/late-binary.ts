import { maxSimBinaryIndex } from '../kernels/max-sim-index.js';
import { lateVariant } from './variant.js';

/** One bit per dimension of every token vector. */
export const lateBinary = lateVariant({
  id: 'binary',
  looksAt: 'documents',
  change: (encoding) => ({
    index: maxSimBinaryIndex(encoding),
    conditions: {
      'binary.bits': 'value > 0, documents and queries alike',
      'binary.score': 'MaxSim of (dims − 2·differing bits) / dims, the cosine of vectors of ±1',
    },
  }),
});
