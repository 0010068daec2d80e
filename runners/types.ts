import type { Json } from '../core/canonical.js';
import type { Digest } from '../core/digest.js';
import type { Distribution } from '../core/distribution.js';
import type { QueryId, TaskId } from '../core/ids.js';
import type { Ranking } from '../tasks/types.js';
import type { FamilyName, StagedWork, Work } from './system.js';

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
  /** What each query cost: `work.parquet`. Absent in runs made elsewhere. */
  readonly queryWork?: ReadonlyMap<QueryId, StagedWork>;
  /** Tokens of each document, in the order of the corpus, by the model that they went through: `doc-tokens.parquet`. */
  readonly docTokens?: ReadonlyMap<string, Int32Array>;
}

export interface Cost {
  readonly bytesPerDoc: number;
  /** Of one query as the search reads it; null where it reads text, or where it is not known. */
  readonly bytesPerQuery?: number | null;
  readonly indexBytes: number;
  /** `indexBytes` without `bytesPerDoc` of each document: vocabulary, ranges, scratch. */
  readonly indexOverheadBytes?: number;
  /** Weights as they are stored. */
  readonly modelBytes: number;
  /** Means over the queries, encoding of the query included. */
  readonly work: Work;
  /** `work` by stage. */
  readonly stages?: StagedWork;
  /** FLOPs of a query, all stages together; null where those of a model are not known. 0 where none were needed. */
  readonly flopsPerQuery?: Distribution | null;
  /** Tokens of a query, all models and pairs together; absent where no model counted any. */
  readonly tokensPerQuery?: Distribution;
  /** Tokens of a document, by model. */
  readonly tokensPerDoc?: Readonly<Record<string, Distribution>>;
}

/** Wall-clock times; the only part of a run that differs between two runs of one thing. */
export interface Timing {
  readonly prepareMs: number;
  readonly queryMs: { readonly p50: number; readonly p95: number; readonly mean: number };
  /** Most memory that the process had resident, from its start to the end of this run; other runs of it count. */
  readonly peakRssBytes?: number;
}
