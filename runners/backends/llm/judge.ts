import type { Json } from '../../../core/canonical.js';
import { digestOf, sha256 } from '../../../core/digest.js';
import type { Judge } from '../../schedules/schedule.js';
import type { Asker } from './asker.js';
import type { ChatReply, ChatTransport } from './chat.js';
import type { EchoTransport } from './completion.js';
import { readLabelOrder, readYesNo } from './first-token.js';
import { readLabel } from './label-answer.js';
import { readOrder } from './order-answer.js';
import { likelihoodPrompt, listPrompt, type Prompt, pairPrompt, relevancePrompt, setPrompt } from './prompts.js';
import { readLikelihood } from './query-likelihood.js';
import { answerText, type Reading } from './reading.js';
import type { CheckedSettings } from './settings.js';
import type { Tally } from './tally.js';

/** Whether answers are read by the probabilities of their tokens. */
export type Logprobs = 'used' | 'absent';

export interface Conversation {
  readonly settings: CheckedSettings;
  readonly asker: Asker;
  readonly chat: ChatTransport;
  readonly echo: EchoTransport;
  readonly logprobs: Logprobs;
}

/** Tokens that services list at a position at most. */
const listedTokens = 20;

/** Judges the passages of one list by asking the model; `passages` are cut already. */
export function llmJudge(talk: Conversation, query: string, passages: readonly string[], tally: Tally): Judge {
  const { schedule, width } = talk.settings;
  const at = (places: readonly number[]) => places.map((place) => passages[place]);
  const put = <Value>(prompt: Prompt, read: (reply: ChatReply) => Reading<Value>) =>
    chatOnce(talk, { query, prompt, read }, tally);
  return {
    width,
    score: (passage) => scorePassage(talk, query, passages[passage], tally),
    prefer: async (first, second) => {
      const place = await put(pairPrompt(query, at([first, second])), (reply) => readLabel(answerText(reply), 2));
      return place === 0 ? 0 : 1;
    },
    choose: (set) => put(setPrompt(query, at(set)), (reply) => readLabel(answerText(reply), set.length)),
    arrange: (list) =>
      schedule.question === 'list-likelihood'
        ? put(setPrompt(query, at(list)), (reply) => readLabelOrder(reply, list.length))
        : put(listPrompt(query, at(list)), (reply) => readOrder(answerText(reply), list.length)),
  };
}

/** One passage by itself: the margin of yes over no, or the query's mean log-probability. */
export function scorePassage(talk: Conversation, query: string, passage: string, tally: Tally): Promise<number> {
  if (talk.settings.schedule.question !== 'query-likelihood') {
    const read = (reply: ChatReply) => readYesNo(reply, talk.logprobs);
    return chatOnce(talk, { query, prompt: relevancePrompt(query, passage), read }, tally);
  }
  const { model, seed } = talk.settings;
  const { text, query: scored } = likelihoodPrompt(query, passage);
  return talk.asker.ask(
    {
      query: sha256(query),
      prompt: sha256(text),
      send: () => talk.echo({ model, prompt: text, seed }),
      read: (reply) => readLikelihood(reply, scored),
    },
    tally,
  );
}

interface ChatQuestion<Value> {
  readonly query: string;
  readonly prompt: Prompt;
  readonly read: (reply: ChatReply) => Reading<Value>;
}

function chatOnce<Value>(talk: Conversation, question: ChatQuestion<Value>, tally: Tally): Promise<Value> {
  const { settings, asker, chat, logprobs } = talk;
  const { model, seed, schedule } = settings;
  const { messages, maxTokens } = question.prompt;
  const byToken = schedule.question === 'relevance' || schedule.question === 'list-likelihood';
  const topLogprobs = byToken && logprobs === 'used' ? listedTokens : null;
  return asker.ask(
    {
      query: sha256(question.query),
      prompt: digestOf(messages.map(({ role, content }): Json => ({ role, content }))),
      send: () => chat({ model, messages, maxTokens, seed, topLogprobs }),
      read: question.read,
    },
    tally,
  );
}
