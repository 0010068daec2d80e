import type { Digest } from '../core/digest.js';
import type { DocId, QueryId, TaskId } from '../core/ids.js';

/** A document as its source gives it. `at` says where (`corpus.jsonl:17`), for errors. */
export interface SourceDoc {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly at: string;
}

export interface SourceQuery {
  readonly id: string;
  readonly text: string;
  /** Facts about the query to slice results by. */
  readonly meta?: Readonly<Record<string, string | number | boolean>>;
  readonly at: string;
}

/** One judgement. `grade` is the text as it stands in the source: the reader checks it. */
export interface SourceQrel {
  readonly query: string;
  readonly doc: string;
  readonly grade: string;
  readonly at: string;
}

/** What a source is and under which terms: this reaches the manifest and the dataset card. */
export interface SourceFacts {
  readonly title: string;
  readonly licence: string;
  /** One line that names the authors, as the licence asks for. */
  readonly attribution: string;
  readonly citation: string;
  /** BCP-47 codes; `documentLanguage` is given only where it differs from the queries'. */
  readonly language: string;
  readonly documentLanguage?: string;
  readonly domain: string;
}

/** A collection before it is shrunk. Each stream can be read more than once, and in any order. */
export interface Source {
  readonly id: string;
  readonly facts: SourceFacts;
  /** Changes whenever what the streams give changes; does not depend on the order of lines. */
  readonly revision: () => Promise<string>;
  readonly docs: () => AsyncIterable<SourceDoc>;
  readonly queries: () => AsyncIterable<SourceQuery>;
  readonly qrels: () => AsyncIterable<SourceQrel>;
}

/** One named retrieval problem: a source, and what is known of it without opening it. */
export interface TaskSpec {
  readonly id: TaskId;
  /** A SPEC that the source registry binds: `npm:cwe`, `beir:<folder>`. */
  readonly source: string;
  readonly language: string;
  readonly documentLanguage?: string;
  readonly domain: string;
  readonly licence: string;
}

export interface Doc {
  readonly id: DocId;
  readonly text: string;
}

export interface Query {
  readonly id: QueryId;
  readonly text: string;
  readonly meta?: Readonly<Record<string, string | number | boolean>>;
}

/** Documents with their scores, best first. Scores may be equal: those documents are tied. */
export interface Ranking {
  readonly docs: readonly DocId[];
  readonly scores: readonly number[];
}

/** A frozen candidate list; `forced` are the documents that the safeguard put in. */
export interface Candidates extends Ranking {
  readonly forced: readonly DocId[];
}

export type Pool = ReadonlyMap<QueryId, Candidates>;

/** Grades of the judged documents of each query. A document that is not in it is unjudged, which is not zero. */
export type Judgements = ReadonlyMap<QueryId, ReadonlyMap<DocId, number>>;

export interface Counts {
  readonly docs: number;
  readonly queries: number;
  readonly qrels: number;
}

export interface PoolFacts {
  /** The system that made the pool, or what it fuses. */
  readonly system: string;
  readonly recallAt100: number;
  readonly nDCGAt10: number;
  readonly oracleAt10: number;
  readonly forcedRows: number;
}

/** `manifests/<task>.json`: everything that says what the nano-set is, under one digest. */
export interface Manifest {
  readonly schema: 'tenbin/nano@1';
  readonly task: string;
  readonly suite: string;
  readonly source: {
    readonly id: string;
    readonly revision: string;
    readonly title: string;
    readonly attribution: string;
  };
  readonly language: string;
  readonly documentLanguage?: string | undefined;
  readonly domain: string;
  readonly licence: string;
  readonly citation: string;
  /** The analyzer of the `bm25` pool; systems that choose by language choose it too. */
  readonly analyzer: string;
  /** Digest of the files or service behind the model of the `dense` pool; absent for built-in ones. */
  readonly denseModel?: Digest | undefined;
  readonly options: Readonly<Record<string, string | number | boolean | null>>;
  readonly counts: Readonly<Record<string, number | Counts>> & { readonly read: Counts; readonly kept: Counts };
  readonly notes: readonly string[];
  /** Grade → number of judgements kept. */
  readonly grades: Readonly<Record<string, number>>;
  readonly pools: Readonly<Record<string, PoolFacts>>;
  /** File → sha256, paths relative to the suite's folder. */
  readonly files: Readonly<Record<string, Digest>>;
  readonly digest: Digest;
}

/** A task built and frozen. Documents and queries stand in code-point order of their ids. */
export interface NanoSet {
  readonly task: TaskId;
  readonly docs: readonly Doc[];
  readonly queries: readonly Query[];
  readonly judged: Judgements;
  readonly pools: ReadonlyMap<string, Pool>;
  readonly manifest: Manifest;
}
