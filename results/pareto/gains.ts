import { stepBetween } from '../../core/dominance.js';
import type { CostUnit, PlainPoint } from './types.js';

/** A step along the frontier: what more cost bought. A type and not an interface, so that it is assignable to `Json`. */
export type Gain = {
  readonly from: string;
  readonly to: string;
  readonly additionalX: number;
  readonly additionalY: number;
  /** `additionalY` for each further `per`; null where the costs are too near to divide by. */
  readonly gain: number | null;
  readonly per: string;
};

/** Units in which a difference of costs is worth naming. */
const steps: Readonly<Record<CostUnit, { readonly size: number; readonly name: string }>> = {
  flops: { size: 1e15, name: 'PetaFLOP' },
  bytes: { size: 1024, name: 'KiB' },
  ms: { size: 1, name: 'ms' },
  usd: { size: 1, name: 'USD' },
  count: { size: 1000, name: 'thousand' },
};

/** Between neighbours of the frontier, cheapest first; equal points are one place, named by the first. */
export function gainsAlong(frontier: readonly PlainPoint[], unit: CostUnit): readonly Gain[] {
  const places = frontier.filter(({ x }, i) => i === 0 || x !== frontier[i - 1].x);
  const { size, name } = steps[unit];
  return places.slice(1).map((to, i) => {
    const from = places[i];
    const { quality, perCost } = stepBetween(placeOf(from), placeOf(to), size);
    return {
      ...{ from: from.system, to: to.system, additionalX: to.x - from.x, additionalY: quality },
      ...{ gain: perCost, per: name },
    };
  });
}

/** As it is measured, whether more or less of it is better. */
const placeOf = ({ x, y }: PlainPoint) => ({ cost: x, quality: y });
