/**
 * The contracts between a system and the harness. A system under test sees texts by position, never ids or
 * judgements, so leakage does not type-check.
 */
export type Awaitable<T> = T | Promise<T>;

export interface Texts {
  readonly docs: readonly string[];
  readonly queries: readonly string[];
}

/** Work of one query, counted while it was done, never guessed; units are not added to each other. */
export type WorkUnit = 'flops' | 'integerOps' | 'popcountWords' | 'postings';
export type Work = Readonly<Partial<Record<WorkUnit, number>>>;

export interface Hits {
  /** Document positions by descending score, ascending position inside a tie. */
  readonly docs: Int32Array;
  readonly scores: Float64Array;
  readonly work: Work;
}

export interface Index {
  /** Bytes of everything that a search needs in memory. */
  readonly bytes: number;
  /** Bytes stored for each document on average, without what is shared by all of them (vocabulary, ranges). */
  readonly bytesPerDoc: number;
  /**
   * The best `k` documents for the query at that position; every document tied with the k-th is kept, so there may
   * be more. With `among`, exactly those documents are scored and ranked, even those that match nothing.
   */
  readonly search: (query: number, k: number, among?: Int32Array) => Awaitable<Hits>;
}

/** One vector per text, row-major. */
export interface DenseEncoding {
  readonly kind: 'dense';
  readonly dims: number;
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
}

export type Encoding = DenseEncoding | SparseEncoding;

/** A system made ready for one task. Variants turn one into another. */
export interface Prepared {
  readonly encoding: Encoding | null;
  /** Exact search over the encoding as it stands: what `rescore` scores with. */
  readonly exact: Index;
  /** What answers queries: `exact` until a variant replaces it. */
  readonly index: Index;
  /** Mean work of turning one query into its encoding. */
  readonly encodeWork: Work;
  /** Bytes of the model itself (a projection, weights); 0 for lexical ones. */
  readonly modelBytes: number;
  /** Facts for run.json that change a number or say how it came about. */
  readonly conditions: Readonly<Record<string, string | number | boolean>>;
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
  readonly family: 'lexical';
  /** Canonical text; parameters at their default are left out. */
  readonly id: string;
  readonly summary: string;
  readonly weighting: LexicalWeighting;
  /** Stands in for the analyzer that the task's language chooses. */
  readonly analyzer?: Analyzer;
}

export interface DenseModel {
  readonly family: 'dense';
  readonly id: string;
  readonly summary: string;
  readonly dims: number;
  /** The backend that turns texts into vectors. */
  readonly backend: string;
}

export type Model = LexicalModel | DenseModel;

/** An engine that runs a model: texts in, tensors out. It knows nothing of retrieval. */
export interface Backend {
  readonly id: string;
  readonly encode: (texts: Texts, model: DenseModel, engine: Engine) => Awaitable<BackendOutput>;
}

export interface BackendOutput {
  readonly encoding: DenseEncoding;
  readonly encodeWork: Work;
  readonly modelBytes: number;
  readonly conditions: Readonly<Record<string, string | number | boolean>>;
}

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
  readonly accepts: (prepared: Prepared) => Refusal | null;
  readonly apply: (prepared: Prepared) => Awaitable<Prepared>;
}
