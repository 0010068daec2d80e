import { describe, expect, test } from 'vitest';
import { attemptOnce, readUpTo } from '../../runners/backends/api/attempt.js';
import { lossOf } from '../../runners/backends/api/loss.js';
import { systemWaits } from '../../runners/backends/api/waits.js';
import { errorOf, openEncoder, testAccess, testWaits } from './access.js';
import { openAi } from './documented.js';
import { loopback } from './loopback.js';

describe('many requests', () => {
  const texts = (count: number) => Array.from({ length: count }, (_, i) => `t${i}`);

  /** Answers only when as many requests are waiting as there should be at once, or as are left. */
  async function crowded(model: string, atOnce: number, requests: number) {
    const held: (() => void)[] = [];
    let answered = 0;
    const server = await loopback(async (seen) => {
      await new Promise<void>((resolve) => {
        held.push(resolve);
        if (held.length === Math.min(atOnce, requests - answered)) {
          answered += held.length;
          for (const release of held.splice(0)) release();
        }
      });
      if (model.startsWith('openai')) return openAi(seen);
      const { input } = seen.body as { input: string[] };
      return { json: { embeddings: input.map(() => [1]) } };
    });
    const access = testAccess({ OPENAI_BASE_URL: `${server.url}/v1`, OLLAMA_HOST: server.host });
    return { server, encoder: await openEncoder(model, access) };
  }

  test('go four at a time to OpenAI, also from two calls', async () => {
    const { server, encoder } = await crowded('openai:m', 4, 12);
    await Promise.all([encoder.encode(texts(6 * 64), 'document'), encoder.encode(texts(6 * 64), 'document')]);
    expect(server.seen).toHaveLength(12);
    expect(server.peak()).toBe(4);
  });

  test('go two at a time to Ollama', async () => {
    const { server, encoder } = await crowded('ollama:m', 2, 6);
    await encoder.encode(texts(6 * 16), 'document');
    expect(server.peak()).toBe(2);
  });

  test('stop when one of them fails', async () => {
    const failed = deferred();
    const server = await loopback(async (_, nth) => {
      if (nth < 3) return 'never';
      failed.resolve();
      return { status: 400, json: { error: { message: 'the fourth fails' } } };
    });
    const encoder = await openEncoder('openai:m', testAccess({ OPENAI_BASE_URL: server.url }));
    const error = await errorOf(encoder.encode(texts(10 * 64), 'document'));
    expect(error.message).toContain('the fourth fails');
    await failed.promise;
    // Three that never end were given up; six were not begun.
    expect(server.seen).toHaveLength(4);
    expect(encoder.spent()).toEqual({ requests: 4, promptTokens: null, retries: 0, searchUnits: null });
  });

  test('that wait for another try stop too', async () => {
    const waiting = deferred();
    const waits = {
      ...testWaits(),
      wait: (_: number, signal: AbortSignal) =>
        new Promise<void>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          waiting.resolve();
        }),
    };
    const server = await loopback(async (_, nth) => {
      if (nth === 0) return { status: 503, json: { error: 'busy' } };
      await waiting.promise;
      return { status: 400, json: { error: 'the second fails' } };
    });
    const encoder = await openEncoder('openai:m', testAccess({ OPENAI_BASE_URL: server.url }), waits);
    const error = await errorOf(encoder.encode(texts(2 * 64), 'document'));
    expect(error.message).toContain('the second fails');
    expect(server.seen).toHaveLength(2);
  });

  test('an encoder can be used again after a failure', async () => {
    const server = await loopback((seen, nth) => (nth === 0 ? { status: 400, json: { error: 'no' } } : openAi(seen)));
    const encoder = await openEncoder('openai:m', testAccess({ OPENAI_BASE_URL: `${server.url}/v1` }));
    await errorOf(encoder.encode(['a'], 'document'));
    expect(await encoder.encode(['a'], 'document')).toMatchObject({ dims: 4 });
  });
});

describe('one request', () => {
  const request = { body: null, key: null, timeoutMs: 60_000, answerBytes: 100 };
  const never = new AbortController().signal;

  test('reads no more of an answer than is allowed', async () => {
    for (const [size, kind] of [
      [98, 'answer'],
      [99, 'unreadable'],
      [5_000_000, 'unreadable'],
    ] as const) {
      const server = await loopback(() => ({ json: 'x'.repeat(size) }));
      expect(await attemptOnce({ ...request, url: server.url }, testWaits(), never)).toMatchObject({ kind });
    }
  });

  test('counts decompressed bytes', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(60).fill(0x61)),
    });
    expect(await readUpTo(new Response(stream), 100)).toEqual({ text: 'a'.repeat(100), isWhole: false });
    expect(await readUpTo(new Response('é'), 2)).toEqual({ text: 'é', isWhole: true });
    expect(await readUpTo(new Response(null), 0)).toEqual({ text: '', isWhole: true });
  });

  test('is given up when the caller gives up', async () => {
    const caller = new AbortController();
    const server = await loopback(() => {
      caller.abort(new Error('given up'));
      return 'never';
    });
    await expect(attemptOnce({ ...request, url: server.url }, systemWaits, caller.signal)).rejects.toThrow('given up');
  });

  test.each([
    ['ECONNREFUSED', 'nothing-listens'],
    ['EHOSTUNREACH', 'nothing-listens'],
    ['ENOTFOUND', 'unknown-host'],
    ['EAI_AGAIN', 'unknown-host'],
    ['UND_ERR_CONNECT_TIMEOUT', 'nothing-listens'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
    ['CERT_HAS_EXPIRED', 'certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
    ['ECONNRESET', 'dropped'],
    ['UND_ERR_SOCKET', 'dropped'],
  ])('%s among the causes is %s', (code, loss) => {
    const cause = Object.assign(new Error(code), { code });
    expect(lossOf(new TypeError('fetch failed', { cause }))).toBe(loss);
    expect(lossOf(new TypeError('fetch failed', { cause: new AggregateError([cause]) }))).toBe(loss);
  });

  test('errors without a code, and no errors at all, are broken connections', () => {
    const endless = new Error('endless');
    endless.cause = endless;
    for (const thrown of [new TypeError('terminated'), endless, 'text', null, undefined]) {
      expect(lossOf(thrown)).toBe('dropped');
    }
  });
});

describe('waits', () => {
  test('end, and end early with the reason when they are aborted', async () => {
    await systemWaits.wait(0, new AbortController().signal);
    const controller = new AbortController();
    const wait = systemWaits.wait(3_600_000, controller.signal);
    controller.abort(new Error('enough'));
    await expect(wait).rejects.toThrow('enough');
    await expect(systemWaits.wait(0, controller.signal)).rejects.toThrow('enough');
  });

  test('a deadline aborts its signal unless it is cancelled', async () => {
    const cancelled = systemWaits.deadline(0);
    cancelled.cancel();
    const { signal } = systemWaits.deadline(0);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.aborted).toBe(true);
    expect(cancelled.signal.aborted).toBe(false);
  });
});

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let settle: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: () => settle() };
}
