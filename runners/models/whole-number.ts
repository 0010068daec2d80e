import { TenbinError } from '../../core/errors.js';

export interface WholeRange {
  readonly min: number;
  readonly max: number;
}

/** The whole number that a parameter's text stands for; `shown` is the parameter as it was written, for the error. */
export function wholeIn(text: string, { min, max }: WholeRange, shown: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new TenbinError('usage', {
    what: 'A whole number is wanted',
    value: shown,
    fix: `Write a number from ${min} to ${max}.`,
  });
}
