import { dominance } from '../../runners/cost/rerank-frontier.js';
import type { PaperRow } from './paper-compare.js';

interface Named {
  readonly model: string;
  readonly schedule: string;
}

interface Step extends Named {
  readonly ndcg10: number;
  readonly flops: number;
  /** Over the step before; null for the first. */
  readonly gain: { readonly ndcg10: number; readonly pflop: number; readonly ndcg10PerPflop: number } | null;
}

/** Over all models and schedules that are compared and whose quality is known. */
export interface CompareSummary {
  readonly frontier: readonly Step[];
  readonly dominated: readonly (Named & { readonly by: readonly Named[] })[];
}

/** Null where no quality is known. */
export function summaryOf(rows: readonly PaperRow[]): CompareSummary | null {
  const points = rows.flatMap(({ model, schedule, flops, ndcg10 }) =>
    ndcg10 === null ? [] : [{ model, schedule, flops, quality: ndcg10 }],
  );
  if (points.length === 0) return null;
  const { frontier, dominated } = dominance(points);
  return {
    frontier: frontier.map(({ point, gain }) => ({
      ...named(point),
      ndcg10: point.quality,
      flops: point.flops,
      gain: gain && { ndcg10: tidy(gain.quality), pflop: gain.pflop, ndcg10PerPflop: gain.perPflop },
    })),
    dominated: dominated.map(({ point, by }) => ({ ...named(point), by: by.map(named) })),
  };
}

const named = ({ model, schedule }: Named): Named => ({ model, schedule });

/** A difference of numbers with three decimals has three. */
const tidy = (difference: number) => Number(difference.toFixed(3));
