import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DownloadStep } from '../../runners/hub/index.js';
import { cutAfter, type Exchange, openHub, type Rule, sha256, someBytes } from './loopback-hub.js';
import { fetchAll, namesIn, nowMs, settingsFor, steered, token } from './steered.js';

const large = someBytes(3_000_000);
const files = new Map([['model.onnx', large]]);
const stored = new RegExp(sha256(large));
const half = 1_500_000;

interface Attempt {
  readonly rules: readonly Rule[];
  readonly outside?: ReturnType<typeof steered>;
}

/** Downloads the model under these rules: what came, and what was asked of the storage server. */
async function attempt({ rules, outside = steered() }: Attempt) {
  const hub = await openHub({ files, rules });
  const settings = settingsFor(hub, { HF_TOKEN: token, HF_HUB_ETAG_TIMEOUT: '3', HF_HUB_DOWNLOAD_TIMEOUT: '7' });
  const steps: DownloadStep[] = [];
  const notes: string[] = [];
  const result = await fetchAll(
    settings,
    { onProgress: (step) => steps.push(step), onNote: (text) => notes.push(text) },
    outside,
  ).catch((error: Error) => error);
  const isRight = !(result instanceof Error) && readFileSync(join(result.folder, 'model.onnx')).equals(large);
  const ranges = hub.storageAsked.map(({ range }) => range);
  return { hub, settings, result, isRight, ranges, steps, notes, waitsMs: outside.waitsMs };
}

const stored1 = (answer: Rule['answer'], times = 1): Rule => ({ path: stored, times, answer });
const endWithoutLength = (response: ServerResponse, bytes: Buffer) => {
  response.write(bytes);
  response.end();
};
const cutInHalf = stored1(({ response }) => cutAfter(response, large, half));

describe('a connection that breaks off', () => {
  test('is taken up where it ended', async () => {
    const { isRight, ranges, steps } = await attempt({ rules: [cutInHalf] });
    expect(isRight).toBe(true);
    expect(ranges).toHaveLength(2);
    expect(ranges[0]).toBeNull();
    expect(Number(/^bytes=(\d+)-$/.exec(ranges[1] ?? '')?.[1])).toBeGreaterThan(0);
    expect(steps.at(-1)).toEqual({ file: 'model.onnx', doneBytes: large.length, totalBytes: large.length });
  });

  test('also where a body without a length just ends', async () => {
    const rule = stored1(({ response }) => endWithoutLength(response, large.subarray(0, half)));
    const { isRight, ranges } = await attempt({ rules: [rule] });
    expect(isRight).toBe(true);
    expect(ranges).toEqual([null, `bytes=${half}-`]);
  });

  test('again and again is an error; what came is kept for the next time', async () => {
    const always = stored1(({ response }) => cutAfter(response, large, 10), 1e9);
    const { result, ranges, settings, waitsMs } = await attempt({ rules: [always] });
    expect(String(result)).toContain('The connection to the hub broke off, again and again');
    expect(ranges.length).toBe(waitsMs.length + 1);
    expect(namesIn(settings, 'snapshots')).toEqual([]);
    expect(namesIn(settings, 'refs')).toEqual([]);
  });

  test('is tried without end as long as new bytes come', async () => {
    const step = 1 << 20;
    const slow = (exchange: Exchange) => {
      const start = Number(/\d+/.exec(exchange.range ?? '0')?.[0]);
      const headers = { 'content-range': `bytes ${start}-${huge.length - 1}/${huge.length}` };
      exchange.response.writeHead(start === 0 ? 200 : 206, start === 0 ? {} : headers);
      exchange.response.end(huge.subarray(start, start + step));
    };
    const huge = someBytes(8 * step, 3);
    const hub = await openHub({
      files: new Map([['h', huge]]),
      rules: [{ path: new RegExp(sha256(huge)), answer: slow }],
    });
    const { folder } = await fetchAll(settingsFor(hub));
    expect(readFileSync(join(folder, 'h')).equals(huge)).toBe(true);
    expect(hub.storageAsked).toHaveLength(8);
  });
});

