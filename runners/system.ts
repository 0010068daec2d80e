import type { Json } from '../core/canonical.js';
import type { Awaitable, Conditions, Stage, StagedWork, Work } from './facts.js';
import type { EncodingFamily, ModelRuntime, PretrainedModel } from './pretrained.js';

export type { Awaitable, Conditions, Stage, StagedWork, Work, WorkUnit } from './facts.js';
export { stages } from './facts.js';
export type {
  CacheEntry,
  DownloadProgress,
  EncodingFamily,
  ModelAccess,
  ModelRuntime,
  PretrainedModel,
  VectorCache,
} from './pretrained.js';

/**
 * The contracts between a system and the harness. A system under test sees texts by position, never ids or
 * judgements, so leakage does not type-check.
 */
export interface Texts {
  readonly docs: readonly string[];
  readonly queries: readonly string[];
}

export interface Hits {
  /** Document positions by descending score, ascending position inside a tie. */
  readonly docs: Int32Array;
  readonly scores: Float64Array;
  readonly work: Work;
  /** `work` by stage, where it is of more than one: all of it is the search's when nothing is said. */
  readonly stages?: StagedWork;
}

/** A part of a search that takes a list and gives one: searches made of several can be watched step by step. */
export interface IndexStep {
  readonly stage: Stage;
  /** `before` is what the step before gave; null for the first. */
  readonly run: (query: number, k: number, before: Hits | null) => Awaitable<Hits>;
}

export interface Index {
  /** Bytes of what is stored to be searched; tables that a kernel derives from it to be faster are not counted. */
  readonly bytes: number;
  /** Bytes stored for each document on average, without what is shared by all of them (vocabulary, ranges). */
  readonly bytesPerDoc: number;
  /** Bytes of one query in the form that the search reads, on average; absent where it reads text. */
  readonly bytesPerQuery?: number;
  /** The same answers as `search` without `among`, one step after the other. Absent where there is but one. */
  readonly steps?: readonly IndexStep[];
  /**
   * The best `k` documents for the query at that position; every document tied with the k-th is kept, so there may
   * be more. With `among`, exactly those documents are scored and ranked, even those that match nothing.
   */
  readonly search: (query: number, k: number, among?: Int32Array) => Awaitable<Hits>;
  /** The same answers for several queries at once, where that is faster; times are then means over the block. */
  readonly searchBlock?: (queries: Int32Array, k: number) => Awaitable<readonly Hits[]>;
}

/** One vector per text, row-major. */
export interface DenseEncoding {
  readonly kind: 'dense';
  readonly dims: number;
  /** What the dot product of two rows is: rows of unit length give the cosine. */
  readonly similarity: 'cosine' | 'dot';
  readonly docs: Float32Array;
  readonly queries: Float32Array;
}

/** Rows of sorted term numbers with a weight each: the compressed sparse rows of a matrix. */
export interface SparseRows {
  /** Row r is terms[offsets[r] .. offsets[r + 1]). */
  readonly offsets: Int32Array;
  readonly terms: Int32Array;
  readonly weights: Float64Array;
}

/** Lexical and learned-sparse alike: the score of a document is the dot product of two sparse rows. */
export interface SparseEncoding {
  readonly kind: 'sparse';
  readonly termCount: number;
  readonly docs: SparseRows;
  readonly queries: SparseRows;
  /** Added once for each unit of the query's mass (sum of weights): the document prior of query likelihood. */
  readonly docBias?: Float64Array;
  /** Counted terms, whose work is stated in postings alone; else weights are learned, and products of them are flops. */
  readonly origin?: 'lexical';
}

/** One vector per scored token: text t has the rows offsets[t] .. offsets[t + 1) of a row-major matrix. */
export interface TokenRows {
  readonly offsets: Int32Array;
  readonly vectors: Float32Array;
}

/** Late interaction: the score of a document is Σ over query vectors of the greatest dot product (MaxSim). */
export interface LateInteractionEncoding {
  readonly kind: 'late-interaction';
  readonly dims: number;
  readonly docs: TokenRows;
  readonly queries: TokenRows;
}

/** Documents too many to hold at once: made ready again a block at a time, in order, each with all queries. */
export interface BlockedEncoding {
  readonly kind: 'blocks';
  readonly docCount: number;
  readonly queryCount: number;
  readonly blocks: () => AsyncIterable<Block>;
}

export interface Block {
  /** Position of the block's first document. */
  readonly start: number;
  readonly docCount: number;
  readonly prepared: Prepared;
}

export type Encoding = DenseEncoding | SparseEncoding | LateInteractionEncoding | BlockedEncoding;

export interface Counted {
  readonly conditions: Conditions;
  readonly modelBytes: number;
}

/** `counted` is known only after the queries were answered, and wins over the fields of the same name. */
export interface CountingIndex {
  readonly index: Index;
  readonly counted: () => Counted;
}

/** Special tokens, prompts and masks included, padding not. */
export interface TokenCounts {
  /** The model's id. */
  readonly model: string;
  /** By position. */
  readonly docs: Int32Array;
  readonly queries: Int32Array;
}

