import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { competitionRanks, separableGroups } from '../../results/board-rank.js';

describe('competition ranks', () => {
  it('skip as many places as shared the rank before', () => {
    expect(competitionRanks([0.5, 0.9, 0.5, 0.1])).toEqual([2, 1, 2, 4]);
    expect(competitionRanks([])).toEqual([]);
  });

  it('are shared by sums of the same numbers in another order', () => {
    expect(competitionRanks([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1, 0.5])).toEqual([1, 1, 3]);
  });

  it('are one more than the number of better ones', () => {
    const grid = fc.array(fc.integer({ min: 0, max: 8 }).map((step) => step / 8));
    fc.assert(
      fc.property(grid, (values) => {
        const expected = values.map((value) => 1 + values.filter((other) => other > value).length);
        expect(competitionRanks(values)).toEqual(expected);
      }),
    );
  });
});

describe('groups', () => {
  const draws = (...values: number[]) => Float64Array.from(values);

  it('end where the paired difference to the leader leaves zero out', () => {
    const groups = separableGroups([
      { id: 'best', draws: draws(0.5, 0.6, 0.7) },
      { id: 'near', draws: draws(0.6, 0.5, 0.6) },
      { id: 'always a little worse', draws: draws(0.4, 0.5, 0.6) },
      { id: 'equal to that', draws: draws(0.4, 0.5, 0.6) },
    ]);
    expect([...groups.values()]).toEqual([1, 1, 2, 2]);
  });

  it('may pass over a steady system and take in a noisy one below it', () => {
    const groups = separableGroups([
      { id: 'best', draws: draws(0.5, 0.5, 0.5) },
      { id: 'steady', draws: draws(0.4, 0.4, 0.4) },
      { id: 'noisy', draws: draws(0.1, 0.3, 0.6) },
    ]);
    expect(Object.fromEntries(groups)).toEqual({ best: 1, steady: 2, noisy: 1 });
  });
});
