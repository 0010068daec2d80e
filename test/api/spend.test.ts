import { describe, expect, test } from 'vitest';
import { parseAnswer, problemOf } from '../../runners/backends/api/answer-json.js';
import { estimateSpend, spentBy } from '../../runners/backends/api/index.js';
import { isTooLarge } from '../../runners/backends/api/retry.js';
import { estimateNote, meter } from '../../runners/backends/api/spend.js';
import { errorOf, openEncoder, openScorer, testAccess } from './access.js';
import { cohere, openAi } from './documented.js';
import { loopback } from './loopback.js';

describe('what it costs', () => {
  test('is said before and after', async () => {
    const server = await loopback((seen) => openAi(seen));
    const access = testAccess({ OPENAI_BASE_URL: `${server.url}/v1` });
    const encoder = await openEncoder('openai:m', access);
    await encoder.encode(
      Array.from({ length: 65 }, () => 'abcdef'),
      'document',
    );
    expect(access.notes).toEqual([
      `openai:m: 2 requests to ${server.host}/v1 with about 130 tokens (UTF-8 bytes / 3, rather too many)`,
    ]);
    await encoder.encode(['x'], 'query');
    await encoder.close();
    expect(access.notes.slice(1)).toEqual([
      `openai:m: 1 request to ${server.host}/v1 with about 1 token (UTF-8 bytes / 3, rather too many)`,
      'openai:m: spent 3 requests, 391 tokens',
    ]);
    expect(spentBy(encoder)).toEqual({ requests: 3, promptTokens: 391, retries: 0, searchUnits: null });
  });

  test('is said before anything is sent', async () => {
    const server = await loopback((seen) => {
      expect(access.notes).toHaveLength(1);
      return openAi(seen);
    });
    const access = testAccess({ OPENAI_BASE_URL: `${server.url}/v1` });
    await (await openEncoder('openai:m', access)).encode(['a'], 'query');
    expect(access.notes).toHaveLength(1);
  });

  test('has a price where the user gave one, and only there', async () => {
    const server = await loopback((seen) => openAi(seen));
    const access = testAccess({ OPENAI_BASE_URL: `${server.url}/v1`, TENBIN_PRICE_PROMPT: '0.02' });
    const encoder = await openEncoder('openai:m', access);
    await encoder.encode(['x'.repeat(3_000)], 'document');
    await encoder.close();
    expect(access.notes[0]).toContain('about 1000 tokens (UTF-8 bytes / 3, rather too many), 0.00002 at 0.02 for a');
    expect(access.notes[1]).toContain('3000 tokens, 0.00006 at 0.02 for a million tokens (TENBIN_PRICE_PROMPT)');
  });

  test('is in search units where the service counts these', async () => {
    const server = await loopback((seen, nth) => (nth === 0 ? { status: 500, text: '' } : cohere(seen)));
    const access = testAccess({ COHERE_BASE_URL: server.url });
    const scorer = await openScorer('cohere:m', access);
    await scorer.score(['q1', 'q2'].map((query) => ({ query, document: 'd' })));
    await scorer.score([{ query: 'q3', document: 'd' }]);
    await scorer.close();
    expect(access.notes[0]).toBe(
      `cohere:m: 2 requests to ${server.host} with about 4 tokens (UTF-8 bytes / 3, rather too many); the next lists are not announced`,
    );
    expect(access.notes).toHaveLength(2);
    expect(access.notes.at(-1)).toBe(
      'cohere:m: spent 4 requests, tokens not said by the service, 3 search units, 1 of the requests sent again',
    );
  });

  test.each(['free', '-1', '1e999', 'NaN'])('a price of %s is refused', async (price) => {
    const access = testAccess({ TENBIN_PRICE_PROMPT: price, OPENAI_API_KEY: 'k' });
    const error = await errorOf(openEncoder('openai:m', access));
    expect(error.code).toBe('usage');
    expect(error.message).toContain('TENBIN_PRICE_PROMPT');
  });
});

test('an estimate counts batches and tokens without sending anything', () => {
  const limits = { inputs: 2, tokens: 100 };
  expect(estimateSpend([], limits)).toMatchObject({ requests: 0, tokens: 0 });
  expect(estimateSpend(['abc', 'abcd', '', 'x'.repeat(900)], limits)).toMatchObject({ requests: 3, tokens: 304 });
});

