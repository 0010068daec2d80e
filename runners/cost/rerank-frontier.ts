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

/** Which dominate which, and what a PetaFLOP more buys along the frontier. Of means: nothing is said of their error. */
export function dominance<Point extends QualityPoint>(points: readonly Point[]): Dominance<Point> {
  const judged = points.map((point) => ({ point, by: points.filter((other) => dominates(other, point)) }));
  const kept = judged.filter(({ by }) => by.length === 0).map(({ point }) => point);
  const frontier = kept.toSorted((a, b) => a.flops - b.flops);
  return {
    frontier: frontier.map((point, i) => ({ point, gain: i === 0 ? null : gainOver(frontier[i - 1], point) })),
    dominated: judged.filter(({ by }) => by.length > 0),
  };
}

function dominates(a: QualityPoint, b: QualityPoint): boolean {
  return a.quality >= b.quality && a.flops <= b.flops && (a.quality > b.quality || a.flops < b.flops);
}

/** Two points that are equal in both buy nothing of each other. */
function gainOver(before: QualityPoint, point: QualityPoint): FrontierStep<QualityPoint>['gain'] {
  const quality = point.quality - before.quality;
  const pflop = (point.flops - before.flops) / 1e15;
  return pflop === 0 ? null : { quality, pflop, perPflop: quality / pflop };
}
