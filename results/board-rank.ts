import { percentileInterval } from './stats/bootstrap.js';

/** Values nearer than this are one rank: the same numbers added in another order. */
const equal = 1e-12;

export interface Contender {
  readonly id: string;
  /** The bootstrap distribution of its mean, paired between contenders. */
  readonly draws: Float64Array;
}

/** Competition ranks of values, largest first: 1, 2, 2, 4. The place of each value is that of the input. */
export function competitionRanks(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((a, b) => values[b] - values[a]);
  const ranks = new Array<number>(values.length);
  let first = 0;
  order.forEach((position, place) => {
    if (values[order[first]] - values[position] > equal) first = place;
    ranks[position] = first + 1;
  });
  return ranks;
}

/**
 * Groups of contenders that stand best first: the best that is left leads a group, and everyone left whose paired 95 %
 * interval of the difference to the leader includes 0 joins it. A group need not be contiguous: a noisy system may be
 * inseparable from a leader where a steadier and better one is not.
 */
export function separableGroups(bestFirst: readonly Contender[]): ReadonlyMap<string, number> {
  const groups = new Map<string, number>();
  let left = bestFirst;
  for (let group = 1; left.length > 0; group++) {
    const [leader, ...others] = left;
    const apart = others.filter((other) => isSeparable(leader, other));
    for (const one of left) if (!apart.includes(one)) groups.set(one.id, group);
    left = apart;
  }
  return groups;
}

function isSeparable(leader: Contender, other: Contender): boolean {
  const { low, high } = percentileInterval(leader.draws.map((draw, i) => draw - other.draws[i]));
  return low > equal || high < -equal;
}
