import { type Call, hasInput, intOf, type Operator, type Product, shapeAt } from '../call.js';
import { elementsOf, unfit } from '../tensor.js';
import { sameShape } from './elementwise.js';

/** Matrices of an expert: the first, the second, and the gate where there is one. */
interface Layout {
  readonly matrices: readonly [number, number, number];
  /** Bits of a weight, where bytes hold several. */
  readonly bitsOf: (call: Call) => number;
}

/** Each token goes through its `k` experts; the router's product is a node of its own. */
function experts({ matrices, bitsOf }: Layout): Operator {
  const products = (call: Call): readonly Product[] => {
    const tokens = shapeAt(call, 0);
    const hidden = tokens.at(-1) ?? 0;
    const rows = elementsOf(tokens.slice(0, -1)) * intOf(call, 'k', 1);
    return matrices
      .filter((input) => hasInput(call, input))
      .map((input) => {
        const packed = shapeAt(call, input);
        const weights = (elementsOf(packed.slice(1)) * 8) / bitsOf(call);
        if (weights % hidden !== 0) throw unfit(`experts of ${weights} weights for ${hidden} values a token`);
        return { part: 'experts', shape: [1, rows, hidden, weights / hidden], factors: [0, input] };
      });
  };
  return { make: sameShape, products };
}

export const expertOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['com.microsoft.MoE', experts({ matrices: [2, 4, 6], bitsOf: () => 8 })],
  ['com.microsoft.QMoE', experts({ matrices: [2, 5, 8], bitsOf: (call) => intOf(call, 'expert_weight_bits', 4) })],
]);
