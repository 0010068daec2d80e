import type { Json } from '../core/canonical.js';
import type { Digest } from '../core/digest.js';
import type { QueryId, TaskId } from '../core/ids.js';
import type { Ranking } from '../tasks/types.js';
import type { FamilyName, Work } from './system.js';

/** What a system returned on a task: rankings with scores, and costs. Never measures. */
export interface Run {
  readonly task: { readonly id: TaskId; readonly digest: Digest };
  /** The system's canonical text. */
  readonly system: string;
  readonly family: FamilyName;
  /** Of everything that changes a number. */
  readonly digest: Digest;
  readonly rankings: ReadonlyMap<QueryId, Ranking>;
  readonly cost: Cost;
  readonly conditions: Readonly<Record<string, Json>>;
  readonly timing: Timing;
}

export interface Cost {
  readonly bytesPerDoc: number;
  readonly indexBytes: number;
  readonly modelBytes: number;
  /** Means over the queries, encoding of the query included. */
  readonly work: Work;
}

/** Wall-clock times; the only part of a run that differs between two runs of one thing. */
export interface Timing {
  readonly prepareMs: number;
  readonly queryMs: { readonly p50: number; readonly p95: number; readonly mean: number };
}
