import type { Linear } from './dot.js';
import { mostGridDims } from './grid.js';
import { byteRows } from './panel-kernel.js';
import { type Coding, panelPass } from './panel-pass.js';
import type { StoreOptions } from './panel-store.js';
import { errorsOf, type QuickPass } from './quick-pass.js';

/** The weights of a linear function of byte rows as 16-bit integers: weights ≈ unit · codes. */
export interface CodedWeights {
  readonly codes: Int16Array;
  readonly unit: number;
  /** |value − offset − unit · (codes · row)| ≤ unit · slack, where value is the float64 sum; NaN where none is known. */
  readonly slack: number;
}

const greatestCode = 32_767;
const greatestByte = 255;

/**
 * With w = u·(a + δ), a whole, |w·c / u − a·c| ≤ 255 · Σ|δ_j| for bytes c; and a·c is exact in 32 bits because
 * 255 · Σ|a_j| stays below 2^31. Whole weights that fit, as those of `int8@hakari`, are their own codes. The float64 sum
 * is off by at most (n + 1)·2^-53 · 255·Σ|w_j|, less than one unit at 65,536 dimensions, and by 2^-53 of itself where
 * the offset is added to it. At most 65,536 weights.
 */
export function codeWeights({ weights, offset }: Linear): CodedWeights {
  const unit = unitFor(weights);
  const codes = new Int16Array(weights.length);
  let rest = 0;
  for (let j = 0; j < codes.length; j++) {
    const x = weights[j] / unit;
    codes[j] = Math.max(-greatestCode, Math.min(greatestCode, Math.round(x)));
    rest += Math.abs(x - codes[j]);
  }
  const ofOffset = Math.abs(offset / unit) * 2 ** -51;
  return { codes, unit, slack: greatestByte * (rest + 1e-6) + ofOffset + 2 };
}

function unitFor(weights: Float64Array): number {
  let sum = 0;
  let greatest = 0;
  for (const weight of weights) {
    sum += Math.abs(weight);
    greatest = Math.max(greatest, Math.abs(weight));
  }
  // Rounding adds at most one half to each code.
  const mostSum = (2 ** 31 - 1) / greatestByte - weights.length / 2 - 1;
  const finest = Math.max(greatest / greatestCode, sum / mostSum);
  if (finest === 0) return 1;
  // Below it the unit itself would be rounded too much. Products of float32 do not come near.
  if (finest < 2 ** -1000) return Number.NaN;
  return finest <= 1 && weights.every(Number.isInteger) ? 1 : finest;
}

export interface ByteSides {
  readonly dims: number;
  readonly codes: Uint8Array;
  readonly linearOf: (query: number) => Linear;
}

/** A quick look at rows of bytes, for any linear function of them. */
export function bytePass(sides: ByteSides, options?: StoreOptions): QuickPass | null {
  const coding = byteCoding(sides);
  return coding === null ? null : panelPass(coding, sides.codes.length / sides.dims, options);
}

/** How the two sides are coded; null where there are more than 65,536 dimensions. */
export function byteCoding({ dims, codes, linearOf }: ByteSides): Coding | null {
  if (dims > mostGridDims) return null;
  const units = Math.ceil(dims / 2);
  const ones = new Float64Array(codes.length / dims).fill(1);
  const writer = (bytes: ArrayBuffer) => {
    const target = new Uint8Array(bytes);
    return (row: number, place: number): void =>
      target.set(codes.subarray(row * dims, (row + 1) * dims), place * units * 2);
  };
  const codeQuery = (query: number, target: Int32Array, at: number) => {
    const coded = codeWeights(linearOf(query));
    new Int16Array(target.buffer).set(coded.codes, 2 * at);
    return coded;
  };
  return { format: byteRows, units, writer, codeQuery, errors: () => errorsOf(ones, ones) };
}
