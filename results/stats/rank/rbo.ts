import { TenbinError } from '../../../core/errors.js';
import { requireShare } from '../finite.js';
import { type Depth, overlapByDepth } from './rbo-overlap.js';
import { type Items, itemsOf, type TieRule } from './rbo-walk.js';

/** A ranking as groups of tied items, best first. */
export type TiedRanking = readonly (readonly string[])[];

export interface RboOptions {
  /** p in (0, 1): how likely the reader goes on to the next depth. */
  readonly persistence: number;
  /** `w`: tied items really are equal. `a`: their order is unknown, the mean over all orders. `b`: as a, and a ranking agrees with itself fully. */
  readonly ties: TieRule;
}

/** Rank-biased overlap in [0, 1]. */
export interface Rbo {
  /** Extrapolated beyond what was seen. */
  readonly ext: number;
  /** The bounds over whatever may follow. */
  readonly min: number;
  readonly max: number;
  /** What the depths seen in both lists add alone. */
  readonly truncated: number;
}

/**
 * Rank-biased overlap (Webber, Moffat and Zobel 2010) with ties (Corsi and Urbano 2024, How do ties affect the uncertainty
 * in rank-biased overlap?): (1 − p)/p · Σ A_d p^d, A_d being the agreement at depth d. Null where a ranking is empty; an
 * item that is twice in one ranking and a persistence outside (0, 1) are `refused`. O(n).
 */
export function rbo(x: TiedRanking, y: TiedRanking, { persistence, ties }: RboOptions): Rbo | null {
  requireShare(persistence, 'persistence');
  const [long, short] = [itemsOf(x), itemsOf(y)].sort((a, b) => b.size - a.size);
  requireOnce(x, y);
  if (short.size === 0) return null;
  const depths = overlapByDepth(short, long, ties);
  const total = totals(depths, { short, long, persistence, ties });
  const scale = (1 - persistence) / persistence;
  const clamp = (sum: number): number => Math.min(1, Math.max(0, scale * sum));
  return { ext: clamp(total.ext), min: clamp(total.min), max: clamp(total.max), truncated: clamp(total.truncated) };
}

interface Setting {
  readonly short: Items;
  readonly long: Items;
  readonly persistence: number;
  readonly ties: TieRule;
}

/** Σ A_d p^d up to the end of the long list, each with its tail. */
function totals(depths: readonly Depth[], { short, long, persistence, ties }: Setting): Rbo {
  const s = short.size;
  const l = long.size;
  const agreeing = (overlap: number, depth: Depth): number => overlap / agreementSize(depth, ties);
  const atEnd = agreeing(depths[s - 1].overlap, depths[s - 1]);
  const sums = { ext: 0, min: 0, max: 0, truncated: 0 };
  depths.forEach((depth, i) => {
    const weight = persistence ** (i + 1);
    const unseen = Math.max(0, i + 1 - s);
    const seen = depth.overlap;
    if (unseen === 0) sums.truncated += agreeing(seen, depth) * weight;
    sums.min += agreeing(seen, depth) * weight;
    sums.ext += agreeing(seen + unseen * atEnd * depth.meanOnlyLong, depth) * weight;
    sums.max += agreeing(seen + depth.mostOnlyLong, depth) * weight;
  });
  const last = depths[l - 1].overlap;
  return {
    truncated: sums.truncated,
    ext: sums.ext + (((last + (l - s) * atEnd) / l) * persistence ** (l + 1)) / (1 - persistence),
    min: sums.min + last * harmonicTail(l, persistence),
    max: sums.max + bestTail({ s, l, last, persistence }),
  };
}

/** What the overlap is divided by. */
function agreementSize({ short, long, depth, shortSquares, longSquares }: Depth, ties: TieRule): number {
  if (ties === 'a') return depth;
  return ties === 'w' ? (short + long) / 2 : Math.sqrt(shortSquares * longSquares);
}

/** Σ p^d / d beyond depth l: nothing more is found in both. */
function harmonicTail(l: number, p: number): number {
  let head = 0;
  for (let d = 1; d <= l; d++) head += p ** d / d;
  return -Math.log1p(-p) - head;
}

/** Beyond depth l each list brings what the other lacks, until all `f` items are in both. */
function bestTail({ s, l, last, persistence: p }: Record<'s' | 'l' | 'last' | 'persistence', number>): number {
  const full = Math.floor(l + s - last + 1e-9);
  let sum = p ** (full + 1) / (1 - p);
  for (let d = l + 1; d <= full; d++) sum += ((2 * d - l - s + last) / d) * p ** d;
  return sum;
}

function requireOnce(...rankings: readonly TiedRanking[]): void {
  for (const ranking of rankings) {
    const seen = new Set<string>();
    for (const id of ranking.flat()) {
      if (seen.has(id)) {
        throw new TenbinError('refused', {
          what: 'A ranking holds an item twice',
          value: id,
          fix: 'Pass each item once.',
        });
      }
      seen.add(id);
    }
  }
}