describe('a range that is not honoured starts the file over', () => {
  const last = large.length - 1;
  /** The right bytes under this Content-Range, so that only the header can give it away. */
  const under = (header: (start: number) => string) => (exchange: Exchange) => {
    const start = Number(/\d+/.exec(exchange.range ?? '')?.[0]);
    exchange.send({ status: 206, headers: { 'content-range': header(start) }, body: large.subarray(start) });
  };
  const gzip = { 'content-encoding': 'gzip' };

  test.each<[string, number, (exchange: Exchange) => void]>([
    ['the whole file instead', 2, ({ send }) => send({ status: 200, body: large })],
    ['another start', 3, under((start) => `bytes ${start - 1}-${last}/${large.length}`)],
    ['another end', 3, under((start) => `bytes ${start}-${last + 1}/${large.length}`)],
    ['another length', 3, under((start) => `bytes ${start}-${last}/${large.length + 1}`)],
    ['another unit', 3, under((start) => `lines ${start}-${last}/${large.length}`)],
    ['no Content-Range', 3, ({ send }) => send({ status: 206, body: large })],
    ['an encoding', 3, ({ send, usual }) => send({ ...usual, headers: { ...usual.headers, ...gzip } })],
    ['a refusal of the range', 3, ({ send }) => send({ status: 416 })],
  ])('%s', async (_, requests, answer) => {
    const { isRight, ranges, result } = await attempt({ rules: [cutInHalf, stored1(answer)] });
    expect(result).not.toBeInstanceOf(Error);
    expect(isRight).toBe(true);
    expect(ranges).toHaveLength(requests);
    expect(ranges.slice(2)).toEqual(ranges.slice(2).map(() => null));
  });

  test('an unknown length is fine', async () => {
    const { isRight, ranges } = await attempt({
      rules: [cutInHalf, stored1(under((start) => `bytes ${start}-${last}/*`))],
    });
    expect(isRight).toBe(true);
    expect(ranges).toHaveLength(2);
  });
});

describe('waiting', () => {
  const limited = (after: Record<string, string>): Rule => ({
    path: /\/revision\//,
    times: 1,
    answer: ({ send }) => send({ status: 429, headers: after }),
  });

  test.each([
    [{ 'retry-after': '7' }, 7250],
    [{ 'retry-after': new Date(nowMs + 90_000).toUTCString() }, 90_250],
    [{ 'retry-after': new Date(nowMs - 90_000).toUTCString() }, 250],
    [{ ratelimit: '"api";r=0;t=55' }, 55_250],
    [{}, 375],
    [{ 'retry-after': 'later' }, 375],
  ])('429 with %j waits %d ms', async (headers, waitMs) => {
    const { isRight, waitsMs, notes } = await attempt({ rules: [limited(headers as Record<string, string>)] });
    expect(isRight).toBe(true);
    expect(waitsMs).toEqual([waitMs]);
    expect(notes).toHaveLength(waitMs >= 5000 ? 1 : 0);
  });

  test('503 twice, then well: waits are doubled', async () => {
    const rule = stored1(({ send }) => send({ status: 503, body: '<html>busy</html>' }), 2);
    const { isRight, waitsMs } = await attempt({ rules: [rule] });
    expect(isRight).toBe(true);
    expect(waitsMs).toEqual([375, 750]);
  });

  test('a hub that asks for an hour is not waited for', async () => {
    const { result, waitsMs } = await attempt({ rules: [limited({ 'retry-after': '3600' })] });
    expect(String(result)).toContain(
      'The hub limits how often it may be asked (429): org/name@main. Run the command again in 3600 s.',
    );
    expect(waitsMs).toEqual([]);
  });

  test('a signed address of the storage that ran out is fetched anew from the hub', async () => {
    const { isRight, hub } = await attempt({ rules: [stored1(({ send }) => send({ status: 403 }))] });
    expect(isRight).toBe(true);
    expect(hub.asked.filter(({ url }) => url.pathname.includes('/resolve/'))).toHaveLength(2);
  });
});

