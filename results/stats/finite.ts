import { TenbinError } from '../../core/errors.js';

/** Refuses NaN and infinities (`not-finite`), naming the position: a mean over them says nothing. */
export function requireFinite(values: ArrayLike<number>, name: string): void {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) throw notFinite(values[i], i, name);
}

/** Refuses NaN (`not-finite`): it has no rank. Infinities order as numbers. */
export function requireOrdered(values: ArrayLike<number>, name: string): void {
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) throw notFinite(values[i], i, name);
}

/** Refuses a number outside (0, 1), both ends excluded (`refused`). */
export function requireShare(value: number, name: string): void {
  if (value > 0 && value < 1) return;
  throw new TenbinError('refused', {
    what: `The ${name} lies strictly between 0 and 1`,
    value: String(value),
    fix: 'Write it as a fraction, such as 0.95.',
  });
}

/** Refuses lists that do not go together place by place (`refused`). */
export function requireSameLength(a: ArrayLike<unknown>, b: ArrayLike<unknown>): void {
  if (a.length === b.length) return;
  throw new TenbinError('refused', {
    what: 'Two lists are compared place by place and have different lengths',
    value: `${a.length} and ${b.length}`,
    fix: 'Pass the same items in the same order on both sides.',
  });
}

function notFinite(value: number, position: number, name: string): TenbinError {
  return new TenbinError('not-finite', {
    what: `The ${name} must be finite numbers`,
    value: `${value} at position ${position}`,
    fix: 'Find the query that has this value: its measure is undefined or its run is damaged.',
  });
}
