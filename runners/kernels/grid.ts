/**
 * Vectors rounded to multiples of a unit that fit 16 bits, for quick looks with whole numbers. Sums of products of two
 * such vectors are exact: their lengths are at most 46,000 + √dims / 2 each, so by Cauchy and Schwarz no sum of products,
 * whole or partial, reaches 2^31 while there are at most 65,536 dimensions (46,128² < 2^31).
 */
const gridLength = 46_000;
const greatestCode = 32_767;
/** Beyond it neither these sums nor those of bytes are sure to fit 32 bits. */
export const mostGridDims = 65_536;

/** A vector x and its codes b, where x ≈ unit · b. Zero vectors have unit 0; of one that is not finite nothing is known. */
export interface OnGrid {
  readonly unit: number;
  /** |b| */
  readonly length: number;
  /** An upper bound of |x / unit − b|; NaN where nothing is known. */
  readonly residual: number;
}

/** The finest unit in which the vector that starts there fits; NaN or infinite where it is not finite. */
export function finestUnit(vectors: Float32Array, start: number, dims: number): number {
  let squares = 0;
  let greatest = 0;
  for (let i = start; i < start + dims; i++) {
    const x = vectors[i];
    squares += x * x;
    greatest = Math.max(greatest, Math.abs(x));
  }
  return Math.max(Math.sqrt(squares) / gridLength, greatest / greatestCode);
}

export interface GridTarget {
  readonly codes: Int16Array;
  readonly at: number;
}

/** Writes the codes of the vector that starts there, in multiples of a unit no finer than its finest. */
export function roundToGrid(
  { vectors, start, dims }: { readonly vectors: Float32Array; readonly start: number; readonly dims: number },
  unit: number,
  { codes, at }: GridTarget,
): OnGrid {
  if (!(unit > 0)) {
    codes.fill(0, at, at + dims);
    return { unit, length: 0, residual: unit === 0 ? 0 : Number.NaN };
  }
  const perUnit = 1 / unit;
  let squares = 0;
  let rest = 0;
  for (let j = 0; j < dims; j++) {
    const x = vectors[start + j] * perUnit;
    // The finest unit itself is rounded, so that the greatest code may come out one too great.
    const code = Math.max(-greatestCode, Math.min(greatestCode, Math.round(x)));
    codes[at + j] = code;
    squares += code * code;
    rest += (x - code) * (x - code);
  }
  // x is known to 2^-52 of at most 2^15, which is far below the millionth added for it.
  return { unit, length: Math.sqrt(squares), residual: Math.sqrt(rest) * (1 + 1e-9) + 1e-6 };
}
