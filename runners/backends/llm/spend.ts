import type { Question } from '../../schedules/schedule.js';
import type { ModelAccess } from '../../system.js';
import { priceFrom } from '../price.js';
import { cutText } from './cut.js';
import { listPrompt, type Prompt, pairPrompt, relevancePrompt, setPrompt } from './prompts.js';
import { checkSettings, type LlmSettings } from './settings.js';
import type { CallTotals } from './tally.js';

/** Prices per million tokens, in whatever currency the user has in mind. */
export interface Prices {
  readonly prompt: number;
  readonly completion: number;
}

export interface Spend {
  /** `estimate`: calls at most, tokens from characters / 4; `usage`: as the service counted. */
  readonly basis: 'estimate' | 'usage';
  readonly calls: number;
  /** Null where the service did not say. */
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** In the currency of the prices; null without prices or without tokens. */
  readonly cost: number | null;
}

/** One list that is to be ranked. */
export interface ListToRank {
  readonly query: string;
  readonly documents: readonly string[];
}

/** TENBIN_PRICE_PROMPT and TENBIN_PRICE_COMPLETION; null unless both are set: there are no prices of ours. */
export function pricesFrom(environment: ModelAccess['environment']): Prices | null {
  const prompt = priceFrom(environment, 'TENBIN_PRICE_PROMPT');
  const completion = priceFrom(environment, 'TENBIN_PRICE_COMPLETION');
  return prompt === null || completion === null ? null : { prompt, completion };
}

const charactersPerToken = 4;

/**
 * What ranking these lists would ask for, before anything is asked. Calls are the schedule's most, answers as long as
 * they may be; a token is taken to be four characters, which is about right for English and too few for most others.
 */
export function estimateSpend(settings: LlmSettings, lists: readonly ListToRank[], prices: Prices | null): Spend {
  const { schedule, topK, maxDocumentCharacters } = checkSettings(settings);
  let calls = 0;
  let promptTokens = 0;
  let completionTokens = 0;
  for (const { query, documents } of lists) {
    const listCalls = schedule.callLimit(documents.length, topK);
    const lengths = documents.map((document) => cutText(document, maxDocumentCharacters).length);
    const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
    const shown = Math.min(documents.length, schedule.passagesPerCall);
    const { messages, maxTokens } = emptyPrompt(schedule.question, query, shown);
    const around = messages.reduce((sum, { content }) => sum + content.length, 0);
    calls += listCalls;
    promptTokens += Math.ceil((listCalls * (around + shown * meanLength)) / charactersPerToken);
    completionTokens += listCalls * maxTokens;
  }
  return spend('estimate', { calls, promptTokens, completionTokens }, prices);
}

/** What was asked for, by the service's own count. */
export function spendOf(totals: CallTotals, prices: Prices | null): Spend {
  const { calls, promptTokens, completionTokens } = totals;
  return spend('usage', { calls, promptTokens, completionTokens }, prices);
}

function spend(basis: Spend['basis'], counts: Omit<Spend, 'basis' | 'cost'>, prices: Prices | null): Spend {
  const { promptTokens, completionTokens } = counts;
  const priced = prices !== null && promptTokens !== null && completionTokens !== null;
  const cost = priced ? (promptTokens * prices.prompt + completionTokens * prices.completion) / 1e6 : null;
  return { basis, ...counts, cost };
}

/** The prompt around passages without text. */
function emptyPrompt(question: Question, query: string, shown: number): Prompt {
  const passages = new Array<string>(shown).fill('');
  if (question === 'pair') return pairPrompt(query, passages);
  if (question === 'list') return listPrompt(query, passages);
  if (question === 'set' || question === 'list-likelihood') return setPrompt(query, passages);
  // The frame of query likelihood is shorter than this one, and one token is generated.
  return { ...relevancePrompt(query, ''), ...(question === 'query-likelihood' ? { maxTokens: 1 } : {}) };
}

/** The sentence for either: what a list would cost before it is asked, or what all of them did. */
export function spendNote(id: string, { basis, calls, promptTokens, completionTokens, cost }: Spend): string {
  const estimated = basis === 'estimate';
  const tokens =
    promptTokens === null || completionTokens === null
      ? 'tokens not said by the service'
      : `${estimated ? 'about ' : ''}${promptTokens} tokens in and ${estimated ? 'at most ' : ''}${completionTokens} out`;
  const prompts = `${estimated ? 'a list like the first takes at most' : 'spent'} ${calls} ${calls === 1 ? 'prompt' : 'prompts'}`;
  const how = estimated ? ' (an estimate: characters / 4)' : '';
  const price = cost === null ? '' : `, ${cost.toPrecision(3)} by TENBIN_PRICE_PROMPT and TENBIN_PRICE_COMPLETION`;
  return `${id}: ${prompts}, ${tokens}${how}${price}`;
}
