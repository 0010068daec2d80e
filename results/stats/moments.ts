/** Numbers nearer than this are one number: the same numbers added in another order. For values above 1, times the largest. */
export const tolerance = 1e-12;

export interface Moments {
  readonly n: number;
  /** In the unit of the values; null for none. */
  readonly mean: number | null;
  /** With n − 1; null below two values. */
  readonly sd: number | null;
  /** The spread is rounding noise or nothing, so nothing may be divided by it. True below two values. */
  readonly isConstant: boolean;
}

/** Mean and standard deviation in two passes; values up to the largest double do not overflow. The values are finite. */
export function moments(values: Float64Array): Moments {
  const n = values.length;
  if (n === 0) return { n, mean: null, sd: null, isConstant: true };
  const unit = powerOfTwo(values);
  const middle = scaledMean(values, unit);
  if (n === 1) return { n, mean: values[0], sd: null, isConstant: true };
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value / unit - middle) ** 2, 0) / (n - 1));
  return { n, mean: middle * unit, sd: sd * unit, isConstant: sd <= tolerance * Math.max(1 / unit, 1) };
}

/** The mean in units of `unit`; of equal values the value itself, whatever the rounding of their sum. */
function scaledMean(values: Float64Array, unit: number): number {
  if (values.every((value) => value === values[0])) return values[0] / unit;
  return values.reduce((sum, value) => sum + value / unit, 0) / values.length;
}

/** The power of two below the largest magnitude: dividing by it changes no digit. 1 where all are 0. */
export function powerOfTwo(values: Float64Array): number {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return largest === 0 ? 1 : 2 ** Math.max(-1000, Math.floor(Math.log2(largest)));
}
