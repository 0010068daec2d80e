import { expect, test } from 'vitest';
import { forcedScore, safeguard } from '../../builders/safeguard.js';
import type { Fused } from '../../runners/fuse.js';

const fused: Fused = { docs: Int32Array.of(5, 3, 1, 0), scores: Float64Array.of(0.03, 0.02, 0.01, 0.005) };
const places = Int32Array.of(0, 1, 2, 3, 4, 5, 7, 6);
const base = { fused, size: 2, policy: 'append', places } as const;

test('a pool with a positive is left alone', () => {
  const rows = safeguard({ ...base, grades: new Map([[3, 1]]) });
  expect(rows).toEqual({ docs: [5, 3], scores: [0.03, 0.02], forced: [] });
});

test('append puts one positive after the last row, below every score', () => {
  const rows = safeguard({ ...base, grades: new Map([[0, 1]]) });
  expect(rows).toEqual({ docs: [5, 3, 0], scores: [0.03, 0.02, forcedScore], forced: [0] });
});

test('replace takes the place of the last non-relevant row, which is the last one', () => {
  const rows = safeguard({ ...base, policy: 'replace', grades: new Map([[0, 1]]) });
  expect(rows).toEqual({ docs: [5, 0], scores: [0.03, forcedScore], forced: [0] });
  const short = safeguard({ ...base, policy: 'replace', size: 9, grades: new Map([[7, 1]]) });
  expect(short.docs).toEqual([5, 3, 1, 0, 7]);
});

test('none leaves the query without a positive', () => {
  expect(safeguard({ ...base, policy: 'none', grades: new Map([[0, 1]]) }).forced).toEqual([]);
});

test('the highest grade comes first, then the best fused rank, then the keyed hash', () => {
  const forced = (grades: readonly (readonly [number, number])[]) =>
    safeguard({ ...base, grades: new Map(grades) }).forced;
  expect(
    forced([
      [1, 1],
      [4, 2],
    ]),
  ).toEqual([4]);
  expect(
    forced([
      [0, 1],
      [1, 1],
      [4, 1],
    ]),
  ).toEqual([1]);
  expect(
    forced([
      [6, 1],
      [7, 1],
    ]),
  ).toEqual([7]);
  expect(
    forced([
      [5, 0],
      [3, -1],
    ]),
  ).toEqual([]);
});

test('an empty fusion still gets its positive', () => {
  const empty = { docs: new Int32Array(), scores: new Float64Array() };
  for (const policy of ['append', 'replace'] as const) {
    const rows = safeguard({ ...base, fused: empty, policy, grades: new Map([[2, 1]]) });
    expect(rows).toEqual({ docs: [2], scores: [forcedScore], forced: [2] });
  }
});
