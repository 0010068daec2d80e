import { TenbinError } from '../../core/errors.js';

/** The number itself where it is a whole number that a double holds exactly; never a rounded one. */
export function exact(figure: string, value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw new TenbinError('refused', {
    what: `The number of ${figure} is beyond what is counted exactly (2^53)`,
    value: String(value),
    fix: 'Give fewer tokens, a smaller batch or a smaller model.',
  });
}
