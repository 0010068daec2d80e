import { TenbinError } from '../../core/errors.js';

/** Indices by descending value; equal ones keep their order. NaN is an error: it has no place. */
export function byValue(values: readonly number[]): number[] {
  const bad = values.findIndex((value) => Number.isNaN(value));
  if (bad >= 0) {
    throw new TenbinError('not-finite', {
      what: 'A judge gave NaN as a score',
      value: `passage ${bad}`,
      fix: 'Look at what the model answered; a score must be a number or an infinity.',
    });
  }
  // Infinities of one sign are equal: their difference would be NaN.
  return values.map((_, i) => i).sort((a, b) => (values[a] === values[b] ? a - b : values[a] > values[b] ? -1 : 1));
}
