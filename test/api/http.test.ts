import { describe, expect, test } from 'vitest';
import { errorOf, openEncoder, testAccess, testNowMs, testWaits } from './access.js';
import { openAi } from './documented.js';
import { loopback, type Reply } from './loopback.js';

const key = 'sk-test-0123456789';

/** A model behind a server that answers with these in turn, and as documented from then on. */
async function behind(replies: readonly Reply[], environment: Record<string, string> = {}) {
  const server = await loopback((seen, nth) => replies[nth] ?? openAi(seen));
  const waits = testWaits();
  const access = testAccess({ OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: key, ...environment });
  const encoder = await openEncoder('openai:m', access, waits);
  return { server, waits, access, encoder, encode: () => encoder.encode(['a'], 'document') };
}

const failing = (status: number, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  json: { error: { message: `it said ${status}`, type: 'server_error', code: null } },
});
const always = (reply: Reply) => Array.from({ length: 20 }, () => reply);

describe('failures that pass', () => {
  test.each([408, 429, 500, 502, 503, 504])('status %i is tried again', async (status) => {
    const { server, waits, encoder, encode } = await behind([failing(status), failing(status)]);
    expect(await encode()).toMatchObject({ kind: 'dense', dims: 4 });
    expect(server.seen).toHaveLength(3);
    expect(server.seen[2].body).toEqual(server.seen[0].body);
    expect(waits.waitedMs).toEqual([500, 1000]);
    expect(encoder.spent()).toMatchObject({ requests: 3, retries: 2, promptTokens: 1 });
  });

  test.each([['drop'], ['drop-midway']] as const)('a connection that breaks (%s) is tried again', async (reply) => {
    const { server, encode } = await behind([reply, reply]);
    expect(await encode()).toMatchObject({ kind: 'dense', dims: 4 });
    expect(server.seen).toHaveLength(3);
  });

  test('Retry-After in seconds is what is waited', async () => {
    const { waits, encode } = await behind([
      failing(429, { 'retry-after': '7' }),
      failing(503, { 'retry-after': '0' }),
    ]);
    await encode();
    expect(waits.waitedMs).toEqual([7000, 0]);
  });

  test('Retry-After as a date is what is waited', async () => {
    const date = new Date(testNowMs + 12_000).toUTCString();
    const past = new Date(testNowMs - 12_000).toUTCString();
    const { waits, encode } = await behind([
      failing(429, { 'retry-after': date }),
      failing(429, { 'retry-after': past }),
    ]);
    await encode();
    expect(waits.waitedMs).toEqual([12_000, 0]);
  });

  test('a 413 that says when to come again is tried again', async () => {
    const { waits, encode } = await behind([failing(413, { 'retry-after': '3' })]);
    expect(await encode()).toMatchObject({ dims: 4 });
    expect(waits.waitedMs).toEqual([3000]);
  });

  test('Retry-After is a minute at most, and ignored where it is neither', async () => {
    const { waits, encode } = await behind([
      failing(429, { 'retry-after': '86400' }),
      failing(429, { 'retry-after': 'soon' }),
      failing(429, { 'retry-after': '-5' }),
    ]);
    await encode();
    expect(waits.waitedMs).toEqual([60_000, 1000, 2000]);
  });

  test.each(['never', 'stall-midway'] as const)('an answer that takes too long (%s) is tried again', async (reply) => {
    const waits = testWaits();
    const server = await loopback((seen, nth) => {
      if (nth > 0) return openAi(seen);
      // The time ends while the client waits for headers, or for the rest of the body.
      setImmediate(waits.expire);
      return reply;
    });
    const encoder = await openEncoder('openai:m', testAccess({ OPENAI_BASE_URL: `${server.url}/v1` }), waits);
    expect(await encoder.encode(['a'], 'query')).toMatchObject({ dims: 4 });
    expect(server.seen).toHaveLength(2);
  });
});

