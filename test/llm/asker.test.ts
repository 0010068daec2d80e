import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../../runners/backends/llm/call-log.js';
import type { ChatReply, ChatRequest } from '../../runners/backends/llm/chat.js';
import type { LlmEdge } from '../../runners/backends/llm/edge.js';
import { openLlmRanker } from '../../runners/backends/llm/open.js';
import { schedules } from '../../runners/schedules/index.js';
import { passages } from './opened.js';

const reply: ChatReply = {
  content: 'A',
  finishReason: 'stop',
  promptTokens: 1,
  completionTokens: 1,
  servedModel: null,
  attempts: 1,
  chances: null,
};

/** A ranker over a transport and a log of the test's own; `events` is what they were told, in order. */
async function rankerOver(chat: (request: ChatRequest) => Promise<ChatReply>, width: number) {
  const events: string[] = [];
  const edge: LlmEdge = {
    address: 'nowhere',
    chat,
    echo: () => Promise.reject(new Error('Nothing is echoed here.')),
    log: {
      append: async ({ outcome, latencyMs }: CallRecord) => {
        events.push(`${outcome} ${latencyMs}`);
      },
      close: async () => {
        events.push('log closed');
      },
    },
    now: () => 0,
    conceal: (text) => text,
    abort: () => events.push('abort'),
  };
  const settings = { model: 'm', schedule: schedules.bind('pairwise.allpair'), maxDocumentCharacters: 100, width };
  const access = { environment: {}, logFolder: '', onNote: () => {} };
  const model = await openLlmRanker(settings, access, edge);
  if (model.kind !== 'ranker') throw new Error('This is no list ranker.');
  return { model, events };
}

describe('prompts under way', () => {
  it('are as many as the width allows, over all queries together', async () => {
    let open = 0;
    let most = 0;
    const { model } = await rankerOver(async () => {
      most = Math.max(most, ++open);
      await new Promise(setImmediate);
      open--;
      return reply;
    }, 2);
    await Promise.all([1, 2, 3].map((n) => model.rank(`query ${n}`, passages([1, 2, 3, 4]), 4)));
    expect(model.totals().calls).toBe(36);
    expect(most).toBe(2);
  });

  it('have their lines before the log is closed', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { model, events } = await rankerOver(async () => {
      await held;
      throw new Error('aborted');
    }, 2);
    const ranking = model.rank('which?', passages([1, 2, 3]), 3).catch(String);
    await new Promise(setImmediate);
    const closed = model.close();
    await new Promise(setImmediate);
    expect(events).toEqual(['abort']);
    release();
    await closed;
    expect(await ranking).toBe('Error: aborted');
    expect(events).toEqual(['abort', 'failed 0', 'failed 0', 'log closed']);
  });

  it('are counted for each query by itself, and in all', async () => {
    const { model } = await rankerOver(async () => reply, 1);
    const first = await model.rank('one', passages([1, 2]), 2);
    const second = await model.rank('two', passages([1, 2, 3]), 3);
    expect([first.work, second.work]).toEqual([
      { calls: 2, promptTokens: 2, completionTokens: 2 },
      { calls: 6, promptTokens: 6, completionTokens: 6 },
    ]);
    expect(model.totals()).toMatchObject({ calls: 8, promptTokens: 8 });
  });
});
