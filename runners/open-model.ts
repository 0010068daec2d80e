import type { Work } from './facts.js';

/** What a text is to a model: its prompt, markers and length follow from it. */
export type Role = 'query' | 'document';

/** How texts became tokens, one entry for each text or pair. */
export interface TokenFacts {
  /** Tokens fed to the graph, special tokens, prompts, markers and masks included, padding not. */
  readonly counts: Int32Array;
  /** 1 where at least one token was left out. */
  readonly truncated: Uint8Array;
  /** Positions that were computed for each: the width of its batch. Absent where the batches are not known. */
  readonly widths?: Int32Array;
  /** Of an encoder-decoder, the decoder's part of `counts`, and the width of the decoder's batch (`widths` is the encoder's). */
  readonly decoderCounts?: Int32Array;
  readonly decoderWidths?: Int32Array;
  /** Rows of a table that were read instead, where no graph ran: `counts` and `widths` are 0 then. */
  readonly lookUps?: Int32Array;
  /** Positions whose logits over the vocabulary are read, where that depends on the text: the query's in query likelihood. */
  readonly predicted?: Int32Array;
}

/** Wall-clock times of one call, measured where the work is done; they are never stored in the cache. */
export interface CallTimes {
  readonly tokenizeMs: number;
  /** In the graph, its thread's queue and the reading of its output included. */
  readonly modelMs: number;
}

export interface DenseTexts {
  readonly kind: 'dense';
  readonly dims: number;
  /** Row-major, one row per text; normalized if the card says so. */
  readonly vectors: Float32Array;
}

export interface SparseTexts {
  readonly kind: 'sparse';
  readonly termCount: number;
  /** Row r is terms[offsets[r] .. offsets[r + 1]), terms ascending, weights above zero. */
  readonly offsets: Int32Array;
  readonly terms: Int32Array;
  readonly weights: Float32Array;
}

export interface TokenVectors {
  readonly kind: 'late-interaction';
  readonly dims: number;
  /** The scored positions of text t are the rows offsets[t] .. offsets[t + 1). */
  readonly offsets: Int32Array;
  /** Row-major, of unit length. */
  readonly vectors: Float32Array;
}

/** `tokens` is null where a service does not say how it cut its texts. */
export type EncodedTexts = (DenseTexts | SparseTexts | TokenVectors) & {
  readonly tokens: TokenFacts | null;
  readonly times?: CallTimes;
};

/** What happened on the way and is added up over a run: answers repaired, passages cut. */
export type Counts = Readonly<Record<string, number>>;

/** Called with how many more texts (or pairs) are done. */
export type OnStep = (done: number) => void;

interface Opened {
  /** Facts for run.json: device, number format, engine version, batch rule. */
  readonly conditions: Readonly<Record<string, string | number | boolean>>;
  /** Bytes of the weights; 0 for services. */
  readonly modelBytes: number;
  /** Releases what the model holds; nothing is asked of it afterwards. */
  readonly close: () => Promise<void>;
}

/** A model that turns texts into tensors, in the order of the texts. */
export interface TextEncoder extends Opened {
  readonly kind: 'encoder';
  readonly encode: (texts: readonly string[], role: Role, onStep?: OnStep) => Promise<EncodedTexts>;
  /** Ids fed to the graph for a text, before padding; null for services. */
  readonly tokenIds: (text: string, role: Role) => readonly number[] | null;
}

export interface Pair {
  readonly query: string;
  readonly document: string;
}

export interface PairScores {
  /** What is ranked by: the logit, the difference of two, or the service's score. float64. */
  readonly margins: Float64Array;
  readonly tokens: TokenFacts | null;
  readonly times?: CallTimes;
  readonly work?: Work;
  readonly counts?: Counts;
}

/** A model that scores a document for a query, in the order of the pairs. */
export interface PairScorer extends Opened {
  readonly kind: 'scorer';
  readonly score: (pairs: readonly Pair[], onStep?: OnStep) => Promise<PairScores>;
  readonly tokenIds: (pair: Pair) => readonly number[] | null;
  /** The probability that a margin stands for; `margin` where a service's score is reported as it is. */
  readonly probability: 'sigmoid' | 'exp' | 'margin';
}

/** A model that orders a list by looking at several documents at once: best first, as indices into `documents`. */
export interface ListRanker extends Opened {
  readonly kind: 'ranker';
  readonly rank: (query: string, documents: readonly string[], k: number) => Promise<RankedList>;
}

export interface RankedList {
  /** Every index once, best first. */
  readonly order: readonly number[];
  readonly work: Work;
  readonly counts?: Counts;
}

export type OpenModel = TextEncoder | PairScorer | ListRanker;
