const direct = 15;

/**
 * ln z! − ln(√(2πz) (z/e)^z) for real z > 0: what Stirling's formula leaves out. Differences of log-gammas of large
 * numbers are taken through it, since their leading digits never arise (Loader 2000, Fast and accurate computation of
 * binomial probabilities). Stirling's series from 15 on (DLMF 5.11.1, error below 1e-16); below, the recurrence
 * δ(z) = δ(z + 1) + (z + ½) ln(1 + 1/z) − 1.
 */
export function stirlingError(z: number): number {
  let shift = 0;
  let at = z;
  for (; at < direct; at++) shift += (at + 0.5) * Math.log1p(1 / at) - 1;
  return shift + series(at);
}

/** Σ B₂ₖ / (2k (2k − 1) z²ᵏ⁻¹), the B₂ₖ being Bernoulli's numbers. */
function series(z: number): number {
  const w = 1 / (z * z);
  return (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w * (1 / 1188 - w * (691 / 360360 - w / 156)))))) / z;
}

/** x ln(x/m) + m − x for x, m > 0, by a series where x is near m and the terms would cancel (Loader 2000). */
export function deviance(x: number, m: number): number {
  if (Math.abs(x - m) > 0.1 * (x + m)) return x * Math.log(x / m) + m - x;
  const ratio = (x - m) / (x + m);
  let sum = (x - m) * ratio;
  let term = 2 * x * ratio;
  for (let k = 3; ; k += 2) {
    term *= ratio * ratio;
    const next = sum + term / k;
    if (next === sum) return sum;
    sum = next;
  }
}
