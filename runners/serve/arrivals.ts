import { mulberry32 } from '../../core/random.js';

/**
 * When requests of a Poisson process of that rate arrive, in milliseconds from its start: gaps are exponential and know
 * nothing of one another, as users who do not wait for each other.
 */
export function poissonArrivalsMs(count: number, ratePerSecond: number, seed: number): Float64Array {
  const random = mulberry32(seed);
  const arrivalsMs = new Float64Array(count);
  let atMs = 0;
  for (let i = 0; i < count; i++) {
    atMs += (-Math.log(1 - random()) / ratePerSecond) * 1000;
    arrivalsMs[i] = atMs;
  }
  return arrivalsMs;
}

/** Which query each request asks: all of them in a shuffled order, then all again in another (Fisher and Yates). */
export function queryOrder(count: number, queries: number, seed: number): Int32Array {
  const random = mulberry32(seed);
  const order = new Int32Array(count);
  const round = Int32Array.from({ length: queries }, (_, i) => i);
  for (let i = 0; i < count; i++) {
    const at = i % queries;
    const other = at + Math.floor(random() * (queries - at));
    [round[at], round[other]] = [round[other], round[at]];
    order[i] = round[at];
  }
  return order;
}

/** Two systems in turns, each request by both of them, which of them first by chance: 0 and 1 for each pair of places. */
export function pairedOrder(count: number, seed: number): Uint8Array {
  const random = mulberry32(seed);
  const sides = new Uint8Array(2 * count);
  for (let i = 0; i < count; i++) {
    const first = random() < 0.5 ? 0 : 1;
    sides[2 * i] = first;
    sides[2 * i + 1] = 1 - first;
  }
  return sides;
}
