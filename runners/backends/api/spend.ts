import type { OpenModel } from '../../open-model.js';
import { type BatchLimits, batchesOf, estimatedTokens } from './batches.js';

/** What was asked of a service since the model was opened. */
export interface Spent {
  /** Requests that were sent, those sent again included. */
  readonly requests: number;
  /** Tokens as the service counts them; null when an answer did not say. */
  readonly promptTokens: number | null;
  /** Requests that were sent again after a failure. */
  readonly retries: number;
  /** Cohere's unit of billing; null where the service has none. */
  readonly searchUnits: number | null;
}

/** Models behind services count what they ask for. */
export interface Metered {
  readonly spent: () => Spent;
}

/** What an open model has spent; null for models that run here. */
export function spentBy(model: OpenModel): Spent | null {
  const metered: OpenModel & Partial<Metered> = model;
  return metered.spent?.() ?? null;
}

/** What an answer says that it cost. */
export interface Usage {
  readonly promptTokens: number | null;
  readonly searchUnits: number | null;
}

export interface Meter extends Metered {
  readonly sent: (which: 'first' | 'again') => void;
  /** Takes one back that never reached the service. */
  readonly unsent: (which: 'first' | 'again') => void;
  readonly answered: (usage: Usage) => void;
}

export function meter(): Meter {
  let requests = 0;
  let retries = 0;
  let promptTokens: number | null = null;
  let searchUnits: number | null = null;
  let answers = 0;
  return {
    sent: (which) => {
      requests++;
      if (which === 'again') retries++;
    },
    unsent: (which) => {
      requests--;
      if (which === 'again') retries--;
    },
    answered: (usage) => {
      promptTokens = plus(promptTokens, usage.promptTokens, answers);
      searchUnits = plus(searchUnits, usage.searchUnits, answers);
      answers++;
    },
    spent: () => ({ requests, promptTokens, retries, searchUnits }),
  };
}

/** A sum that one answer is missing from is no sum. */
function plus(before: number | null, more: number | null, answers: number): number | null {
  if (more === null || (before === null && answers > 0)) return null;
  return (before ?? 0) + more;
}

export interface Estimate {
  readonly requests: number;
  /** By UTF-8 bytes / 3. */
  readonly tokens: number;
  /** `pairs` stand for the first call only: a reranker is called for every query, and they are much alike. */
  readonly of: 'texts' | 'pairs';
}

/** What it takes to embed these texts in batches; an upper bound for most texts. */
export function estimateSpend(texts: readonly string[], limits: BatchLimits): Estimate {
  const tokens = texts.map(estimatedTokens);
  return { requests: batchesOf(tokens, limits).length, tokens: sumOf(tokens), of: 'texts' };
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** The sentence before anything is sent. */
export function estimateNote(
  id: string,
  host: string,
  { requests, tokens, of }: Estimate,
  price: number | null,
): string {
  const many = `${count(requests, 'request')} to ${host} with about ${count(tokens, 'token')}`;
  const more = of === 'pairs' ? '; the next lists are not announced' : '';
  return `${id}: ${many} (UTF-8 bytes / 3, rather too many)${cost(tokens, price)}${more}`;
}

/** The sentence after everything was answered. */
export function spentNote(
  id: string,
  { requests, promptTokens, retries, searchUnits }: Spent,
  price: number | null,
): string {
  const parts = [
    count(requests, 'request'),
    promptTokens === null ? 'tokens not said by the service' : count(promptTokens, 'token'),
    ...(searchUnits === null ? [] : [count(searchUnits, 'search unit')]),
    ...(retries === 0 ? [] : [`${retries} of the requests sent again`]),
  ];
  return `${id}: spent ${parts.join(', ')}${promptTokens === null ? '' : cost(promptTokens, price)}`;
}

function cost(tokens: number, price: number | null): string {
  if (price === null) return '';
  const amount = (tokens * price) / 1_000_000;
  return `, ${amount >= 1 ? amount.toFixed(2) : String(Number(amount.toPrecision(3)))} at ${price} for a million tokens (TENBIN_PRICE_PROMPT)`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
