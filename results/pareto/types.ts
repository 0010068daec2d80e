import type { FamilyName } from '../../runners/system.js';
import type { DrawLevel } from '../stats/hierarchical.js';

/** What is read of a board: a `Board` of this process is one, and so is a board.json once it is parsed. */
export interface ParetoBoard {
  readonly primary: string;
  readonly measures: readonly string[];
  readonly interval: { readonly seed: number; readonly resamples: number; readonly level: DrawLevel };
  readonly tasks: readonly { readonly id: string; readonly suite: string }[];
  readonly systems: readonly ParetoSystem[];
}

export interface ParetoSystem {
  readonly id: string;
  readonly family: FamilyName;
  readonly complete: boolean;
  readonly missing: readonly string[];
  readonly safeguarded: boolean;
  /** From elsewhere: nothing is known of its cost. */
  readonly imported?: unknown;
  readonly micro: Readonly<Record<string, Bounded>>;
  readonly tasks: Readonly<Record<string, Readonly<Record<string, { readonly value: number | null }>>>>;
  /** Numbers by name, nested as on the board; null where they are not known. */
  readonly cost: object;
}

interface Bounded {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** In what a cost is counted: how it is written, and how an axis is cut. */
export type CostUnit = 'bytes' | 'flops' | 'ms' | 'usd' | 'count';

/** One figure of a system's cost; the smaller the better. */
export interface CostKey {
  /** As on the board, dotted: `latencyMs.p95`. */
  readonly key: string;
  readonly unit: CostUnit;
  /** For people: `bytes per document`. */
  readonly title: string;
  readonly of: (system: ParetoSystem) => number | null;
}

/** A system as a point, before it is compared. The interval is null where the board has none. */
export interface PlainPoint {
  readonly system: string;
  readonly family: FamilyName;
  readonly safeguarded: boolean;
  readonly x: number;
  readonly y: number;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * `frontier`: nothing is at least as cheap and as good, and better in one of them. `dominated`: something is, and the lower end of
 * its interval is above the upper end of this one's. `dominatedWithinError`: something is, and intervals overlap.
 */
export type Status = 'frontier' | 'dominated' | 'dominatedWithinError';

export interface Standing {
  readonly status: Status;
  /** The strongest dominator; null on the frontier. */
  readonly by: string | null;
}

export interface LeftOut {
  readonly system: string;
  readonly reason: string;
}

/** Whether more or less of a measure is the better. */
export type Better = 'more' | 'less';
