export type Awaitable<T> = T | Promise<T>;

/**
 * Work of one query, counted while it was done, never guessed; units are not added to each other. `flops` are additions and
 * multiplications of numbers that the method needs; `paddingFlops` are those that a model did besides, for the padding of
 * its batches.
 */
export type WorkUnit =
  | 'flops'
  | 'integerOps'
  | 'popcountWords'
  | 'postings'
  | 'distanceComputations'
  | 'lookUps'
  | 'tokens'
  | 'paddingFlops'
  | 'promptTokens'
  | 'completionTokens'
  | 'calls';
export type Conditions = Readonly<Record<string, string | number | boolean>>;
export type Work = Readonly<Partial<Record<WorkUnit, number>>>;

/** What a query goes through: the model that reads it, the first list, exact scores of a part of it, a reranker. */
export const stages = ['encode', 'search', 'rescore', 'rerank'] as const;
export type Stage = (typeof stages)[number];
export type StagedWork = Readonly<Partial<Record<Stage, Work>>>;
