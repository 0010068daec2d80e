import { describe, expect, test } from 'vitest';
import { latencyDrawing } from '../../results/latency/drawing.js';
import { latencyReport, type ReportOptions } from '../../results/latency/report.js';
import { type LatencyRecord, parseRecord } from '../../results/latency/samples.js';
import { latencyNotes, latencyTables } from '../../results/latency/tables.js';
import { wellFormed } from '../../results/reports/html-text.js';
import { measuredOf, recordOf, sampleOf } from './records.js';

const options: ReportOptions = { prices: { prompt: null, completion: null }, timeoutMs: null };
const entryOf = (record: LatencyRecord, given = options) => latencyReport(record, given).systems[0];

/** Requests one behind the other: 1 ms in the queue, then the parts, then what lies between them. */
const steady = (count: number, parts: Readonly<Record<string, number>>, serviceMs: number) =>
  Array.from({ length: count }, (_, i) =>
    sampleOf({
      query: i,
      arrivalMs: 10 * i,
      startMs: 10 * i + 1,
      endMs: 10 * i + 1 + serviceMs,
      parts,
      tokens: 7,
      pairs: 2,
    }),
  );

describe('an entry', () => {
  const record = recordOf({
    measured: [measuredOf({ samples: steady(400, { tokenize: 0.5, encode: 4, search: 0.0003, sort: 0.25 }, 5) })],
  });

  test('has the stages that the system has, which add up to the whole request', () => {
    const { stages, total } = entryOf(record);
    expect(Object.keys(stages)).toEqual(['queue', 'tokenize', 'encode', 'search', 'sort', 'other']);
    expect(total).toMatchObject({ p50: 6, p95: 6, p99: 6, mean: 6, n: 400 });
    expect(total.intervals.p99).toEqual({ low: 6, high: 6 });
    expect(stages.encode).toMatchObject({ p50: 4, share: 4 / 6 });
    expect(stages.other?.p50).toBeCloseTo(0.2497, 10);
    const shares = Object.values(stages).reduce((sum, stage) => sum + (stage.share ?? 0), 0);
    expect(shares).toBeCloseTo(1, 12);
  });

  test('names the stages that the clock cannot tell, and gives them no number', () => {
    const entry = entryOf(record);
    expect(entry.belowResolution).toEqual(['search']);
    expect(entry.stages.search).toMatchObject({ p50: null, p99: null, n: 400 });
    const [, stages] = latencyTables(latencyReport(record, options));
    expect(stages.rows[0]).toContain('< 0.5 µs (< 0.1 %)');
    expect(stages.rows.flat().some((cell) => /^0(\.0*)? /.test(cell))).toBe(false);
  });

  test('counts what was done in a second, from the first arrival to the last answer', () => {
    const seconds = (399 * 10 + 6) / 1000;
    const { throughputPerSecond, tokensPerSecond, pairsPerSecond } = entryOf(record);
    expect(throughputPerSecond).toBeCloseTo(400 / seconds, 10);
    expect(tokensPerSecond).toBeCloseTo(2800 / seconds, 10);
    expect(pairsPerSecond).toBeCloseTo(800 / seconds, 10);
    const unknown = steady(3, {}, 1).map((sample, i) => (i === 1 ? { ...sample, tokens: null } : sample));
    expect(entryOf(recordOf({ measured: [measuredOf({ samples: unknown })] })).tokensPerSecond).toBeNull();
  });

  test('of two in turns counts the time of its own requests, not that of the other', () => {
    // A takes 2 ms and B 8 ms, one after the other; A fails once.
    const samples = (from: number, ms: number) =>
      Array.from({ length: 50 }, (_, i) =>
        sampleOf({
          query: i,
          arrivalMs: 10 * i + from,
          startMs: 10 * i + from,
          endMs: 10 * i + from + ms,
          tokens: 3,
          pairs: 2,
        }),
      );
    const ofA = samples(0, 2).map((one, i) => (i === 4 ? { ...one, failed: 'no' } : one));
    const measured = [measuredOf({ system: 'a', samples: ofA }), measuredOf({ system: 'b', samples: samples(2, 8) })];
    const { systems } = latencyReport(recordOf({ paired: { a: 'a', b: 'b' }, measured }), options);
    expect(systems.map(({ throughputPerSecond }) => throughputPerSecond)).toEqual([49 / 0.1, 50 / 0.4]);
    expect(systems[1]).toMatchObject({ pairsPerSecond: 250, tokensPerSecond: 375 });
    const [alone] = latencyReport(recordOf({ measured }), options).systems;
    expect(alone.throughputPerSecond).toBeCloseTo(49 / 0.492, 10);
  });

  test('has no rate where no time passed', () => {
    const still = [sampleOf({ endMs: 0, tokens: 5, pairs: 1 })];
    const none = { throughputPerSecond: null, pairsPerSecond: null, tokensPerSecond: null };
    expect(entryOf(recordOf({ measured: [measuredOf({ samples: still })] }))).toMatchObject(none);
  });

  test('below the clock says so in the totals and the intervals too, and never 0', () => {
    const quick = Array.from({ length: 400 }, (_, i) =>
      sampleOf({ query: i, arrivalMs: i, startMs: i, endMs: i + (i < 200 ? 0 : 0.0009) }),
    );
    const report = latencyReport(recordOf({ measured: [measuredOf({ samples: quick })] }), options);
    const [{ rows }] = latencyTables(report);
    expect(rows[0].slice(3, 5)).toEqual(['< 0.5 µs [< 0.5 µs, 0.000900]', '0.000900 [0.000900, 0.000900]']);
    expect(latencyDrawing(report)).toContain('p50 &lt; 0.5 µs<');
    expect(latencyDrawing(report)).not.toMatch(/NaN|null/);
    const failing = quick.map((one, i) => (i < 390 ? { ...one, failed: 'no' } : one));
    const [table] = latencyTables(latencyReport(recordOf({ measured: [measuredOf({ samples: failing })] }), options));
    expect(table.rows[0][3]).toBe('– [n too small]');
  });

  test('counts late answers from their arrival, and measures them all the same', () => {
    const late = steady(10, {}, 5).map((sample, i) => (i < 3 ? { ...sample, endMs: sample.arrivalMs + 100 } : sample));
    const slow = recordOf({ measured: [measuredOf({ samples: late })] });
    expect(entryOf(slow, { ...options, timeoutMs: 99 })).toMatchObject({ timeouts: 3, total: { max: 100 } });
    expect(entryOf(slow, { ...options, timeoutMs: 100 }).timeouts).toBe(0);
    expect(entryOf(slow).timeouts).toBeNull();
  });

  test('counts failed requests and says what the first one was', () => {
    const some = steady(10, {}, 5).map((sample, i) => (i > 7 ? { ...sample, failed: `reason ${i}` } : sample));
    const entry = entryOf(recordOf({ measured: [measuredOf({ samples: some })] }));
    expect(entry).toMatchObject({
      requests: 10,
      failures: 2,
      firstFailure: 'reason 8',
      total: { n: 8, p95: null, p50: 6 },
    });
  });

  test('of nothing has nothing', () => {
    const entry = entryOf(recordOf({ measured: [measuredOf({ interrupted: true })] }));
    expect(entry).toMatchObject({ requests: 0, stages: {}, throughputPerSecond: null, belowResolution: [] });
  });

  test.each([
    [{ promptTokens: 4000, completionTokens: 0 }, { prompt: 2.5, completion: null }, 1],
    [{ promptTokens: 4000, completionTokens: 1000 }, { prompt: 2.5, completion: 10 }, 2],
    [{ promptTokens: 4000, completionTokens: 1000 }, { prompt: 2.5, completion: null }, null],
    [{ promptTokens: null, completionTokens: 0 }, { prompt: 2.5, completion: 10 }, null],
    [{ promptTokens: 4000, completionTokens: 0 }, { prompt: null, completion: null }, null],
  ])('costs what its tokens cost: %o at %o', (tokens, prices, cost) => {
    const measured = [measuredOf({ samples: steady(10, {}, 1), service: { retries: 3, ...tokens } })];
    expect(entryOf(recordOf({ measured }), { prices, timeoutMs: null })).toMatchObject({
      costPer1000Queries: cost,
      retries: 3,
    });
  });
});

