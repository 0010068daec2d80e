import { mostGridDims } from './grid.js';
import { wordsFor } from './hamming.js';
import { bitRows } from './panel-kernel.js';
import { type Coding, panelPass } from './panel-pass.js';
import type { StoreOptions } from './panel-store.js';
import { errorsOf, type QuickPass } from './quick-pass.js';

export interface BitSides {
  readonly dims: number;
  readonly docBits: Int32Array;
  readonly queryBits: Int32Array;
}

/** Minus the Hamming distance of sign bits (see `signBits`), which is not near the score but the score. */
export function bitPass(sides: BitSides, options?: StoreOptions): QuickPass | null {
  const coding = bitCoding(sides);
  return coding === null ? null : panelPass(coding, sides.docBits.length / coding.units, options);
}

/** How the two sides are coded; null where there are more than 65,536 dimensions. */
export function bitCoding({ dims, docBits, queryBits }: BitSides): Coding | null {
  if (dims > mostGridDims) return null;
  const units = wordsFor(dims);
  const ones = new Float64Array(docBits.length / units).fill(1);
  const writer = (bytes: ArrayBuffer) => {
    const target = new Int32Array(bytes);
    return (row: number, place: number): void =>
      target.set(docBits.subarray(row * units, (row + 1) * units), place * units);
  };
  const codeQuery = (query: number, target: Int32Array, at: number) => {
    target.set(queryBits.subarray(query * units, (query + 1) * units), at);
    return { unit: 1, slack: 0 };
  };
  return { format: bitRows, units, writer, codeQuery, errors: () => errorsOf(ones, ones) };
}
