import { describe, expect, it } from 'vitest';
import { readLlmModel } from '../../runners/backends/llm/index.js';
import { estimateSpend, pricesFrom, spendNote, spendOf } from '../../runners/backends/llm/spend.js';
import { spendNotes } from '../../runners/backends/llm/spend-notes.js';
import { schedules } from '../../runners/schedules/index.js';
import { chatServer, perfect } from './chat-server.js';
import { errorOf, open, openRanker, openScorer, passages } from './opened.js';

const settings = (schedule: string) => ({
  model: 'm',
  schedule: schedules.bind(schedule),
  maxDocumentCharacters: 400,
});
const list = { query: 'which?', documents: new Array<string>(100).fill('x'.repeat(1000)) };
// Query likelihood is no chat: its estimate has a test of its own.
const chatSchedules = schedules.plugins.map(({ name }) => name).filter((name) => name !== 'pointwise.qlm');
const prices = { prompt: 0.5, completion: 2 };

describe('before', () => {
  it.each(chatSchedules)('%s: an estimate holds for what is then asked', async (name) => {
    const server = await chatServer(perfect);
    const documents = passages([4, 1, 9, 3, 7, 2]);
    const { model } = await open(server.baseUrl, name, { topK: 3 });
    const probe = model.totals();
    if (model.kind === 'ranker') await model.rank('which?', documents, 3);
    if (model.kind === 'scorer') await model.score(documents.map((document) => ({ query: 'which?', document })));
    const estimate = estimateSpend({ ...settings(name), topK: 3 }, [{ query: 'which?', documents }], null);
    const asked = model.totals();
    const calls = asked.calls - probe.calls;
    const promptTokens = Number(asked.promptTokens) - Number(probe.promptTokens);
    expect(calls).toBeLessThanOrEqual(estimate.calls);
    // Tokens of the server are characters / 4, rounded up for each prompt.
    expect(promptTokens).toBeLessThanOrEqual(Number(estimate.promptTokens) + calls);
    if (!name.includes('heapsort')) {
      expect(calls).toBe(estimate.calls);
      expect(promptTokens).toBeGreaterThan(0.6 * Number(estimate.promptTokens));
    }
    expect(estimate).toMatchObject({ basis: 'estimate', cost: null });
  });

  it('counts cut passages, and answers as long as they may be', () => {
    const { calls, promptTokens, completionTokens, cost } = estimateSpend(
      settings('pointwise.yes_no'),
      [list, list],
      prices,
    );
    expect(calls).toBe(200);
    expect(completionTokens).toBe(200 * 8);
    expect(Number(promptTokens)).toBeGreaterThan((200 * 400) / 4);
    expect(Number(promptTokens)).toBeLessThan((200 * 800) / 4);
    expect(cost).toBeCloseTo((Number(promptTokens) * 0.5 + 1600 * 2) / 1e6, 12);
  });

  it('of nothing is nothing', () => {
    const nothing = { basis: 'estimate', calls: 0, promptTokens: 0, completionTokens: 0, cost: 0 };
    expect(estimateSpend(settings('setwise.heapsort'), [], prices)).toEqual(nothing);
    expect(estimateSpend(settings('listwise.generation'), [{ query: 'q', documents: [] }], prices)).toEqual(nothing);
  });

  it('query likelihood generates one token for each passage', () => {
    expect(estimateSpend(settings('pointwise.qlm'), [list], null).completionTokens).toBe(100);
  });
});