/** A system made ready for one task. Variants turn one into another. */
export interface Prepared {
  readonly encoding: Encoding | null;
  /** Exact search over the encoding as it stands: what `rescore` scores with. */
  readonly exact: Index;
  /** What answers queries: `exact` until a variant replaces it. */
  readonly index: Index;
  /** Work of turning a query into its encoding: of each query, or the mean of all. */
  readonly encodeWork: Work | readonly Work[];
  /** Tokens that went through a model with weights; absent where there is none, or where it does not say. */
  readonly tokens?: TokenCounts;
  /** Bytes of the model itself (a projection, weights); 0 for lexical ones. */
  readonly modelBytes: number;
  /** Facts for run.json that change a number or say how it came about. */
  readonly conditions: Conditions;
  /** For what is counted while queries are answered: each system that uses this gets an index and counts of its own. */
  readonly countingIndex?: () => CountingIndex;
  /** Canonical texts of the variants applied so far, in order. */
  readonly applied: readonly string[];
}

/** Splits a text into the terms of an index. */
export interface Analyzer {
  /** The canonical text: `english`, `snowball@fr`. */
  readonly id: string;
  /** Versions of the data that the terms depend on: Unicode, ICU, stemmer. Part of a run's digest. */
  readonly version: string;
  readonly analyze: (text: string) => string[];
}

export interface Engine {
  readonly analyzer: Analyzer;
  /** For choices that a model makes at random (the start of an SVD). */
  readonly seed: number;
  /** What running a model needs from outside; models that come as files or services are refused without it. */
  readonly runtime?: ModelRuntime;
}

export const familyNames = ['lexical', 'dense', 'sparse', 'late-interaction', 'reranker'] as const;
export type FamilyName = (typeof familyNames)[number];

/** What a weighting sees of the collection. */
export interface CollectionStats {
  readonly docCount: number;
  /** Terms of all documents together. */
  readonly totalLength: number;
  readonly averageLength: number;
}

export interface TermStats {
  /** Documents that hold the term. */
  readonly documentFrequency: number;
  /** Occurrences in the whole collection. */
  readonly collectionFrequency: number;
}

/** How a lexical model weighs a term in a document; the score is the sum over the query's terms, repeated ones again. */
export interface LexicalWeighting {
  readonly weigh: (stats: CollectionStats) => {
    /** Weight of a term with that frequency in a document of that length. */
    readonly weight: (term: TermStats, frequency: number, length: number) => number;
    /** Added once for every query term, matched or not (query likelihood). */
    readonly bias?: (length: number) => number;
  };
  /** Scales document rows to unit length, and query rows: the cosine of tf-idf. */
  readonly normalize?: boolean;
}

export interface LexicalModel {
  readonly kind: 'lexical';
  readonly family: 'lexical';
  /** Canonical text; parameters at their default are left out. */
  readonly id: string;
  readonly summary: string;
  readonly weighting: LexicalWeighting;
  /** Stands in for the analyzer that the task's language chooses. */
  readonly analyzer?: Analyzer;
}

/** A model that is fitted to the documents at hand (LSA): nothing to download, nothing to open. */
export interface FittedModel {
  readonly kind: 'fitted';
  readonly family: EncodingFamily;
  /** Canonical text; parameters at their default are left out. */
  readonly id: string;
  readonly summary: string;
  readonly encode: (texts: Texts, engine: Engine) => Awaitable<BackendOutput>;
}

/**
 * A model that comes with the program and prepares itself, whatever its family: a reranker by rules, which sees texts
 * and answers `among` only, or another engine to compare with.
 */
export interface BuiltInModel {
  readonly kind: 'built-in';
  readonly family: FamilyName;
  /** Canonical text; parameters at their default are left out. */
  readonly id: string;
  readonly summary: string;
  readonly prepare: (texts: Texts, engine: Engine) => Awaitable<Prepared>;
}

/** A system from a module of the user's: whatever its family, it prepares itself. */
export interface CustomModel {
  readonly kind: 'custom';
  readonly family: FamilyName;
  readonly id: string;
  readonly summary: string;
  /** The digest of the module's bytes. */
  readonly identity: Json;
  readonly prepare: (texts: Texts, engine: Engine) => Awaitable<Prepared>;
}

export type Model = LexicalModel | FittedModel | PretrainedModel | BuiltInModel | CustomModel;

/** The tensors of a task's texts, whoever made them. */
export interface BackendOutput {
  readonly encoding: Encoding;
  /** Of each query, or the mean of all. */
  readonly encodeWork: Work | readonly Work[];
  readonly tokens?: TokenCounts;
  readonly modelBytes: number;
  readonly conditions: Conditions;
}

/** How the tensors of a family are read and searched. */
export interface Family {
  readonly id: FamilyName;
  readonly prepare: (texts: Texts, model: Model, engine: Engine) => Promise<Prepared>;
}

/** Why a variant does not fit, as a sentence: the planner skips it and prints this. */
export interface Refusal {
  readonly reason: string;
}

export interface Variant {
  /** Canonical text: `truncate@128`, `int8`, `rescore@4`. */
  readonly id: string;
  /**
   * How a corpus larger than memory may be changed: `documents` one block after the other, since a document's entry depends
   * on that document alone; `answers` as a whole, since only what indexes answer is looked at. Else it is refused.
   */
  readonly looksAt?: 'documents' | 'answers';
  readonly accepts: (prepared: Prepared) => Refusal | null;
  readonly apply: (prepared: Prepared) => Awaitable<Prepared>;
}
