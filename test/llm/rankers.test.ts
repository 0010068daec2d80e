import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../core/digest.js';
import { schedules } from '../../runners/schedules/index.js';
import { chatServer, perfect, perfectAnswer, promptTokens, sendContent, sendJson } from './chat-server.js';
import { key, nowMs, open, openRanker, openScorer, passages } from './opened.js';

const grades = [3, 9, 1, 9, 0, 7, 5, 2, 8, 4, 6, 1];
const listSchedules = schedules.plugins.map(({ name }) => name).filter((name) => !name.startsWith('pointwise'));
const best = (order: readonly number[], k: number) => order.slice(0, k).map((i) => grades[i]);

describe('with a service that is right', () => {
  it.each([...listSchedules, 'setwise.heapsort@children=25', 'listwise.generation@window=6,step=2'])(
    '%s orders the four best',
    async (schedule) => {
      const server = await chatServer(perfect);
      const { model, lines } = await openRanker(server.baseUrl, schedule);
      const probes = server.seen.length;
      const { order, work } = await model.rank('which?', passages(grades), 4);
      expect(best(order, 4)).toEqual([9, 9, 8, 7]);
      expect([...order].sort((a, b) => a - b)).toEqual([...grades.keys()]);
      expect(work.calls).toBe(server.seen.length - probes);
      expect(work.promptTokens).toBe(server.seen.slice(probes).reduce((sum, seen) => sum + promptTokens(seen), 0));
      expect(work.completionTokens).toBe(2 * Number(work.calls));
      expect(lines()).toHaveLength(server.seen.length);
      // Letters beyond those shown are not among the probabilities, so nothing is repaired either.
      expect(model.totals()).toMatchObject({ calls: server.seen.length, repaired: 0, malformed: 0, truncated: 0 });
    },
  );

  it('asks exactly as often as the schedule says', async () => {
    const server = await chatServer(perfect);
    const { model } = await openRanker(server.baseUrl, 'pairwise.bubblesort');
    const { work } = await model.rank('which?', passages(grades), 3);
    expect(work.calls).toBe(2 * (11 + 10 + 9));
  });

  it('sorts no further than topK', async () => {
    const server = await chatServer(perfect);
    const { model } = await openRanker(server.baseUrl, 'setwise.bubblesort', { topK: 2 });
    const { order, work } = await model.rank('which?', passages(grades), 100);
    expect(best(order, 2)).toEqual([9, 9]);
    expect(work.calls).toBe(schedules.bind('setwise.bubblesort').callLimit(12, 2));
    expect(order.slice(2)).toEqual([0, 2, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('asks nothing for an empty list, and of one passage nothing but a window', async () => {
    const server = await chatServer(perfect);
    const { model } = await openRanker(server.baseUrl, 'setwise.heapsort');
    expect(await model.rank('which?', [], 10)).toEqual({
      order: [],
      work: { calls: 0, promptTokens: 0, completionTokens: 0 },
      counts: { 'llm.answers.repaired': 0, 'llm.answers.malformed': 0, 'llm.passages.truncated': 0 },
    });
    expect((await model.rank('which?', ['only'], 10)).order).toEqual([0]);
    expect(server.seen).toHaveLength(0);
  });

  it('sends temperature 0, the seed, few tokens, the key, and no log-probabilities that nobody reads', async () => {
    const server = await chatServer(perfect);
    const { model } = await openRanker(server.baseUrl, 'setwise.heapsort', { seed: 7 });
    await model.rank('a "query" with 漢字', passages([1, 2]), 1);
    const [{ body, headers, path }] = server.seen;
    expect(path).toBe('/v1/chat/completions');
    expect(headers.authorization).toBe(`Bearer ${key}`);
    expect(body).toMatchObject({ model: 'test-model', temperature: 0, seed: 7, max_tokens: 8 });
    expect(body).not.toHaveProperty('logprobs');
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(body.messages[1].content).toContain('a "query" with 漢字');
  });

  it('cuts passages and counts them once for a query', async () => {
    const server = await chatServer(perfect);
    const { model } = await openRanker(server.baseUrl, 'pairwise.allpair', { maxDocumentCharacters: 12 });
    await model.rank('which?', ['short', 'x'.repeat(12), `${'y'.repeat(12)}!`, `${'z'.repeat(11)}\u{1F600}`], 2);
    expect(model.totals().truncated).toBe(2);
    const shown = server.seen.map(({ body }) => body.messages[1].content).join('\n');
    expect(shown).toContain('y'.repeat(12));
    expect(shown).not.toContain('!');
    expect(shown).not.toMatch(/[\u{1F600}\ud83d]/u);
  });
});

describe('pointwise', () => {
  const pairs = passages(grades).map((document) => ({ query: 'which?', document }));

  it('reads margins from log-probabilities', async () => {
    const server = await chatServer(perfect);
    const { model, lines } = await openScorer(server.baseUrl, 'pointwise.yes_no');
    let done = 0;
    const { margins, tokens, work } = await model.score(pairs, (more) => {
      done += more;
    });
    grades.forEach((grade, i) => {
      expect(margins[i]).toBeCloseTo((grade - 20) / 4 - (-grade / 4 - 1), 12);
    });
    expect([model.probability, model.conditions['llm.logprobs'], tokens]).toEqual(['sigmoid', 'used', null]);
    expect(work?.calls).toBe(12);
    expect(done).toBe(12);
    expect(server.seen[0].body).toMatchObject({ logprobs: true, top_logprobs: 20 });
    expect(lines()).toHaveLength(13);
    expect(model.tokenIds(pairs[0])).toBeNull();
  });

  it('reads the word where the service lists no probabilities, found out when it is opened', async () => {
    const server = await chatServer((seen, response) => sendContent(seen, response, perfectAnswer(seen).content));
    const { model } = await openScorer(server.baseUrl, 'pointwise.yes_no');
    expect(server.seen).toHaveLength(1);
    const { margins } = await model.score(pairs);
    expect([...margins]).toEqual(grades.map((grade) => (grade >= 5 ? 1 : -1)));
    expect([model.probability, model.conditions['llm.logprobs']]).toEqual(['margin', 'absent']);
    expect(server.seen[1].body).not.toHaveProperty('logprobs');
  });

  it('reads the word where the service refuses to be asked for them', async () => {
    const server = await chatServer((seen, response) => {
      if (seen.body.logprobs === true) sendJson(response, { error: { message: 'logprobs is not supported' } }, 400);
      else sendContent(seen, response, perfectAnswer(seen).content);
    });
    const { model } = await openScorer(server.baseUrl, 'pointwise.yes_no');
    expect(model.probability).toBe('margin');
    expect([...(await model.score(pairs.slice(0, 2))).margins]).toEqual([-1, 1]);
  });

  it('scores the query after the passage by echoed log-probabilities', async () => {
    const server = await chatServer(({ body }, response) => {
      const prompt = String(body.prompt);
      const grade = Number(/relevance=(\d+)/.exec(prompt)?.[1] ?? 1);
      const words = prompt.match(/\s*\S+/g) ?? [];
      let offset = 5;
      const offsets = words.map((word) => {
        offset += [...word].length;
        return offset - [...word].length;
      });
      const logprobs = {
        tokens: [...words, ' end'],
        token_logprobs: [null, ...words.slice(1).map(() => grade - 10), -99],
        text_offset: [...offsets, offset],
        top_logprobs: null,
      };
      const usage = { prompt_tokens: words.length, completion_tokens: 1 };
      sendJson(response, { choices: [{ text: `${prompt} end`, finish_reason: 'length', logprobs }], usage });
    });
    const { model, lines } = await openScorer(server.baseUrl, 'pointwise.qlm');
    const { margins } = await model.score(pairs);
    expect([...margins]).toEqual(grades.map((grade) => grade - 10));
    expect(model.probability).toBe('exp');
    expect(server.seen[1].path).toBe('/v1/completions');
    expect(server.seen[1].body).toMatchObject({ echo: true, logprobs: 1, max_tokens: 1, temperature: 0 });
    expect(lines().map(({ outcome }) => outcome)).toEqual(new Array(13).fill('clean'));
  });

  it('scores no pairs without asking', async () => {
    const server = await chatServer(perfect);
    const { model } = await openScorer(server.baseUrl, 'pointwise.yes_no');
    expect((await model.score([])).margins).toHaveLength(0);
    expect(server.seen).toHaveLength(1);
  });
});

describe('the log', () => {
  it('has one line for each call, with digests in place of texts', async () => {
    const server = await chatServer(perfect);
    const { model, lines, logText } = await openRanker(server.baseUrl, 'setwise.heapsort');
    await model.rank('a query of secrets', passages([1, 5, 3]), 1);
    await model.close();
    const [line] = lines();
    expect(line).toEqual({
      time: new Date(nowMs).toISOString(),
      model: 'test-model',
      servedModel: 'test-model-2026-01-01',
      schedule: 'setwise.heapsort',
      query: sha256('a query of secrets'),
      prompt: expect.stringMatching(/^[0-9a-f]{64}$/),
      promptTokens: promptTokens(server.seen[0]),
      completionTokens: 2,
      finishReason: 'stop',
      outcome: 'clean',
      attempts: 1,
      latencyMs: 0,
      answer: 'B',
      error: null,
    });
    expect(lines()).toHaveLength(server.seen.length);
    expect(logText()).not.toContain('secrets');
    expect(logText()).not.toContain(key);
  });

  it('holds the probe of schedules that read probabilities', async () => {
    const server = await chatServer(perfect);
    const { lines } = await open(server.baseUrl, 'listwise.likelihood');
    expect(lines()).toHaveLength(1);
    expect(server.seen).toHaveLength(1);
  });
});

describe('conditions', () => {
  it('name what changes an order, and the address without the key', async () => {
    const server = await chatServer(perfect);
    const { model } = await openRanker(server.baseUrl, 'listwise.generation@window=5,step=2', {});
    expect(model.conditions).toEqual({
      'llm.address': `${new URL(server.baseUrl).host}/v1`,
      'llm.model': 'test-model',
      'llm.schedule': 'listwise.generation@window=5,step=2',
      'llm.topK': 10,
      'llm.maxDocumentCharacters': 200,
      'llm.temperature': 0,
      'llm.seed': 42,
      'llm.logprobs': 'absent',
      'llm.prompts': expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect(model.modelBytes).toBe(0);
  });
});

describe('over any relevances', () => {
  it('a service that is right gives the right top', async () => {
    const server = await chatServer(perfect);
    const { model } = await openRanker(server.baseUrl, 'setwise.heapsort@children=3');
    const lists = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(lists, fc.integer({ min: 1, max: 9 }), async (relevance, k) => {
        const { order } = await model.rank('which?', passages(relevance), k);
        const top = order.slice(0, k).map((i) => relevance[i]);
        expect(top).toEqual([...relevance].sort((a, b) => b - a).slice(0, k));
      }),
      { numRuns: 25 },
    );
  });
});
