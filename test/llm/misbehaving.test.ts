import { describe, expect, it } from 'vitest';
import { chatServer, perfectAnswer, type Respond, sendContent, sendJson, status } from './chat-server.js';
import { errorOf, open, openRanker, openScorer, passages } from './opened.js';

const documents = passages([1, 5, 3, 4]);
const asStood = [0, 1, 2, 3];

const says =
  (content: string | null): Respond =>
  (seen, response) =>
    sendContent(seen, response, content);

describe('answers that are not what was asked for', () => {
  it.each([
    ['garbage', says('lorem ipsum')],
    ['nothing', says('')],
    ['null', says(null)],
    ['no choices', ((_, response) => sendJson(response, { choices: [] })) as Respond],
  ])('%s: the order stays, and is counted as malformed', async (_, respond) => {
    const server = await chatServer(respond);
    for (const schedule of ['listwise.generation', 'setwise.heapsort', 'setwise.bubblesort', 'pairwise.heapsort']) {
      const { model, lines } = await openRanker(server.baseUrl, schedule);
      const { order, work } = await model.rank('which?', documents, 4);
      const { calls, malformed, repaired } = model.totals();
      expect([malformed, repaired]).toEqual([calls, 0]);
      expect(calls).toBe(work.calls);
      expect(lines().every(({ outcome }) => outcome === 'malformed')).toBe(true);
      // A heap whose parents always stay is taken apart from its root, and so ends in another order.
      if (schedule !== 'setwise.heapsort' && schedule !== 'pairwise.heapsort') expect(order).toEqual(asStood);
      expect([...order].sort()).toEqual(asStood);
    }
  });

  it.each([
    ['duplicates', '[3] > [3] > [2] > [3]', [2, 1, 0, 3]],
    ['numbers out of range', '[9] > [4] > [0] > [-1] > [123456789012345678901234567890]', [3, 0, 1, 2]],
    ['a part of the order', '[2]', [1, 0, 2, 3]],
    ['other brackets', 'Ranking: 4, 3, 2, 1', [3, 2, 1, 0]],
  ])('%s are repaired and counted', async (_, content, expected) => {
    const server = await chatServer(says(content));
    const { model, lines } = await openRanker(server.baseUrl, 'listwise.generation');
    expect((await model.rank('which?', documents, 4)).order).toEqual(expected);
    expect(model.totals()).toMatchObject({ calls: 1, repaired: 1, malformed: 0 });
    expect(lines()[0]).toMatchObject({ outcome: 'repaired', answer: content });
  });

  it('a service that always says A orders nothing by pairs', async () => {
    const server = await chatServer(says('Passage A'));
    const { model } = await openRanker(server.baseUrl, 'pairwise.allpair');
    expect((await model.rank('which?', documents, 4)).order).toEqual(asStood);
    expect(model.totals()).toMatchObject({ repaired: 0, malformed: 0 });
  });

  it('answers without usage leave tokens unsaid', async () => {
    const server = await chatServer((seen, response) =>
      sendJson(response, { choices: [{ message: { content: perfectAnswer(seen).content } }] }),
    );
    const { model, lines, notes } = await openRanker(server.baseUrl, 'listwise.generation');
    const { order, work } = await model.rank('which?', documents, 4);
    expect(order).toEqual([1, 3, 2, 0]);
    expect(work).toEqual({ calls: 1 });
    expect(lines()[0]).toMatchObject({
      promptTokens: null,
      completionTokens: null,
      finishReason: null,
      servedModel: null,
    });
    await model.close();
    expect(notes.at(-1)).toContain('tokens not said by the service');
  });

  it('log-probabilities in another form count as none', async () => {
    const server = await chatServer((seen, response) => {
      const choice = {
        message: { content: perfectAnswer(seen).content },
        logprobs: { tokens: ['Yes'], token_logprobs: [-1] },
      };
      sendJson(response, { choices: [choice] });
    });
    expect((await openScorer(server.baseUrl, 'pointwise.yes_no')).model.probability).toBe('margin');
  });
});

describe('schedules that are made of log-probabilities', () => {
  it.each([
    ['listwise.likelihood', 'listwise.generation'],
    ['pointwise.qlm', 'pointwise.yes_no'],
  ])('%s is refused where there are none', async (schedule, instead) => {
    const silent = await chatServer((seen, response) =>
      sendJson(response, { choices: [{ text: 'x', message: { content: seen.body.prompt ?? 'A' }, logprobs: null }] }),
    );
    const unwilling = await chatServer(status(400));
    const absent = await chatServer(status(404));
    for (const server of [silent, unwilling, absent]) {
      const error = await errorOf(open(server.baseUrl, schedule));
      expect(error.code).toBe('refused');
      expect(error.message).toContain(`${schedule} needs log-probabilities, which the service does not give`);
      expect(error.message).toContain(`Use ${instead}`);
      expect(server.seen).toHaveLength(1);
    }
  });

  it('another failure of the first prompt is told as it is', async () => {
    for (const schedule of ['listwise.likelihood', 'pointwise.qlm', 'pointwise.yes_no']) {
      const server = await chatServer(status(401));
      expect((await errorOf(open(server.baseUrl, schedule))).message).toContain('refuses the key');
      expect(server.seen).toHaveLength(1);
    }
  });
});
