import { bestFirst, frontierOf, type Place } from '../../core/dominance.js';
import { byCodePoint } from '../../core/order.js';
import type { Better, PlainPoint, Standing } from './types.js';

/** A point turned so that more is better, with the ends of its interval turned along. */
export interface Turned extends Place {
  readonly point: PlainPoint;
  readonly low: number | null;
  readonly high: number | null;
}

export function turned(point: PlainPoint, better: Better): Turned {
  const { x: cost, y, low, high } = point;
  if (better === 'more') return { point, cost, quality: y, low, high };
  return { point, cost, quality: -y, low: high === null ? null : -high, high: low === null ? null : -low };
}

/** Whether the worse end of `a`'s interval is better than the better end of `b`'s. Without both ends nothing is sure. */
export function isSurelyBetter(a: Turned, b: Turned): boolean {
  return a.low !== null && b.high !== null && a.low > b.high;
}

/** A sure dominator aside, the first of these is named. */
const strongestFirst = (a: Turned, b: Turned): number => bestFirst(a, b) || byCodePoint(a.point.system, b.point.system);

/**
 * How each point stands, in the order given. Of several dominators the strongest is named: a sure one before one within error,
 * then the best, then the cheapest, then the first by id. A sweep from the cheapest to the dearest: n log n.
 */
export function standings(points: readonly PlainPoint[], better: Better): readonly Standing[] {
  const places = points.map((point) => turned(point, better));
  const strongest = [...places].sort(strongestFirst);
  const sure = surestOf(strongest);
  const found = new Map<Turned, Standing>();
  let first = strongest.length;
  for (const ranks of byCost(strongest)) {
    for (const rank of ranks) {
      first = Math.min(first, rank);
      sure.add(rank);
    }
    for (const rank of ranks) {
      const place = strongest[rank];
      found.set(place, standingOf(place, strongest[first], sure.above(place.high)));
    }
  }
  return places.map((place) => found.get(place) ?? onFrontier);
}

const onFrontier: Standing = { status: 'frontier', by: null };

/**
 * `first` is the strongest of all that cost no more, `sure` the strongest of those whose intervals lie above. The strongest of a set
 * dominates a place, or nothing of the set does: what is as good and as cheap as the strongest is its equal.
 */
function standingOf(place: Turned, first: Turned, sure: Turned | undefined): Standing {
  if (bestFirst(first, place) === 0) return onFrontier;
  if (sure !== undefined && bestFirst(sure, place) < 0) return { status: 'dominated', by: sure.point.system };
  return { status: 'dominatedWithinError', by: first.point.system };
}

/** Ranks, the cheapest first, of equally dear ones together. */
function byCost(strongest: readonly Turned[]): readonly (readonly number[])[] {
  const cost = (rank: number) => strongest[rank].cost;
  const groups: number[][] = [];
  for (const rank of [...strongest.keys()].sort((a, b) => cost(a) - cost(b))) {
    const last = groups.at(-1);
    if (last !== undefined && cost(last[0]) === cost(rank)) last.push(rank);
    else groups.push([rank]);
  }
  return groups;
}

/**
 * The strongest of those added whose interval lies above a number, in log n: a Fenwick tree (Fenwick 1994) of the least rank, over
 * the places from the highest lower end down.
 */
function surestOf(strongest: readonly Turned[]) {
  const lows = strongest.flatMap(({ low }) => (low === null ? [] : [low])).sort((a, b) => b - a);
  const least = new Int32Array(lows.length + 1).fill(strongest.length);
  return {
    add: (rank: number): void => {
      const { low } = strongest[rank];
      if (low === null) return;
      for (let i = countOf(lows, (other) => other > low) + 1; i <= lows.length; i += i & -i) {
        least[i] = Math.min(least[i], rank);
      }
    },
    above: (high: number | null): Turned | undefined => {
      let rank = strongest.length;
      const count = high === null ? 0 : countOf(lows, (low) => low > high);
      for (let i = count; i > 0; i -= i & -i) rank = Math.min(rank, least[i]);
      return strongest[rank];
    },
  };
}

/** How many from the front hold, of which none holds behind one that does not. */
function countOf(values: readonly number[], holds: (value: number) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(values[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Cheapest first; of equal points the first by id comes first. */
export function alongFrontier(points: readonly PlainPoint[], better: Better): readonly PlainPoint[] {
  const byId = [...points].sort((a, b) => byCodePoint(a.system, b.system));
  return frontierOf(byId.map((point) => turned(point, better))).map(({ point }) => point);
}
