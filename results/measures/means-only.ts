import { TenbinError } from '../../core/errors.js';
import type { Measure } from '../types.js';

/** Boards and comparisons are means of per-query values: a sum or a geometric mean would stand there under a wrong name. */
export function meansOnly(measures: readonly Measure[]): readonly Measure[] {
  const other = measures.find(({ aggregate }) => aggregate !== 'mean');
  if (other === undefined) return measures;
  throw new TenbinError('usage', {
    what: `This measure is a ${other.aggregate === 'sum' ? 'sum' : 'geometric mean'} over queries, and a mean is wanted here`,
    value: `\`${other.name}\``,
    fix: '`tenbin score` gives it for run files; here use for example `AP` or `nDCG@10`.',
  });
}
