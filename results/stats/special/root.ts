interface Point {
  readonly x: number;
  readonly f: number;
}

/**
 * The root of a continuous function between two places where its signs differ, to the last digits of x: bisection that
 * interpolates by an inverse parabola where that is safe (Chandrupatla 1997). About 10 evaluations.
 */
export function rootBetween(f: (x: number) => number, low: number, high: number): number {
  let near: Point = { x: high, f: f(high) };
  let far: Point = { x: low, f: f(low) };
  let share = 0.5;
  for (;;) {
    const x = near.x + share * (far.x - near.x);
    const tried = { x, f: f(x) };
    const sameSide = Math.sign(tried.f) === Math.sign(near.f);
    const left = sameSide ? near : far;
    if (!sameSide) far = near;
    near = tried;
    const best = Math.abs(far.f) < Math.abs(near.f) ? far : near;
    const least = (2 * Number.EPSILON * Math.abs(best.x)) / Math.abs(far.x - near.x);
    if (best.f === 0 || !(least <= 0.5)) return best.x;
    share = Math.min(1 - least, Math.max(least, shareToTry(near, far, left)));
  }
}

function shareToTry(a: Point, b: Point, c: Point): number {
  const along = (a.x - b.x) / (c.x - b.x);
  const up = (a.f - b.f) / (c.f - b.f);
  if (!(up * up < along && (1 - up) ** 2 < 1 - along)) return 0.5;
  const first = (a.f / (b.f - a.f)) * (c.f / (b.f - c.f));
  return first + ((c.x - a.x) / (b.x - a.x)) * (a.f / (c.f - a.f)) * (b.f / (c.f - b.f));
}