describe('after', () => {
  const totals = {
    calls: 3,
    promptTokens: 1_000_000,
    completionTokens: 500_000,
    repaired: 0,
    malformed: 0,
    truncated: 0,
  };

  it('is the service’s own count by the user’s prices', () => {
    expect(spendOf(totals, prices)).toEqual({
      basis: 'usage',
      calls: 3,
      promptTokens: 1_000_000,
      completionTokens: 500_000,
      cost: 1.5,
    });
    expect(spendOf(totals, null).cost).toBeNull();
    expect(spendOf({ ...totals, promptTokens: null }, prices).cost).toBeNull();
  });

  it('is said in a sentence', () => {
    expect(spendNote('llm:m', spendOf(totals, prices))).toBe(
      'llm:m: spent 3 prompts, 1000000 tokens in and 500000 out, 1.50 by TENBIN_PRICE_PROMPT and TENBIN_PRICE_COMPLETION',
    );
    expect(spendNote('llm:m', spendOf({ ...totals, calls: 1, completionTokens: null }, null))).toBe(
      'llm:m: spent 1 prompt, tokens not said by the service',
    );
  });

  it('is noted once before the first list and once at the end', async () => {
    const server = await chatServer(perfect);
    const environment = { TENBIN_PRICE_PROMPT: '0.15', TENBIN_PRICE_COMPLETION: '0.6' };
    const { model, notes } = await openRanker(server.baseUrl, 'listwise.generation', { environment });
    expect(notes).toEqual([]);
    await model.rank('which?', passages([1, 2]), 1);
    await model.rank('what?', passages([1, 2]), 1);
    expect(notes).toEqual([
      expect.stringMatching(
        /^llm:test-model by listwise\.generation: .*at most 1 prompt, about \d+ tokens in .* estimate/,
      ),
    ]);
    await model.close();
    expect(notes).toHaveLength(2);
    expect(notes[1]).toContain('spent 2 prompts');
    expect(notes[1]).toContain('by TENBIN_PRICE_PROMPT');
  });

  it('tells how many answers were not understood', async () => {
    const server = await chatServer((_, response) => response.end('{"choices":[]}'));
    const { model, notes } = await openRanker(server.baseUrl, 'listwise.generation');
    await model.rank('which?', passages([1, 2]), 1);
    await model.close();
    expect(notes.at(-1)).toBe('llm:test-model by listwise.generation: 1 of 1 answer was not understood');
  });

  it.each([
    [{ calls: 3, repaired: 1, malformed: 0 }, '1 of 3 answers was understood in part'],
    [
      { calls: 3, repaired: 2, malformed: 1 },
      '2 of 3 answers were understood in part, 1 of 3 answers was not understood',
    ],
    [{ calls: 3, repaired: 0, malformed: 2 }, '2 of 3 answers were not understood'],
  ])('says %j as a sentence', (counts, sentence) => {
    const notes: string[] = [];
    const settings = readLlmModel('m').settings;
    const access = { environment: {}, onNote: (text: string) => void notes.push(text) };
    spendNotes(settings, access).spent({ ...counts, promptTokens: 1, completionTokens: 1, truncated: 0 });
    expect(notes.at(-1)).toBe(`llm:m by setwise.heapsort: ${sentence}`);
  });

  it('has the probe in it, and says nothing where nothing was asked', async () => {
    const server = await chatServer(perfect);
    const scorer = await openScorer(server.baseUrl, 'pointwise.yes_no');
    await scorer.model.close();
    expect(scorer.notes).toEqual([expect.stringContaining('spent 1 prompt,')]);
    const ranker = await openRanker(server.baseUrl, 'setwise.heapsort');
    await ranker.model.close();
    expect(ranker.notes).toEqual([]);
  });
});

describe('prices', () => {
  it('are the user’s, both of them, or none', () => {
    expect(pricesFrom({ TENBIN_PRICE_PROMPT: ' 0.15 ', TENBIN_PRICE_COMPLETION: '0' })).toEqual({
      prompt: 0.15,
      completion: 0,
    });
    expect(pricesFrom({})).toBeNull();
    expect(pricesFrom({ TENBIN_PRICE_PROMPT: '1', TENBIN_PRICE_COMPLETION: ' ' })).toBeNull();
  });

  it.each(['-1', 'free', '1e3', 'Infinity', '1,5', '0x10'])('%s is none', async (text) => {
    expect(() => pricesFrom({ TENBIN_PRICE_PROMPT: text })).toThrow(/TENBIN_PRICE_PROMPT wants the price/);
    const environment = { TENBIN_PRICE_COMPLETION: text };
    expect((await errorOf(open('http://127.0.0.1:9/v1', 'setwise.heapsort', { environment }))).code).toBe('usage');
  });
});
