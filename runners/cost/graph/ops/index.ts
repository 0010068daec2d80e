import type { Operator } from '../call.js';
import { attentionOperators } from './attention.js';
import { convolutionOperators } from './convolutions.js';
import { einsum } from './einsum.js';
import { elementwiseOperators } from './elementwise.js';
import { expertOperators } from './experts.js';
import { fusedOperators } from './fused.js';
import { makingOperators } from './making.js';
import { productOperators } from './products.js';
import { rearrangingOperators } from './rearranging.js';
import { reducingOperators } from './reducing.js';
import { selectingOperators } from './selecting.js';

/** By name, with the domain in front where it is not ONNX's own. A new operator is a line in its group's table. */
export const operators: ReadonlyMap<string, Operator> = new Map([
  ...elementwiseOperators,
  ...rearrangingOperators,
  ...selectingOperators,
  ...makingOperators,
  ...reducingOperators,
  ...fusedOperators,
  ...productOperators,
  ...convolutionOperators,
  ...attentionOperators,
  ...expertOperators,
  ['Einsum', einsum] as const,
]);
