/** Sums of whole numbers in closed form: what a loop over tokens would add up. */

/** 1 + 2 + … + n */
export function triangle(n: number): number {
  return (n * (n + 1)) / 2;
}

/** 1² + 2² + … + n² */
export function squares(n: number): number {
  return (n * (n + 1) * (2 * n + 1)) / 6;
}

/** Σ over t = 1…n of min(t, most). */
export function clipped(n: number, most: number): number {
  return n <= most ? triangle(n) : triangle(most) + (n - most) * most;
}

/** Σ over t = 1…n of t · min(t, most). */
export function clippedSquares(n: number, most: number): number {
  return n <= most ? squares(n) : squares(most) + most * (triangle(n) - triangle(most));
}

/** Σ over t = 1…n of clipped(t, most). */
export function clippedTwice(n: number, most: number): number {
  if (n <= most) return (n * (n + 1) * (n + 2)) / 6;
  const beyond = n - most;
  return (most * (most + 1) * (most + 2)) / 6 + beyond * triangle(most) + most * triangle(beyond);
}
