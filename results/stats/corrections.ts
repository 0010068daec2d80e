import { TenbinError } from '../../core/errors.js';

export const corrections = ['bonferroni', 'holm', 'hochberg', 'bh', 'by', 'none'] as const;
export type Correction = (typeof corrections)[number];

/** The adjusted p of the p-values in ascending order. */
const adjustments: Readonly<Record<Correction, (ascending: readonly number[]) => readonly number[]>> = {
  none: (p) => p,
  bonferroni: (p) => p.map((each) => Math.min(1, p.length * each)),
  holm: (p) => risingFromFirst(p.map((each, i) => Math.min(1, (p.length - i) * each))),
  hochberg: (p) => fallingFromLast(p.map((each, i) => (p.length - i) * each)),
  bh: (p) => fallingFromLast(p.map((each, i) => (p.length * each) / (i + 1))),
  by: (p) => {
    const harmonic = p.reduce((sum, _, i) => sum + 1 / (i + 1), 0);
    return fallingFromLast(p.map((each, i) => (p.length * harmonic * each) / (i + 1)));
  },
};

/**
 * p-values corrected over their family, in the order given. Bonferroni, Holm (1979) and Hochberg (1988) hold the chance
 * of one false finding, BH (Benjamini and Hochberg 1995) and BY (Benjamini and Yekutieli 2001, under any dependence) the
 * share of false ones. A p outside [0, 1] is `refused`, NaN is `not-finite`.
 */
export function adjust(pValues: readonly number[], correction: Correction): readonly number[] {
  pValues.forEach(requireP);
  const order = [...pValues.keys()].sort((i, j) => pValues[i] - pValues[j]);
  const ascending = adjustments[correction](order.map((i) => pValues[i]));
  const adjusted = new Array<number>(pValues.length);
  order.forEach((i, place) => {
    adjusted[i] = ascending[place];
  });
  return adjusted;
}

function risingFromFirst(values: readonly number[]): readonly number[] {
  let most = 0;
  return values.map((value) => {
    most = Math.max(most, value);
    return most;
  });
}

function fallingFromLast(values: readonly number[]): readonly number[] {
  let least = 1;
  return values
    .map((_, i) => {
      least = Math.min(least, values[values.length - 1 - i]);
      return least;
    })
    .reverse();
}

function requireP(p: number, position: number): void {
  if (p >= 0 && p <= 1) return;
  throw new TenbinError(Number.isNaN(p) ? 'not-finite' : 'refused', {
    what: 'A p-value lies between 0 and 1',
    value: `${p} at position ${position}`,
    fix: 'Leave comparisons without a p out of the family.',
  });
}
