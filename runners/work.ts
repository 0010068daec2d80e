import type { Work, WorkUnit } from './system.js';

export const workUnits: readonly WorkUnit[] = [
  'flops',
  'integerOps',
  'popcountWords',
  'postings',
  'tokens',
  'promptTokens',
  'completionTokens',
  'calls',
];

/** Unit by unit; a unit that neither has stays absent. */
export function addWork(a: Work, b: Work): Work {
  const units = workUnits.filter((unit) => a[unit] !== undefined || b[unit] !== undefined);
  return Object.fromEntries(units.map((unit) => [unit, (a[unit] ?? 0) + (b[unit] ?? 0)]));
}

export function scaleWork(work: Work, factor: number): Work {
  return Object.fromEntries(Object.entries(work).map(([unit, amount]) => [unit, amount * factor]));
}
