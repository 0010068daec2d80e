import type { ListRanker, PairScorer } from '../../open-model.js';
import type { ModelAccess } from '../../system.js';
import { newAsker } from './asker.js';
import { type LlmEdge, llmEdge } from './edge.js';
import type { Logprobs } from './judge.js';
import { listRanker } from './list-ranker.js';
import { pairScorer } from './pair-scorer.js';
import { probeLogprobs } from './probe.js';
import { promptsDigest } from './prompts.js';
import { type CheckedSettings, checkSettings, type LlmSettings } from './settings.js';
import { spendNotes } from './spend-notes.js';
import { type CallTotals, newTally } from './tally.js';

/** What opening uses of what it may use. */
export type LlmAccess = Pick<ModelAccess, 'environment' | 'logFolder' | 'onNote'>;

/** A reranker that asks a chat model; `totals` are over everything since it was opened, its probe included. */
export type LlmRanker = (ListRanker | PairScorer) & {
  readonly totals: () => CallTotals;
  /** Prompts that had to be sent again. */
  readonly retries: () => number;
};

/**
 * Opens a model behind an OpenAI-compatible endpoint: a PairScorer for pointwise schedules, else a ListRanker. Rejects
 * when the key is missing, and, for schedules that read probabilities, when the service does not answer
 * or gives none: they are asked for once here, the others send nothing yet.
 */
export async function openLlmRanker(settings: LlmSettings, access: LlmAccess, edge?: LlmEdge): Promise<LlmRanker> {
  const checked = checkSettings(settings);
  const { schedule } = checked;
  const notes = spendNotes(checked, access);
  const { address, chat, echo, log, now, conceal, abort } = edge ?? llmEdge(access, checked.model);
  const asker = newAsker({ ...checked, schedule: schedule.id, log, now, conceal });
  const tally = newTally();
  const close = async () => {
    abort();
    await asker.settled();
    await log.close();
    notes.spent(tally.totals());
  };
  try {
    const talk = { settings: checked, asker, chat, echo };
    const logprobs = await probeLogprobs(talk, tally);
    const conditions = conditionsOf(checked, address, logprobs);
    const opened = { conditions, modelBytes: 0, close, totals: tally.totals, retries: tally.retries };
    return schedule.question === 'relevance' || schedule.question === 'query-likelihood'
      ? { ...opened, ...pairScorer({ ...talk, logprobs }, tally, notes) }
      : { ...opened, ...listRanker({ ...talk, logprobs }, tally, notes) };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** Facts for run.json that change an order. */
function conditionsOf(settings: CheckedSettings, address: string, logprobs: Logprobs) {
  const { model, schedule, topK, maxDocumentCharacters, seed } = settings;
  return {
    'llm.address': address,
    'llm.model': model,
    'llm.schedule': schedule.id,
    'llm.topK': topK,
    'llm.maxDocumentCharacters': maxDocumentCharacters,
    'llm.temperature': 0,
    'llm.seed': seed,
    'llm.logprobs': logprobs,
    'llm.prompts': promptsDigest.slice(0, 12),
  };
}
