/** A point of two numbers: the less it costs and the more quality it has, the better. Neither is NaN. */
export interface Place {
  readonly cost: number;
  readonly quality: number;
}

/** Whether `a` is at least as cheap and as good as `b`, and cheaper or better. Equal places do not dominate each other. */
export function dominates(a: Place, b: Place): boolean {
  return a.cost <= b.cost && a.quality >= b.quality && (a.cost < b.cost || a.quality > b.quality);
}

/** The better first, of equally good ones the cheaper; 0 for equal places. */
export function bestFirst(a: Place, b: Place): number {
  return compared(b.quality, a.quality) || compared(a.cost, b.cost);
}

/** Infinity is equal to itself. */
const compared = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * What nothing dominates, cheapest first; of equal places all, in the order given. One sort and one sweep: whatever is no better than
 * something that costs no more is dominated by it, or equal to it.
 */
export function frontierOf<Point extends Place>(points: readonly Point[]): readonly Point[] {
  const cheapestFirst = [...points].sort((a, b) => compared(a.cost, b.cost) || compared(b.quality, a.quality));
  const frontier: Point[] = [];
  for (const point of cheapestFirst) {
    const last = frontier.at(-1);
    const isEqual = last?.cost === point.cost && last.quality === point.quality;
    if (last === undefined || isEqual || point.quality > last.quality) frontier.push(point);
  }
  return frontier;
}

/** What a step from one place to another costs, in steps of `size`, and what it brings. */
export interface PlaceStep {
  readonly cost: number;
  readonly quality: number;
  /** Quality for one more `size` of cost; null where the costs are too near to divide by. */
  readonly perCost: number | null;
}

export function stepBetween(from: Place, to: Place, size: number): PlaceStep {
  const cost = (to.cost - from.cost) / size;
  const quality = to.quality - from.quality;
  const perCost = quality / cost;
  return { cost, quality, perCost: Number.isFinite(perCost) ? perCost : null };
}
