import { type Items, reach, standing, type TieRule, type Walk, walkOf, weightAt } from './rbo-walk.js';

/** What is true at one depth (from 1), the short list being gone through where the depth exceeds it. */
export interface Depth {
  readonly depth: number;
  /** Sums of the weights of the items of each list, and of their squares. */
  readonly short: number;
  readonly long: number;
  readonly shortSquares: number;
  readonly longSquares: number;
  /** Σ weight · weight over the items in both lists. */
  readonly overlap: number;
  /** Among the items of the long list alone that have weight: the mean weight. 0 where there are none. */
  readonly meanOnlyLong: number;
  /** The weight of the first of them, as many as the short list lacks. */
  readonly mostOnlyLong: number;
}

/** Counts of the items that are in both lists, by where the two walks stand. */
interface Shared {
  whole: number;
  wholeInShort: number;
  wholeInLong: number;
  current: number;
}

interface State {
  readonly short: Walk;
  readonly long: Walk;
  readonly shared: Shared;
  /** Items of the long list alone. */
  readonly only: { whole: number; current: number };
}

/** Depths 1 … long.size. Weights change only within the current groups, so counts are kept as groups end: O(n). */
export function overlapByDepth(short: Items, long: Items, ties: TieRule): readonly Depth[] {
  const state: State = {
    short: walkOf(short),
    long: walkOf(long),
    shared: { whole: 0, wholeInShort: 0, wholeInLong: 0, current: 0 },
    only: { whole: 0, current: 0 },
  };
  return Array.from({ length: long.size }, (_, i) => {
    goTo(state, i + 1);
    return depthOf(state, i + 1, ties);
  });
}

/** A group that ends becomes whole, with what is known of it; the next is looked up item by item. */
function goTo({ short, long, shared, only }: State, depth: number): void {
  if (reach(short, depth) === 'new group') {
    shared.whole += shared.wholeInLong;
    shared.wholeInShort += shared.current;
    const next = standing(short, long);
    shared.wholeInLong = next.whole;
    shared.current = next.current;
  }
  if (reach(long, depth) === 'new group') {
    shared.whole += shared.wholeInShort;
    shared.wholeInLong += shared.current;
    only.whole += only.current;
    const next = standing(long, short);
    shared.wholeInShort = next.whole;
    shared.current = next.current;
    only.current = next.absent;
  }
}

function depthOf({ short, long, shared, only }: State, depth: number, ties: TieRule): Depth {
  const ws = weightAt(short, depth, ties);
  const wl = weightAt(long, depth, ties);
  const lacking = Math.max(0, depth - short.items.size);
  const count = only.whole + only.current;
  const ofShort = lacking > 0 ? { sum: depth, squares: depth } : sizes(short, ws);
  const ofLong = sizes(long, wl);
  return {
    depth,
    short: ofShort.sum,
    long: ofLong.sum,
    shortSquares: ofShort.squares,
    longSquares: ofLong.squares,
    overlap: shared.whole + shared.wholeInLong * ws + shared.wholeInShort * wl + shared.current * ws * wl,
    meanOnlyLong: count === 0 ? 0 : (only.whole + only.current * wl) / count,
    mostOnlyLong: Math.min(lacking, only.whole) + Math.min(Math.max(0, lacking - only.whole), only.current) * wl,
  };
}

function sizes({ before, held }: Walk, weight: number): { readonly sum: number; readonly squares: number } {
  return { sum: before + held * weight, squares: before + held * weight * weight };
}
