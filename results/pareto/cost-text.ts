import { bytesText } from '../../core/numbers.js';
import type { CostUnit } from './types.js';

const prefixes = ['', ' k', ' M', ' G', ' T', ' P', ' E'];

/** Three figures and an SI prefix: 2347000 → `2.35 M`, 999999 → `1 M`. */
export function compact(value: number): string {
  const rounded = Number(value.toPrecision(3));
  const power = Math.max(
    0,
    prefixes.findLastIndex((_, i) => rounded >= 1000 ** i),
  );
  const scaled = rounded / 1000 ** power;
  return `${Number.isInteger(scaled) && scaled < 1000 ? scaled : scaled.toPrecision(3)}${prefixes[power]}`;
}

/** A cost as people read it. */
export function costText(value: number, unit: CostUnit): string {
  if (unit === 'bytes') return bytesText(value);
  if (unit === 'ms') return `${compact(value)} ms`;
  return unit === 'usd' ? `${compact(value)} USD` : compact(value);
}
