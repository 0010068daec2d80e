import { dominates } from '../../core/dominance.js';
import { isSurelyBetter, turned } from './dominance.js';
import type { PointChoice } from './points.js';
import type { Better, PlainPoint, Standing } from './types.js';

/** A type and not an interface, so that it is assignable to `Json`. */
export type Summary = {
  readonly sentence: string;
  readonly frontier: number;
  readonly dominated: number;
  readonly dominatedWithinError: number;
  /** Each system of the frontier with all that it dominates, cheapest first. */
  readonly dominators: readonly {
    readonly system: string;
    readonly surely: readonly string[];
    readonly withinError: readonly string[];
  }[];
};

interface Compared {
  readonly points: readonly PlainPoint[];
  readonly standing: readonly Standing[];
  readonly frontier: readonly PlainPoint[];
  readonly better: Better;
}

export function summaryOf({ points, standing, frontier, better }: Compared, { x, y }: PointChoice): Summary {
  const count = (status: Standing['status']) => standing.filter((one) => one.status === status).length;
  const [surely, withinError] = [count('dominated'), count('dominatedWithinError')];
  const sentence =
    points.length === 0
      ? `No system has both ${y} and ${x.key}.`
      : `${y} against ${x.title}: ${frontier.length} of ${points.length} systems ${frontier.length === 1 ? 'is' : 'are'} on the frontier, ${surely} surely dominated, ${withinError} dominated within error.`;
  return {
    sentence,
    frontier: frontier.length,
    dominated: surely,
    dominatedWithinError: withinError,
    dominators: dominatorsOf(points, frontier, better),
  };
}

/** Costs a comparison for each point and place of the frontier. */
function dominatorsOf(points: readonly PlainPoint[], frontier: readonly PlainPoint[], better: Better) {
  const places = points.map((point) => turned(point, better));
  return frontier.map((system): Summary['dominators'][number] => {
    const own = turned(system, better);
    const [surely, withinError]: [string[], string[]] = [[], []];
    for (const place of places) {
      if (dominates(own, place)) (isSurelyBetter(own, place) ? surely : withinError).push(place.point.system);
    }
    return { system: system.system, surely, withinError };
  });
}
