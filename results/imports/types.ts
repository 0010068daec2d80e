import type { FamilyName } from '../../runners/system.js';
import type { Rankings } from '../readers/index.js';

export interface MeasureValue {
  readonly value: number;
  /** Queries that the mean is over; null where the file does not say. */
  readonly n: number | null;
}

/** Whose numbers they are, as far as the file says. The system is `before` + model + `after`: `hybrid > ` `m` `+int8@100`. */
export interface ForeignSystem {
  readonly model: string | null;
  readonly before: string;
  readonly after: string;
  /** `suite/task` where the file's own names make one. */
  readonly task: string | null;
  readonly family: FamilyName | null;
}

/** Means that another harness measured. */
export interface ForeignResults extends ForeignSystem {
  /** The part of the file that they come from, where it has several for one system: MTEB's split and subset. */
  readonly part: { readonly split: string; readonly subset: string } | null;
  /** By our canonical names. */
  readonly measures: ReadonlyMap<string, MeasureValue>;
  /** What was left out, and what the numbers are by their own harness's definition. */
  readonly notes: readonly string[];
}

export interface ForeignRun extends ForeignSystem {
  readonly rankings: Rankings;
  /** Documents asked for; null where the file does not say. */
  readonly depth: number | null;
  /** `ranks`: the file has an order only, the scores are minus the rank, and ties are unseen. */
  readonly scores: 'given' | 'ranks';
}

export type Decoded =
  | { readonly kind: 'results'; readonly format: string; readonly results: readonly ForeignResults[] }
  | { readonly kind: 'run'; readonly format: string; readonly runs: readonly ForeignRun[] };

/** A file that says of nobody whose numbers it holds. */
export const nameless: ForeignSystem = { model: null, before: '', after: '', task: null, family: null };

/** The system's name here; null where neither the file nor the caller names the model. */
export function systemText({ model, before, after }: ForeignSystem, named: string | undefined): string | null {
  const name = named ?? model;
  return name === null || name === '' ? null : `${before}${name}${after}`;
}
