import { fixed } from '../../core/numbers.js';
import type { Estimate } from '../board-types.js';
import { hasTieRange } from './standing.js';

/** The part of the measure that a column's bars show. */
export interface Scale {
  readonly from: number;
  readonly to: number;
}

/** One scale for all estimates of a column: from the lowest to the highest end, widened to steps of 0.05. */
export function scaleOf(estimates: readonly (Estimate | undefined)[]): Scale {
  const ends = estimates.flatMap((e) => (e?.value == null ? [] : [e.low ?? e.value, e.high ?? e.value]));
  if (ends.length === 0) return { from: 0, to: 1 };
  const from = Math.floor(Math.min(...ends) * 20) / 20;
  return { from, to: Math.max(from + 0.05, Math.ceil(Math.max(...ends) * 20) / 20) };
}

export function scaleText({ from, to }: Scale): string {
  return `${from.toFixed(2)}–${to.toFixed(2)}`;
}

/** A number with its interval on the column's scale, and the tie range where it shows. html-script.ts redraws the same parts. */
export function estimateCell(estimate: Estimate | undefined, scale: Scale, attributes = ''): string {
  if (estimate === undefined || estimate.value === null) {
    return `<td class="est none"${attributes}><span class="num">–</span>${bar()}<small></small></td>`;
  }
  const { value, low, high } = estimate;
  const at = (x: number) => (2 + (80 * (x - scale.from)) / (scale.to - scale.from)).toFixed(1);
  const whole = low !== null && high !== null;
  const drawing = bar({
    label: whole ? `95 % interval ${fixed(low, 3)} to ${fixed(high, 3)}` : 'no interval',
    range: whole ? `M${at(low)} 6H${at(high)}` : '',
    mark: `M${at(value)} 1V11`,
  });
  const ties = hasTieRange(estimate) ? `ties ${fixed(estimate.min, 3)}–${fixed(estimate.max, 3)}` : '';
  return `<td class="est"${attributes}><span class="num">${fixed(value, 3)}</span>${drawing}<small>${ties}</small></td>`;
}

function bar({ label, range, mark } = { label: 'undefined', range: '', mark: '' }): string {
  return (
    `<svg viewBox="0 0 84 12" role="img" aria-label="${label}"><title>${label}</title><path class="track" d="M2 6H82"/>` +
    `<path class="ci" d="${range}"/><path class="value" d="${mark}"/></svg>`
  );
}