describe('silence', () => {
  /** Lets limits of `ms` end at once, the first `count` of them. */
  const impatient = (ms: number, count = 1e9) => {
    let left = count;
    return steered({
      startTimer: (limitMs, onEnd) => {
        if (limitMs !== ms || left-- <= 0) return () => undefined;
        const soon = setImmediate(onEnd);
        return () => clearImmediate(soon);
      },
    });
  };
  const mute: Rule = { path: /./, answer: () => undefined };

  test('before the answer is an error after five tries', async () => {
    const { result, waitsMs } = await attempt({ rules: [mute], outside: impatient(3000) });
    expect(String(result)).toContain('The hub was silent for 3 s, again and again');
    expect(waitsMs).toEqual([375, 750, 1500, 3000]);
  });

  test('in the middle is taken up where it began', async () => {
    let isMute = false;
    const rule = stored1(({ response }) => {
      isMute = true;
      response.writeHead(200, { 'content-length': String(large.length) }).flushHeaders();
    });
    const outside = steered({
      startTimer: (limitMs, onEnd) => {
        if (limitMs !== 7000 || !isMute) return () => undefined;
        isMute = false;
        const soon = setImmediate(onEnd);
        return () => clearImmediate(soon);
      },
    });
    const { isRight, ranges, waitsMs } = await attempt({ rules: [rule], outside });
    expect(isRight).toBe(true);
    expect(ranges).toEqual([null, null]);
    expect(waitsMs).toEqual([375]);
  });
});

describe('what is not the listed file is not seen', () => {
  const flipped = Buffer.from(large);
  flipped[5] = (flipped[5] ?? 0) ^ 1;

  test.each<[string, (exchange: Exchange) => void, string]>([
    [
      'a flipped byte',
      ({ send }) => send({ status: 200, body: flipped }),
      `its sha256 is not ${sha256(large).slice(0, 12)}…`,
    ],
    [
      'a short body with its own length',
      ({ response }) => response.writeHead(200, { 'content-length': '5' }).end('short'),
      'the hub sends 5 bytes where 3000000 are listed',
    ],
    [
      'a body that goes on',
      ({ response }) => endWithoutLength(response, Buffer.concat([large, Buffer.of(1)])),
      'it is longer than',
    ],
  ])('%s', async (_, answer, why) => {
    const { result, settings, ranges } = await attempt({ rules: [stored1(answer, 1e9)] });
    expect(String(result)).toContain('The downloaded file is damaged');
    expect(String(result)).toContain(why);
    expect(String(result)).toContain('model.onnx of org/name@main');
    expect(ranges).toEqual([null, null]);
    for (const folder of ['snapshots', 'blobs', 'refs']) expect(namesIn(settings, folder)).toEqual([]);
  });

  test('a login page without a length in its place', async () => {
    const { result, settings } = await attempt({
      rules: [stored1(({ send }) => send({ status: 200, body: '<html>' }), 1e9)],
    });
    expect(String(result)).toContain('The hub sends less than it lists, again and again: model.onnx in org/name@main');
    for (const folder of ['snapshots', 'refs']) expect(namesIn(settings, folder)).toEqual([]);
  });

  test('a short file whose server denies the rest is damaged', async () => {
    const short = large.subarray(0, half);
    const answer = ({ range, response, send }: Exchange) =>
      range === null
        ? endWithoutLength(response, short)
        : send({ status: 416, headers: { 'content-range': `bytes */${half}` } });
    const { result } = await attempt({ rules: [stored1(answer, 1e9)] });
    expect(String(result)).toContain(`the hub has ${half} bytes where 3000000 are listed`);
  });

  test('one damaged answer is fetched once more', async () => {
    const { isRight, ranges, steps } = await attempt({
      rules: [stored1(({ send }) => send({ status: 200, body: flipped }))],
    });
    expect(isRight).toBe(true);
    expect(ranges).toEqual([null, null]);
    expect(steps.filter(({ doneBytes }) => doneBytes === 0)).toHaveLength(2);
  });
});
