export type Awaitable<T> = T | Promise<T>;

/** Work of one query, counted while it was done, never guessed; units are not added to each other. */
export type WorkUnit =
  | 'flops'
  | 'integerOps'
  | 'popcountWords'
  | 'postings'
  | 'tokens'
  | 'promptTokens'
  | 'completionTokens'
  | 'calls';
export type Conditions = Readonly<Record<string, string | number | boolean>>;
export type Work = Readonly<Partial<Record<WorkUnit, number>>>;
