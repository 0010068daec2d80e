import type { FamilyName, Stage, WorkUnit } from '../runners/system.js';
import type { Cost, Timing } from '../runners/types.js';
import type { DrawLevel } from './stats/hierarchical.js';

/** What the board needs of the scored runs. The order of tasks and systems does not matter. */
export interface BoardInput {
  readonly tasks: readonly BoardTask[];
  readonly systems: readonly SystemResults[];
  /** Means that another program measured; none of them has the id of a system. */
  readonly imported?: readonly ImportedSystem[];
  /** Canonical names, the order of columns. */
  readonly measures: readonly string[];
  /** One of `measures`: ranks and groups are made by it. */
  readonly primary: string;
  readonly seed: number;
  /** Of the bootstrap; 1000 when nothing is said. */
  readonly resamples: number;
  /** What the bootstrap draws; `tasks and queries` when nothing is said. */
  readonly level?: DrawLevel;
}

export type BoardTask = {
  readonly id: string;
  readonly suite: string;
  readonly language: string;
  /** Only where it differs from the queries'. */
  readonly documentLanguage?: string | undefined;
  readonly domain: string;
  readonly queries: number;
  readonly docs: number;
  readonly digest: string;
};

export interface SystemResults {
  readonly id: string;
  readonly family: FamilyName;
  /** By task id; a task that is not there makes the system incomplete. */
  readonly tasks: ReadonlyMap<string, TaskResults>;
}

export interface TaskResults {
  readonly cost: Omit<Cost, 'modelBytes'> & Partial<Pick<Cost, 'modelBytes'>>;
  /** FLOPs of each query in the order of `values`; null where they are not known. */
  readonly queryFlops?: Float64Array | null;
  readonly queryMs: Pick<Timing['queryMs'], 'p50' | 'p95'>;
  /** It reordered a frozen pool together with the rows that the safeguard forced in. */
  readonly safeguarded?: boolean;
  /** A frozen pool as it is: nothing ran, and what made the pool is in no cost. */
  readonly frozen?: boolean;
  /** The run was made elsewhere: nothing is known of its cost. */
  readonly imported?: Origin;
  /** By measure; one that is not there is undefined for the task. */
  readonly values: ReadonlyMap<string, QueryValues>;
}

/** A measure of every query of a task, in one order for all systems: each array has a value per query, none NaN. */
export interface QueryValues {
  readonly expected: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/** Where something from elsewhere stood: a format's name and a file's, both as they came. */
export interface Origin {
  readonly format: string;
  readonly file: string;
}

/** Means without rankings: no ties, no intervals, no rank. */
export interface ImportedSystem {
  readonly id: string;
  readonly family: FamilyName;
  /** By task id. */
  readonly tasks: ReadonlyMap<string, ImportedTask>;
}

export interface ImportedTask {
  readonly origin: Origin;
  /** By measure: the mean, finite, and over how many queries where that is known. */
  readonly values: ReadonlyMap<string, { readonly value: number; readonly n: number | null }>;
}

/**
 * board.json. Object types are aliases and not interfaces, so that they are assignable to `Json`; the records are
 * made by `Object.fromEntries` and read by `own`, so that no name is special.
 */
export type Board = {
  readonly schema: 'tenbin/board@1';
  readonly primary: string;
  readonly measures: readonly string[];
  /** How `low` and `high` came about. */
  readonly interval: {
    readonly method: 'percentile';
    readonly confidence: 0.95;
    /** What was drawn for micro, macro and suites; of a suite with one task, and for a task's own mean, always its queries. */
    readonly level: DrawLevel;
    readonly resamples: number;
    readonly seed: number;
  };
  /** By id, in code-point order. */
  readonly tasks: readonly BoardTask[];
  /** Complete ones by their micro mean, then those that lack a task. */
  readonly systems: readonly BoardSystem[];
};

export type BoardSystem = {
  readonly id: string;
  readonly family: FamilyName;
  /** Only where it is from elsewhere: runs are scored and ranked as ours, of means nothing but their value is known. */
  readonly imported?: { readonly as: 'runs' | 'means'; readonly format: string; readonly files: readonly string[] };
  readonly complete: boolean;
  /** Ids of the tasks that it lacks; of imported means those without the primary measure. */
  readonly missing: readonly string[];
  /** Its candidates hold safeguard rows: positives that were put in, so systems that search have it harder. */
  readonly safeguarded: boolean;
  /** Competition ranks (1, 2, 2, 4) by the primary measure. */
  readonly rank: { readonly micro: number; readonly macro: number } | null;
  /** 1 for the systems that the data cannot tell from the best one, 2 for those of the best of the rest, … */
  readonly group: number | null;
  readonly micro: ByMeasure;
  readonly macro: ByMeasure;
  readonly suites: Readonly<Record<string, ByMeasure>>;
  readonly tasks: Readonly<Record<string, ByMeasure>>;
  readonly cost: BoardCost;
};

export type ByMeasure = Readonly<Record<string, Estimate>>;

/** A mean with its 95 % interval, and the bounds it has over all orders inside ties. All null where `n` is 0. */
export type Estimate = {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** What the mean is over: queries of a task (null where an imported file does not say), tasks of a suite or of micro, suites of macro. */
  readonly n: number | null;
};

/** Means over the tasks that the system has a run of ours on, each task equal; null where there is none. */
export type BoardCost = {
  readonly bytesPerDoc: number | null;
  readonly bytesPerQuery: number | null;
  readonly indexBytes: number | null;
  /** `indexBytes` without what is stored for each document. */
  readonly indexOverheadBytes: number | null;
  /** Weights as they are stored. */
  readonly modelBytes: number | null;
  /** All stages; 0 where a system needs none (its work is in `opsPerQuery`), null where those of a model are not known. */
  readonly flopsPerQuery: number | null;
  /** Means by stage, of systems whose FLOPs are known. */
  readonly flopsByStage: Readonly<Partial<Record<Stage, number>>>;
  /** Over all queries of all tasks; `padded`: `flopsPerQuery` with the padding of the models' batches; null without models. */
  readonly flops: {
    readonly p50: number;
    readonly p95: number;
    readonly max: number;
    readonly padded: number | null;
  } | null;
  /** Only the units that some run counted. */
  readonly opsPerQuery: Readonly<Partial<Record<Exclude<WorkUnit, 'flops' | 'paddingFlops'>, number>>>;
  readonly latencyMs: { readonly p50: number | null; readonly p95: number | null };
  /** Ranking quality per PetaFLOP by measure, and queries per PetaFLOP (arXiv 2507.06223); null without FLOPs or with none. */
  readonly RPP: Readonly<Record<string, Ratio | null>>;
  readonly QPP: Ratio | null;
};

/** Two figures that differ where queries cost different amounts: never one for the other. */
export type Ratio = {
  /** Of quality (or 1) per PetaFLOP of each query: the mean over tasks of the mean over queries. Null where one needed none. */
  readonly meanOfRatios: number | null;
  /** Mean quality (or 1) per PetaFLOP of the mean query: `micro` over `flopsPerQuery`. */
  readonly ratioOfMeans: number;
};

/** A record's own value of that key: `own(record, '__proto__')` is undefined unless it was put there. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
