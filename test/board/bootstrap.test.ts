import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mulberry32 } from '../../core/random.js';
import { bootstrapMeans, percentileInterval } from '../../results/stats/bootstrap.js';
import { quantileInPlace } from '../../results/stats/quantile.js';

interface Golden {
  readonly n: number;
  readonly kind: string;
  readonly diff: readonly number[];
  readonly resamples: number;
  readonly seed: number;
  readonly firstMeans: readonly number[];
  readonly percentile: readonly number[];
}

const file = new URL('../golden/board/bootstrap.json', import.meta.url);
const golden: readonly Golden[] = JSON.parse(readFileSync(file, 'utf8')).cases;

describe('bootstrap', () => {
  it.each(golden)('reproduces the golden stream digit for digit: $n $kind', (example) => {
    const [means] = bootstrapMeans([Float64Array.from(example.diff)], example);
    expect([...means.slice(0, 5)]).toEqual(example.firstMeans);
    const { low, high } = percentileInterval(means);
    expect([low, high]).toEqual(example.percentile);
  });

  it('equals the plain loop for every series, with the same draws for all', () => {
    const series = fc.integer({ min: 1, max: 9 }).chain((length) => {
      const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: length, maxLength: length });
      return fc.array(numbers, { minLength: 1, maxLength: 9 });
    });
    fc.assert(
      fc.property(series, fc.nat(), fc.integer({ min: 1, max: 150 }), (lists, seed, resamples) => {
        const fast = bootstrapMeans(
          lists.map((list) => Float64Array.from(list)),
          { seed, resamples },
        );
        lists.forEach((list, i) => {
          expect([...fast[i]]).toEqual(plainMeans(list, seed, resamples));
        });
      }),
    );
  });

  it('has no width where there is one query', () => {
    const [means] = bootstrapMeans([Float64Array.of(0.3)], { seed: 1, resamples: 50 });
    expect(percentileInterval(means)).toEqual({ low: 0.3, high: 0.3 });
  });

  it('selects the quantiles that sorting finds', () => {
    const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -9, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(numbers, fc.double({ min: 0, max: 1, noNaN: true }), (list, q) => {
        expect(quantileInPlace(Float64Array.from(list), q)).toBeCloseTo(sortedQuantile(list, q), 12);
      }),
    );
  });
});

function plainMeans(list: readonly number[], seed: number, resamples: number): number[] {
  const uniform = mulberry32(seed);
  return Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < list.length; i++) sum += list[Math.floor(uniform() * list.length)];
    return sum / list.length;
  });
}

function sortedQuantile(list: readonly number[], q: number): number {
  const sorted = [...list].sort((a, b) => a - b);
  const place = (sorted.length - 1) * q;
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}
