import { describe, expect, test } from 'vitest';
import { latencyDrawing } from '../../results/latency/drawing.js';
import { latencyReport, type ReportOptions } from '../../results/latency/report.js';
import { type LatencyRecord, parseRecord } from '../../results/latency/samples.js';
import { latencyNotes, latencyTables } from '../../results/latency/tables.js';
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
