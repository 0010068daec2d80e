import { dominates, frontierOf, type Place, stepBetween } from '../../core/dominance.js';

/** A configuration as a point: what it costs and how good it is. */
export interface QualityPoint {
  readonly flops: number;
  readonly quality: number;
}

export interface FrontierStep<Point> {
  readonly point: Point;
  /** Over the step before, null for the first. */
  readonly gain: { readonly quality: number; readonly pflop: number; readonly perPflop: number } | null;
}

export interface Dominance<Point> {
  /** By rising cost; each is better than all before it. Of equals in both, all are on it. */
  readonly frontier: readonly FrontierStep<Point>[];
  /** With all that are at least as good and at most as dear, and better in one. */
  readonly dominated: readonly { readonly point: Point; readonly by: readonly Point[] }[];
}

const petaFlop = 1e15;

/** Which dominate which, and what a PetaFLOP more buys along the frontier. Of means: nothing is said of their error. */
export function dominance<Point extends QualityPoint>(points: readonly Point[]): Dominance<Point> {
  const places = points.map((point) => ({ point, cost: point.flops, quality: point.quality }));
  const frontier = frontierOf(places);
  const kept = new Set(frontier);
  return {
    frontier: frontier.map((place, i) => ({
      point: place.point,
      gain: i === 0 ? null : gainOver(frontier[i - 1], place),
    })),
    dominated: places
      .filter((place) => !kept.has(place))
      .map((place) => ({
        point: place.point,
        by: places.filter((other) => dominates(other, place)).map(({ point }) => point),
      })),
  };
}

/** Two points that are equal in both buy nothing of each other. */
function gainOver(from: Place, to: Place): FrontierStep<QualityPoint>['gain'] {
  const { cost, quality, perCost } = stepBetween(from, to, petaFlop);
  return perCost === null ? null : { quality, pflop: cost, perPflop: perCost };
}
