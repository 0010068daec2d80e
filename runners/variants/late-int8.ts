import { maxSimInt8Index } from '../kernels/max-sim-index.js';
import { lateVariant } from './variant.js';

/** One byte per dimension of a document's token vectors; the query stays float32. */
export const lateInt8 = lateVariant({
  id: 'int8',
  change: (encoding) => ({
    index: maxSimInt8Index(encoding),
    conditions: {
      'int8.ranges': 'least and greatest of each dimension over the token vectors of the documents',
      'int8.codes': 'nearest of 256 levels, clipped',
      'int8.query': 'float32, not quantized',
      'int8.score': 'MaxSim of q·(least + step·code), float64 sums',
    },
  }),
});
