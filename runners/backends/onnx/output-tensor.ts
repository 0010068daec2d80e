import { TenbinError } from '../../../core/errors.js';
import { fromHalf } from './half.js';
import type { Tensor } from './runtime.js';

/** A graph's output in float32, row-major. */
export interface OutputTensor {
  readonly values: Float32Array;
  readonly dims: readonly number[];
}

/** float16 is widened before anything is computed with it. */
export function outputTensor(name: string, tensor: Tensor): OutputTensor {
  const { data, dims } = tensor;
  if (data instanceof Float32Array) return { values: data, dims };
  if (data instanceof Uint16Array && tensor.type === 'float16') return { values: fromHalf(data), dims };
  throw new TenbinError('refused', {
    what: 'The graph gives its output in a number format that tenbin does not read',
    value: `${name}: ${tensor.type}`,
    fix: 'Export it with outputs in float32 or float16.',
  });
}