const interval = { ratio: 1, low: 1, high: 1 };

describe('what people read', () => {
  const hostile = '<script>"a" & b</script>';
  const record = recordOf({
    measured: [
      measuredOf({ samples: steady(400, { search: 2 }, 5), notTimed: [{ model: 'bm25', why: 'because' }] }),
      measuredOf({
        system: hostile,
        load: { kind: 'open', ratePerSecond: 50 },
        concurrency: 3,
        samples: steady(20, { rerank: 70 }, 80),
      }),
      measuredOf({ system: 'nothing', interrupted: true }),
    ],
    refused: [{ system: 'x', reason: 'it does not fit' }],
  });
  const report = latencyReport(record, options);

  test('says for each system how long, how sure and under which load', () => {
    const [totals, stages] = latencyTables(report);
    expect(totals.rows[0].slice(0, 5)).toEqual(['bm25', '1', '400', '6.00 [6.00, 6.00]', '6.00 [6.00, 6.00]']);
    expect(totals.rows[1].slice(1, 6)).toEqual([
      '50/s, 3 at once',
      '20',
      '81.0 [81.0, 81.0]',
      '81.0 [n too small]',
      '81.0 [n too small]',
    ]);
    expect(stages.head).toEqual(['system', 'users', 'queue', 'search', 'rerank', 'other']);
    expect(stages.rows[0]).toEqual(['bm25', '1', '1.00 (17 %)', '2.00 (33 %)', '–', '3.00 (50 %)']);
    expect(latencyNotes(report)).toEqual([
      'not timed: bm25: because',
      'stopped: nothing after 0 requests',
      'refused: x: it does not fit',
    ]);
  });

  test('shares have as many digits as they need', () => {
    const share = (ms: number) => {
      const samples = steady(10, { search: ms, encode: 9 - ms }, 9);
      const [, { rows, head }] = latencyTables(
        latencyReport(recordOf({ measured: [measuredOf({ samples })] }), options),
      );
      return / \((.*)\)$/.exec(rows[0][head.indexOf('search')])?.[1];
    };
    expect([0.009, 0.01, 0.05, 0.99, 1, 5].map(share)).toEqual(['< 0.1 %', '0.1 %', '0.5 %', '9.9 %', '10 %', '50 %']);
  });

  test('two in turns end in a sentence that decides or does not', () => {
    const sides = (ms: number) =>
      recordOf({
        paired: { a: 'a', b: 'b' },
        measured: ['a', 'b'].map((system) =>
          measuredOf({
            system,
            samples: Array.from({ length: 30 }, (_, i) =>
              sampleOf({ query: i, endMs: system === 'a' ? ms + (i % 3) : 3 }),
            ),
          }),
        ),
      });
    const text = (ms: number) => latencyNotes(latencyReport(sides(ms), options))[0];
    expect(text(8)).toMatch(/^in turns: a takes 2\.9\d times as long as b .* over 30 queries .*: b is faster$/);
    expect(text(1)).toMatch(/: a is faster$/);
    expect(text(2)).toMatch(/: which is faster is not decided$/);
    const touching = (a: number, b: number) =>
      latencyNotes({ ...report, paired: { a: 'a', b: 'b', ratio: 1.1, low: a, high: b, n: 9, p50Ratio: interval } })[0];
    expect([touching(1, 1.2), touching(0.8, 1)].every((one) => one.endsWith('not decided'))).toBe(true);
    expect([touching(1.001, 1.2), touching(0.8, 0.999)].map((one) => one.slice(-11))).toEqual([
      'b is faster',
      'a is faster',
    ]);
  });

  test('the drawing is the same for the same samples, black and white, and escapes names', () => {
    const svg = latencyDrawing(report);
    expect(latencyDrawing(latencyReport(parseRecord(JSON.stringify(record), 'x'), options))).toBe(svg);
    expect(svg).not.toContain('<script>');
    expect(svg).toContain('&lt;script&gt;');
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    const colours = [...svg.matchAll(/#([0-9a-f]{3,6})\b/g)].map(([, hex]) => hex);
    expect(colours.every((hex) => new Set(hex).size === 1)).toBe(true);
    expect([...svg.matchAll(/<pattern /g)]).toHaveLength(4);
  });

  test('nothing that a file says reaches the terminal or the drawing raw', () => {
    const evil = '\u001b]0;x\u0007\u202e\ufffe\ud800<a>';
    const given = recordOf({
      task: evil,
      paired: { a: evil, b: `${evil}b` },
      measured: [evil, `${evil}b`].map((system) =>
        measuredOf({
          system,
          interrupted: true,
          samples: [sampleOf({ endMs: 2 }), sampleOf({ query: 1, failed: evil })],
          notTimed: [{ model: evil, why: evil }],
          service: { retries: 1, promptTokens: null, completionTokens: null },
        }),
      ),
      refused: [{ system: evil, reason: `${evil} ${'long '.repeat(60)}end` }],
    });
    const told = latencyReport(given, options);
    const text = [...latencyTables(told).flatMap(({ head, rows }) => [head, ...rows].flat()), ...latencyNotes(told)];
    expect(latencyNotes(told)).toHaveLength(1 + 1 + 2 + 2 + 2 + 1);
    for (const line of text) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    expect(text.at(-1)).toMatch(/long end$/);
    const svg = latencyDrawing(told);
    expect(svg).not.toMatch(/[^\P{Cc}\n]|[\ufffe\uffff]|\p{Cs}|<a>/u);
    expect(wellFormed('a\t\u0000\ufffe\ud800\u{1f600}')).toBe('a\t\ufffd\ufffd\ufffd\u{1f600}');
  });

  test('a drawing of nothing is a drawing', () => {
    expect(latencyDrawing(latencyReport(recordOf(), options))).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    const empty = latencyReport(recordOf({ measured: [measuredOf()] }), options);
    expect(latencyDrawing(empty)).not.toMatch(/NaN|Infinity/);
  });
});

describe('a file of samples', () => {
  const record = recordOf({ measured: [measuredOf({ samples: steady(3, { search: 1 }, 2) })] });

  test('is read as it was written', () => {
    expect(parseRecord(JSON.stringify(record), 'x')).toEqual(record);
  });

  test('of something else is refused with its first field, shortly', () => {
    const foreign = JSON.stringify({
      schema: 'tenbin/run@1',
      ...Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i])),
    });
    const message = messageOf(() => parseRecord(foreign, 'foreign.json'));
    expect(message).toMatch(/no file of `tenbin latency` \(schema: .*foreign\.json/);
    expect(message.length).toBeLessThan(300);
    expect(messageOf(() => parseRecord('[]', 'x'))).toMatch(/expected object/);
  });

  test.each([
    ['it is not JSON', '{'],
    ['no schema', JSON.stringify({ ...record, schema: 'other' })],
    ['a field that does not belong', JSON.stringify({ ...record, more: 1 })],
    ['a part that is unknown', JSON.stringify(record).replace('"search"', '"__proto__"')],
    ['a negative time', JSON.stringify(record).replace('"endMs":3', '"endMs":-3')],
    ['an end before the start', JSON.stringify(record).replace('"endMs":3', '"endMs":0.5')],
    ['no clock', JSON.stringify({ ...record, resolutionMs: 0 })],
    ['a pair without samples', JSON.stringify({ ...record, paired: { a: 'bm25', b: 'lsa' } })],
  ])('is refused with its name: %s', (_, text) => {
    expect(() => parseRecord(text, 'out/latency/x.json')).toThrow(/no file of `tenbin latency`.*out\/latency\/x\.json/);
  });
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return String(error);
  }
  return '';
}
