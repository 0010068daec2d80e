import type { Awaitable } from '../runners/facts.js';

/** What a model under training is asked for: one vector per text, in the order of the texts. */
export type Embed = (
  texts: readonly string[],
  about: { readonly kind: 'query' | 'document' },
) => Awaitable<readonly ArrayLike<number>[]>;

export interface NanoEvaluatorOptions {
  /** As everywhere (`nDCG@10`); the first is the score. nDCG@10 and AP@10 when nothing is said. */
  readonly measures?: readonly string[];
  /** Stands before every query and every document. */
  readonly queryPrompt?: string;
  readonly documentPrompt?: string;
  readonly similarity?: 'cosine' | 'dot';
  /** Texts for each call; 32. */
  readonly batchSize?: number;
  /** Only the first dimensions, scaled to unit length again under the cosine: the variant `truncate@D`. */
  readonly truncate?: number;
  /** A sample of each task's queries: by keyed hash, so that a smaller one lies in a larger one of the same seed (17). */
  readonly queries?: { readonly limit: number; readonly seed?: number };
  /** `candidates` are the documents of the frozen pools of the queries, and all that is judged for them: a smaller, easier corpus. */
  readonly documents?: 'all' | 'candidates';
}

export interface NanoScore {
  /** The primary measure: the mean over tasks, each equal, as a board's micro mean. */
  readonly score: number;
  /** By canonical measure name; over ties the expected value. */
  readonly mean: ByName;
  readonly perTask: Readonly<Record<string, NanoTaskScore>>;
  /** Texts that were embedded. */
  readonly queries: number;
  readonly docs: number;
}

export interface NanoTaskScore {
  readonly mean: ByName;
  /** By id of the query, then by measure. */
  readonly perQuery: Readonly<Record<string, ByName>>;
  readonly queries: number;
  readonly docs: number;
}

type ByName = Readonly<Record<string, number>>;

export interface NanoEvaluator {
  /** Canonical name of the measure behind `score`. */
  readonly primary: string;
  /**
   * Embeds, searches and scores; the same vectors give the same numbers. Throws `not-finite` for a number that is none (or
   * does not fit float32), `malformed` for a wrong count, a dimension that changes and a vector of zeros; each names
   * the text.
   */
  readonly evaluate: (embed: Embed) => Promise<NanoScore>;
}
