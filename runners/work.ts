import type { StagedWork, Work, WorkUnit } from './facts.js';
import { stages } from './facts.js';

export const workUnits = [
  'flops',
  'integerOps',
  'popcountWords',
  'postings',
  'distanceComputations',
  'lookUps',
  'tokens',
  'promptTokens',
  'completionTokens',
  'calls',
  'paddingFlops',
] as const satisfies readonly WorkUnit[];

/** Unit by unit; a unit that neither has stays absent. */
export function addWork(a: Work, b: Work): Work {
  const units = workUnits.filter((unit) => a[unit] !== undefined || b[unit] !== undefined);
  return Object.fromEntries(units.map((unit) => [unit, (a[unit] ?? 0) + (b[unit] ?? 0)]));
}

export function scaleWork(work: Work, factor: number): Work {
  return Object.fromEntries(Object.entries(work).map(([unit, amount]) => [unit, amount * factor]));
}

/** Stage by stage and unit by unit. */
export function addStages(a: StagedWork, b: StagedWork): StagedWork {
  const there = stages.filter((stage) => a[stage] !== undefined || b[stage] !== undefined);
  return Object.fromEntries(there.map((stage) => [stage, addWork(a[stage] ?? {}, b[stage] ?? {})]));
}

/** All stages together. */
export function totalWork(staged: StagedWork): Work {
  return stages.reduce<Work>((sum, stage) => addWork(sum, staged[stage] ?? {}), {});
}

/** Of a mean for all queries, or of a list with the work of each. */
export function workOfQuery(work: Work | readonly Work[], query: number): Work {
  return Array.isArray(work) ? (work[query] ?? {}) : (work as Work);
}

export function scaleStages(staged: StagedWork, factor: number): StagedWork {
  return Object.fromEntries(Object.entries(staged).map(([stage, work]) => [stage, scaleWork(work, factor)]));
}

/**
 * FLOPs of a query, all stages together; null where those of a stage are not known. Models behind services count calls or
 * tokens and no FLOPs, and a stage that counts nothing at all says nothing. What counts postings needs no FLOPs: 0.
 */
export function flopsOfQuery(staged: StagedWork): number | null {
  let sum = 0;
  for (const stage of stages) {
    const work = staged[stage];
    if (work === undefined) continue;
    if (isSilent(work)) return null;
    sum += work.flops ?? 0;
  }
  return sum;
}

const throughModels = ['tokens', 'calls', 'promptTokens', 'completionTokens'] as const;

function isSilent(work: Work): boolean {
  if (work.flops !== undefined) return false;
  return Object.keys(work).length === 0 || throughModels.some((unit) => (work[unit] ?? 0) > 0);
}
