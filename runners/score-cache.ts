import type { Json } from '../core/canonical.js';
import { type Digest, digestOf, sha256 } from '../core/digest.js';
import { tokenFactsFrom } from './encoding-cache.js';
import type { Counts, TokenFacts } from './open-model.js';
import type { CacheEntry, Conditions, PretrainedModel, Work } from './system.js';

/** Raised by hand whenever a change of ours may change a reranker's score. */
const scoringRevision = 2;

/** What a reranker gave for one query and a list of documents, with what it said of itself. */
export interface CachedScores {
  /** What is ranked by, one for each document in the order shown. */
  readonly margins: Float64Array;
  readonly tokens: TokenFacts | null;
  readonly work: Work;
  readonly counts: Counts;
  readonly conditions: Conditions;
  readonly modelBytes: number;
}

export interface Shown {
  readonly query: string;
  /** In the order in which the model sees them. */
  readonly documents: readonly string[];
  /** For models that order a list only as far as is wanted; null for those that score each pair. */
  readonly wanted: number | null;
}

export function scoresKey({ identity }: PretrainedModel, { query, documents, wanted }: Shown): Digest {
  return digestOf({
    schema: 'tenbin/scores@1',
    revision: scoringRevision,
    model: identity,
    query: sha256(query),
    documents: documents.map((text) => sha256(text)),
    wanted,
  });
}

export function toScoresEntry(model: string, scores: CachedScores): CacheEntry {
  const { margins, tokens, work, counts, conditions, modelBytes } = scores;
  return {
    facts: { kind: 'scores', model, work: work as Json, counts, conditions, modelBytes, hasTokens: tokens !== null },
    arrays: { margins, ...(tokens === null ? {} : tokens) },
  };
}

/** The entry as it was put in; null when it is of another shape or length, which only a foreign file can be. */
export function fromScoresEntry({ facts, arrays }: CacheEntry, count: number): CachedScores | null {
  const { margins } = arrays;
  if (!(margins instanceof Float64Array) || margins.length !== count || typeof facts.modelBytes !== 'number')
    return null;
  const tokens = tokenFactsFrom(arrays);
  if ((tokens !== null) !== (facts.hasTokens === true)) return null;
  return {
    margins,
    tokens,
    work: facts.work as Work,
    counts: (facts.counts ?? {}) as Counts,
    conditions: facts.conditions as Conditions,
    modelBytes: facts.modelBytes,
  };
}
