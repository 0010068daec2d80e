import type { Ratio, TaskResults } from './board-types.js';

/** One PetaFLOP. */
const peta = 1e15;

/** What is counted for each query of a task (a measure's values), beside the FLOPs of the same queries. */
interface Counted {
  readonly gained: Float64Array;
  readonly flops: Float64Array;
}

/**
 * Ranking quality per PetaFLOP, RPP(q) = m(q) / (C(q) / 10^15) (arXiv 2507.06223, eq. 1; its table 2 has ratios of means).
 * Null where a task lacks the measure or its FLOPs, and where no query needed any: never infinite.
 */
export function qualityPerPetaflop(results: readonly TaskResults[], measure: string): Ratio | null {
  const counted = results.map(({ values, queryFlops }) => ({
    gained: values.get(measure)?.expected ?? null,
    flops: queryFlops ?? null,
  }));
  const known = counted.flatMap(({ gained, flops }) => (gained === null || flops === null ? [] : [{ gained, flops }]));
  return known.length < counted.length ? null : ratioOf(known);
}

/** Queries per PetaFLOP (eq. 2): one query is gained each time. */
export function queriesPerPetaflop(results: readonly TaskResults[]): Ratio | null {
  const known = results.flatMap(({ queryFlops }) =>
    queryFlops ? [{ gained: queryFlops.map(() => 1), flops: queryFlops }] : [],
  );
  return known.length < results.length ? null : ratioOf(known);
}

/** Tasks count equally, as in `micro` and `flopsPerQuery`; those without queries have no mean. */
function ratioOf(tasks: readonly Counted[]): Ratio | null {
  const asked = tasks.filter(({ flops }) => flops.length > 0);
  const cost = mean(asked.map(({ flops }) => mean(flops)));
  if (asked.length === 0 || !(cost > 0)) return null;
  const ratios = asked.map(({ gained, flops }) => mean(gained.map((value, query) => value / (flops[query] / peta))));
  return {
    meanOfRatios: asked.every(({ flops }) => flops.every((value) => value > 0)) ? mean(ratios) : null,
    ratioOfMeans: mean(asked.map(({ gained }) => mean(gained))) / (cost / peta),
  };
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}
