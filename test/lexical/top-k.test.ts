import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectTop } from '../../runners/kernels/top-k.js';

/** The definition, by a whole sort: everything at least as good as the k-th. */
function naiveTop(scores: readonly number[], positions: readonly number[], k: number) {
  const sorted = [...positions].sort((a, b) => (scores[a] === scores[b] ? a - b : scores[a] > scores[b] ? -1 : 1));
  if (k <= 0 || sorted.length === 0) return [];
  const threshold = scores[sorted[Math.min(k, sorted.length) - 1]];
  return sorted.filter((position) => scores[position] >= threshold);
}

// Few values, so that ties are the rule; both zeros and both infinities among them.
const score = fc.constantFrom(-Infinity, -2, -0, 0, 1, 1.5, 2, 3, 1e300, Infinity);
const rows = fc.oneof(fc.array(score, { maxLength: 60 }), fc.array(fc.double({ noNaN: true }), { maxLength: 200 }));

describe('selectTop', () => {
  it('gives what a whole sort gives, over a row', () => {
    fc.assert(
      fc.property(rows, fc.nat(70), (scores, k) => {
        const top = selectTop(Float64Array.from(scores), null, scores.length, k);
        const naive = naiveTop(scores, [...scores.keys()], k);
        expect([...top.docs]).toEqual(naive);
        expect([...top.scores]).toEqual(naive.map((position) => scores[position]));
      }),
    );
  });

  it('gives what a whole sort gives, over candidates in any order', () => {
    const chosen = rows.chain((scores) =>
      fc.record({ scores: fc.constant(scores), positions: fc.shuffledSubarray([...scores.keys()]) }),
    );
    fc.assert(
      fc.property(chosen, fc.nat(70), ({ scores, positions }, k) => {
        // Entries past `count` are scratch of the caller and must not be read.
        const candidates = Int32Array.from([...positions, 0, 0]);
        const top = selectTop(Float64Array.from(scores), candidates, positions.length, k);
        expect([...top.docs]).toEqual(naiveTop(scores, positions, k));
      }),
    );
  });

  it('gives what a whole sort gives where there are many scores', () => {
    const many = fc.array(fc.oneof(score, fc.integer({ min: -50, max: 50 })), { minLength: 2049, maxLength: 2400 });
    fc.assert(
      fc.property(many, fc.nat(2500), (scores, k) => {
        const top = selectTop(Float64Array.from(scores), null, scores.length, k);
        expect([...top.docs]).toEqual(naiveTop(scores, [...scores.keys()], k));
      }),
      { numRuns: 30 },
    );
  });

  it('keeps the tie group of the k-th whole', () => {
    const top = selectTop(Float64Array.of(1, 2, 1, 3, 1), null, 5, 3);
    expect([...top.docs]).toEqual([3, 1, 0, 2, 4]);
  });

  it('treats -0 and 0 as one score and orders infinities', () => {
    expect([...selectTop(Float64Array.of(-0, 0, -0), null, 3, 1).docs]).toEqual([0, 1, 2]);
    const infinite = Float64Array.of(-Infinity, Infinity, 0, Infinity);
    expect([...selectTop(infinite, null, 4, 1).docs]).toEqual([1, 3]);
    expect([...selectTop(infinite, null, 4, 4).docs]).toEqual([1, 3, 2, 0]);
  });

  it.each([0, 3, 9])('refuses a NaN at position %i and names it', (position) => {
    const scores = new Float64Array(10).map((_, i) => i);
    scores[position] = Number.NaN;
    expect(() => selectTop(scores, null, 10, 3)).toThrow(`NaN for the document at position ${position}`);
    const backwards = Int32Array.from({ length: 10 }, (_, i) => 9 - i);
    expect(() => selectTop(scores, backwards, 10, 3)).toThrow(`position ${position}`);
    const many = new Float64Array(3000).map((_, i) => -i);
    many[position * 300] = Number.NaN;
    expect(() => selectTop(many, null, 3000, 3)).toThrow(`position ${position * 300}`);
  });
});