describe('failures that stay', () => {
  test.each([
    ['a limited rate', failing(429), 6, 'refused', 'limits the rate of requests, also after 5 more tries'],
    ['a broken service', failing(500), 6, 'io', 'OpenAI failed, also after 5 more tries'],
    ['a broken connection', 'drop' as const, 6, 'io', 'broke off, also after 5 more tries'],
    ['a key that is refused', failing(401), 1, 'refused', 'Put a key that is valid there into OPENAI_API_KEY'],
    ['a key without the right', failing(403), 1, 'refused', 'Put a key that is valid there into OPENAI_API_KEY'],
    ['an unknown model', failing(404), 1, 'missing', 'does not know the model m'],
    ['a request it cannot take', failing(400), 1, 'refused', 'does not accept the request'],
    ['no credit', failing(402), 1, 'refused', 'no credit left'],
    ['a text too long', failing(413), 1, 'refused', 'too long for m at OpenAI: text 1 of 1 ("a"): it said 413'],
  ] as const)('%s', async (_, reply, requests, code, says) => {
    const { server, encode } = await behind(always(reply));
    const error = await errorOf(encode());
    expect(error.code).toBe(code);
    expect(error.message).toContain(says);
    if (reply !== 'drop') expect(error.message).toContain('it said');
    expect(server.seen).toHaveLength(requests);
  });

  test('waits grow to half a minute and no further', async () => {
    const { waits, encode } = await behind(always(failing(503)));
    await errorOf(encode());
    expect(waits.waitedMs).toEqual([500, 1000, 2000, 4000, 8000]);
  });

  test('a quota that is used up is not waited for', async () => {
    const message = 'You exceeded your current quota, please check your plan and billing details.';
    const { server, encode } = await behind(
      always({ status: 429, json: { error: { message, type: 'insufficient_quota', code: 'insufficient_quota' } } }),
    );
    expect((await errorOf(encode())).message).toContain('no credit left');
    expect(server.seen).toHaveLength(1);
  });

  test('a model that does not exist, said with status 400', async () => {
    const { encode } = await behind(always({ status: 400, json: { detail: "Model 'm' not found" } }));
    expect(await errorOf(encode())).toMatchObject({ code: 'missing' });
  });

  test('a server that is down names its address, the reason and the variable, and nothing was spent', async () => {
    const { server, waits, access, encoder, encode } = await behind([]);
    await server.close();
    const error = await errorOf(encode());
    expect(error.code).toBe('io');
    expect(error.message).toContain(`cannot be reached (ECONNREFUSED), also after 2 more tries: ${server.host}`);
    expect(error.message).toContain('OPENAI_BASE_URL');
    expect(waits.waitedMs).toEqual([500, 1000]);
    expect(encoder.spent()).toMatchObject({ requests: 0, retries: 0 });
    await encoder.close();
    expect(access.notes.filter((note) => note.includes('spent'))).toEqual([]);
  });

  test('a port that fetch never connects to is no broken connection, and is not tried again', async () => {
    const { waits, encoder, encode } = await behind([], { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
    const error = await errorOf(encode());
    expect(error.message).toMatch(/cannot be reached: its port is one that .*127\.0\.0\.1:9/);
    expect(waits.waitedMs).toEqual([]);
    expect(encoder.spent().requests).toBe(0);
  });

  test('a server that never answers ends in a sentence', async () => {
    const waits = testWaits();
    const server = await loopback(() => {
      waits.expire();
      return 'never';
    });
    const encoder = await openEncoder('openai:m', testAccess({ OPENAI_BASE_URL: server.url }), waits);
    const error = await errorOf(encoder.encode(['a'], 'query'));
    expect(error.message).toContain('OpenAI did not answer in time, also after 2 more tries');
    expect(server.seen).toHaveLength(3);
  });

  test.each([
    [
      'HTML',
      { text: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } },
      'not JSON (text/html): <html>',
    ],
    ['nothing', { text: '' }, 'not JSON'],
    ['half of it', { text: '{"data": [' }, 'not JSON'],
    ['a list', { json: [] }, 'another form than is documented'],
    ['null', { json: null }, 'another form than is documented'],
    ['other fields', { json: { embeddings: [[1]] } }, 'data: '],
    ['control characters', { text: 'a\u001b[31mb' }, 'a\\x1b[31mb'],
  ] as const)('an answer of %s is not tried again', async (_, reply, says) => {
    const { server, encode } = await behind(always(reply));
    const error = await errorOf(encode());
    expect(error.code).toBe('malformed');
    expect(error.message).toContain(says);
    expect(server.seen).toHaveLength(1);
  });
});

describe('the key', () => {
  test('is sent to no other host by a redirect', async () => {
    const other = await loopback((seen) => openAi(seen));
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `${other.url}/v1/embeddings?token=${key}`;
      const { server, encode } = await behind(always({ status, headers: { location }, text: '' }));
      const error = await errorOf(encode());
      expect(error.code).toBe('refused');
      expect(error.message).toContain(`${server.host}/v1 → ${other.host}/v1/embeddings`);
      expect(error.message).not.toContain(key);
      expect(server.seen).toHaveLength(1);
    }
    expect(other.seen).toEqual([]);
  });

  test.each([400, 401, 403, 404, 413, 429, 500])(
    'is in no error when the server sends it back with %i',
    async (status) => {
      const base64 = Buffer.from(key).toString('base64');
      const echoes: readonly Reply[] = [
        { status, json: { error: { message: `Incorrect API key provided: ${key}.`, code: key } } },
        { status, text: `Authorization: Bearer ${key} ${base64}` },
      ];
      for (const reply of echoes) {
        const { encode, access } = await behind(always(reply));
        const error = await errorOf(encode());
        for (const secret of [key, base64]) {
          expect(`${error.message} ${error.stack} ${JSON.stringify(error.parts)} ${access.notes}`).not.toContain(
            secret,
          );
        }
        expect(error.message).toContain('(key)');
      }
    },
  );

  test('is in no error when it comes back in an answer that cannot be used', async () => {
    const { encode } = await behind([{ text: `no json: ${key}`, headers: { 'content-type': `text/${key}` } }]);
    const error = await errorOf(encode());
    expect(error.message).toContain('no json: (key)');
    expect(error.message).not.toContain(key);
  });

  test('is cut out before a long message is cut', async () => {
    const message = `${'x'.repeat(150)}${key}`;
    const { encode } = await behind(always({ status: 400, json: { error: { message } } }));
    expect((await errorOf(encode())).message).not.toContain(key.slice(0, 6));
  });

  test('stays out of notes, conditions and identity', async () => {
    const { encoder, encode, access } = await behind([]);
    await encode();
    await encoder.close();
    expect(access.notes).toHaveLength(2);
    expect(JSON.stringify([access.notes, encoder.conditions])).not.toContain(key);
  });
});