test.each([
  ['50', '50.00'],
  ['0.5', '0.5'],
  ['0', '0'],
])('a million tokens at %s cost %s', (price, amount) => {
  const note = estimateNote('m', 'h', { requests: 1, tokens: 1_000_000, of: 'texts' }, Number(price));
  expect(note).toContain(`, ${amount} at ${price} for`);
});

test('a sum that an answer is missing from is not known', () => {
  const counted = meter();
  expect(counted.spent()).toEqual({ requests: 0, promptTokens: null, retries: 0, searchUnits: null });
  counted.answered({ promptTokens: 3, searchUnits: 1 });
  counted.answered({ promptTokens: 4, searchUnits: null });
  expect(counted.spent()).toMatchObject({ promptTokens: 7, searchUnits: null });
  counted.answered({ promptTokens: null, searchUnits: 1 });
  counted.answered({ promptTokens: 5, searchUnits: 1 });
  expect(counted.spent()).toMatchObject({ promptTokens: null, searchUnits: null });
});

test.each([
  [{ error: { message: 'a', type: 't', param: null, code: 'c' } }, 'a', 'c'],
  [{ error: { message: 'a', type: 't', code: null } }, 'a', 't'],
  [{ error: 'a' }, 'a', ''],
  [{ error: 'a', error_type: 'Validation' }, 'a', 'Validation'],
  [{ message: 'a', code: 413, type: 'Validation' }, 'a', '413'],
  [{ id: '1', message: 'a' }, 'a', ''],
  [{ detail: 'a' }, 'a', ''],
  [{ detail: [{ loc: ['body'], msg: 'a', type: 't' }, { msg: 'b' }] }, 'a; b', ''],
  [{ other: 1 }, '{"other":1}', ''],
  [[], '[]', ''],
  [null, 'null', ''],
])('the problem in %j is %j', (body, message, code) => {
  expect(problemOf(JSON.stringify(body))).toEqual({ message, code });
});

test('a bare NaN is null, strings are kept, and a string that never ends takes no longer than others', () => {
  const text = '{"a\\"NaN": NaN, "b": "-Infinity", "c": [-Infinity, 1]}';
  expect(parseAnswer(text)).toEqual({ json: { 'a"NaN': null, b: '-Infinity', c: [null, 1] } });
  for (const open of ['"', '"\\', '"NaN', `"${'\\"'.repeat(2_000_000)}`, `[${'"'.repeat(2_000_001)}`]) {
    expect(parseAnswer(open)).toBeNull();
  }
  expect(parseAnswer('null')).toEqual({ json: null });
});

test('the problem in a body that is no JSON is the body', () => {
  expect(problemOf(' Bad gateway\n')).toEqual({ message: 'Bad gateway', code: '' });
  expect(problemOf('')).toEqual({ message: '', code: '' });
});

/** Sentences as the services write them. */
test.each([
  [413, '', true],
  [400, "This model's maximum context length is 8192 tokens, however you requested 9000 tokens", true],
  [400, 'Requested 453357 tokens, max 300000 tokens per request max_tokens_per_request', true],
  [400, "Invalid 'input': array too long. Expected an array with maximum length 2048, got 3000", true],
  [400, 'the input length exceeds the context length', true],
  [500, 'the input length exceeds the context length', true],
  [422, '`inputs` must have less than 512 tokens. Given: 600', true],
  [422, 'batch size 64 > maximum allowed batch size 32', true],
  [400, 'Each input list can contain at most 512 items.', true],
  [429, 'Request too large for text-embedding-3-small on tokens per min (TPM)', true],
  [429, 'Rate limit reached for requests', false],
  [500, 'the maximum batch crashed', false],
  [400, "Model 'm' not found", false],
  [401, 'the input length exceeds the context length', false],
  [503, 'overloaded', false],
])('status %i with %j is too much at once: %s', (status, message, expected) => {
  expect(isTooLarge({ kind: 'refused', status, message, code: '', retryAfter: null, location: null })).toBe(expected);
});
