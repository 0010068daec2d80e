import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { HubFailure } from '../../runners/hub/failure.js';
import { delayMs } from '../../runners/hub/retry.js';
import { retryAfterMs } from '../../runners/hub/retry-after.js';
import { nowMs } from './steered.js';

describe('what an answer asks to wait', () => {
  // RFC 9110, 5.6.7 and 10.2.3: delay-seconds, IMF-fixdate, and the two obsolete forms of a date.
  it.each<[Record<string, string>, number | null]>([
    [{ 'retry-after': '120' }, 120_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': ' 5 ' }, 5000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 12:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Monday, 30-Nov-26 12:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Mon, 30 Nov 2020 12:01:00 GMT' }, 0],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after': '1.5' }, null],
    [{ 'retry-after': '9999999999' }, null],
    [{ 'retry-after': 'soon, please' }, null],
    [{ 'retry-after': '' }, null],
    [{}, null],
    [{ ratelimit: '"api";r=0;t=55', 'ratelimit-policy': '"fixed window";"api";q=500;w=300' }, 55_000],
    [{ ratelimit: '"api"; r = 0 ; t = 55' }, 55_000],
    [{ ratelimit: '"api";r=489;t=189' }, null],
    [{ ratelimit: '"api";r=0;t=55', 'retry-after': '7' }, 7000],
  ])('%j: %j ms', (headers, expected) => {
    expect(retryAfterMs(new Headers(headers), nowMs)).toBe(expected);
  });

  test('no header makes it negative or NaN', () => {
    const text = fc.string().filter((value) => /^[\x20-\x7e]*$/.test(value));
    fc.assert(
      fc.property(text, text, (after, limit) => {
        const found = retryAfterMs(new Headers({ 'retry-after': after, ratelimit: limit }), nowMs);
        expect(found === null || found >= 0).toBe(true);
      }),
    );
  });
});

describe('the wait before the next try', () => {
  const busy: HubFailure = { kind: 'server', status: 503, retryAfterMs: null };
  it('doubles from half a second to 20 s, half of it by chance', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 99].map((failures) => delayMs(busy, failures, 1))).toEqual([
      500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000,
    ]);
    expect(delayMs(busy, 1, 0)).toBe(250);
  });

  it('is never shorter than what the hub asks for', () => {
    const asked = fc.integer({ min: 0, max: 1e6 });
    const chance = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(asked, chance, fc.integer({ min: 1, max: 9 }), (ms, random, failures) => {
        const wait = delayMs({ kind: 'rate-limited', retryAfterMs: ms }, failures, random);
        expect(wait).toBeGreaterThanOrEqual(ms);
        expect(wait).toBeLessThanOrEqual(ms + 500);
      }),
    );
  });
});
