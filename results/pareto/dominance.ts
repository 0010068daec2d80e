import { byCodePoint } from '../../core/order.js';
import type { Better, PlainPoint, Standing } from './types.js';

/** Whether `a` is at least as cheap and as good as `b`, and cheaper or better. Equal points do not dominate each other. */
export function dominates(a: PlainPoint, b: PlainPoint, better: Better): boolean {
  const gain = better === 'more' ? a.y - b.y : b.y - a.y;
  return a.x <= b.x && gain >= 0 && (a.x < b.x || gain > 0);
}

/** Whether the worse end of `a`'s interval is better than the better end of `b`'s. Without both intervals nothing is sure. */
export function isSurelyBetter(a: PlainPoint, b: PlainPoint, better: Better): boolean {
  const [up, down] = better === 'more' ? [a, b] : [b, a];
  return up.low !== null && down.high !== null && up.low > down.high;
}

/**
 * How each point stands, in the order given. Of several dominators the strongest is named: a sure one before one within error,
 * then the best, then the cheapest, then the first by id. Quadratic in the points, of which a board has hundreds.
 */
export function standings(points: readonly PlainPoint[], better: Better): readonly Standing[] {
  const strongestFirst = [...points].sort(
    (a, b) => (better === 'more' ? b.y - a.y : a.y - b.y) || a.x - b.x || byCodePoint(a.system, b.system),
  );
  return points.map((point): Standing => {
    const dominators = strongestFirst.filter((other) => dominates(other, point, better));
    const sure = dominators.find((other) => isSurelyBetter(other, point, better));
    if (sure !== undefined) return { status: 'dominated', by: sure.system };
    const [first] = dominators;
    return first === undefined
      ? { status: 'frontier', by: null }
      : { status: 'dominatedWithinError', by: first.system };
  });
}

/** Cheapest first; of equal points the first by id comes first. */
export function alongFrontier(points: readonly PlainPoint[], better: Better): readonly PlainPoint[] {
  const status = standings(points, better);
  return points
    .filter((_, i) => status[i].status === 'frontier')
    .sort((a, b) => a.x - b.x || byCodePoint(a.system, b.system));
}
