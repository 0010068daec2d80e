import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRecord } from '../../results/latency/samples.js';
import { registerLatency } from '../../scripts/commands/latency.js';
import { clockResolutionMs, monotonicClock } from '../../scripts/latency/clock.js';
import { concurrenciesOf, type MeasurePlan } from '../../scripts/latency/measure.js';
import {
  concurrencyFrom,
  type LatencyOptions,
  measuredSystems,
  rateFrom,
  requiredTask,
} from '../../scripts/latency/options.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import { writeNanoSet } from '../../tasks/store.js';
import { tenbin } from '../e2e/tenbin.js';
import { said } from '../replay/command-line.js';
import { animals, smallNano, temporaryFolder } from '../small-nano.js';
import { measuredOf, recordOf, sampleOf } from './records.js';

describe('the options', () => {
  const options = (change: Partial<LatencyOptions>) => change as LatencyOptions;

  test.each([
    ['1', [1]],
    ['1,8,32', [1, 8, 32]],
    ['1000, 2', [1000, 2]],
  ])('--concurrency %s', (text, numbers) => expect(concurrencyFrom(text)).toEqual(numbers));

  test.each(['', '0', '1,,2', '1,1', '-1', '1.5', '1001', '1;2'])('--concurrency %j is refused', (text) => {
    expect(() => concurrencyFrom(text)).toThrow(/whole numbers from 1 to 1000/);
  });

  test('--rate takes requests in a second', () => {
    expect([rateFrom('50'), rateFrom('0.5')]).toEqual([50, 0.5]);
    for (const text of ['0', '-1', '1e3', 'many', '']) expect(() => rateFrom(text)).toThrow(/Requests in a second/);
  });

  test('name systems, or two in turns, and contradict each other nowhere', () => {
    expect(measuredSystems(options({ systems: ['a, b', 'c'] }))).toEqual({ texts: ['a', 'b', 'c'], inTurns: false });
    expect(measuredSystems(options({ paired: 'a > b@3, rrf(a, b)' }))).toEqual({
      texts: ['a > b@3', 'rrf(a, b)'],
      inTurns: true,
    });
    expect(() => measuredSystems(options({}))).toThrow(/No system is named/);
    expect(() => measuredSystems(options({ systems: [' '] }))).toThrow(/No system is named/);
    expect(() => measuredSystems(options({ paired: 'a, b, c' }))).toThrow(/takes two systems/);
    expect(() => measuredSystems(options({ paired: 'a, b', systems: ['a'] }))).toThrow(/Leave --systems out/);
    expect(() => measuredSystems(options({ paired: 'a, b', rate: 5 }))).toThrow(/take turns with one user/);
    expect(() => measuredSystems(options({ systems: ['a'], rate: 5, concurrency: [8] }))).toThrow(
      /Leave --concurrency out/,
    );
    expect(() => requiredTask(options({}))).toThrow(/No task is named/);
  });

  test('a rate is measured once, with as many at once as there are slots', () => {
    const plan: MeasurePlan = {
      concurrencies: [1, 8],
      warmup: 0,
      requests: 1,
      ratePerSecond: null,
      slots: null,
      seed: 1,
      isStopped: () => false,
      onAnswer: () => undefined,
    };
    expect(concurrenciesOf(plan)).toEqual([1, 8]);
    expect(concurrenciesOf({ ...plan, ratePerSecond: 5 })).toEqual([1]);
    expect(concurrenciesOf({ ...plan, ratePerSecond: 5, slots: 4 })).toEqual([4]);
  });
});

describe('a file that is reported again', () => {
  const reported = (root: string, ...args: readonly string[]) => {
    const file = join(root, 'samples.json');
    writeFileSync(file, JSON.stringify(recordOf({ measured: [measuredOf({ samples: [sampleOf({ endMs: 3 })] })] })));
    return said(registerLatency, ['latency', '--from', file, ...args]);
  };

  test.each([
    ['--requests', '3'],
    ['--requests', '500'],
    ['--concurrency', '4'],
    ['--rate', '5'],
    ['--slots', '2'],
    ['--warmup', '20'],
    ['--depth', '5'],
    ['--seed', '1'],
    ['--threads', '1'],
    ['--systems', 'bm25'],
    ['--paired', 'a, b'],
    ['--task', 'a/b'],
    ['--device', 'cpu'],
  ])('was measured: %s is wrong use, and named', async (option, value) => {
    const refused = reported(temporaryFolder(), option, value);
    await expect(refused).rejects.toThrow(`Leave ${option} out`);
    await expect(refused).rejects.toMatchObject({ code: 'usage' });
  });

  test('may be judged by another limit, drawn and printed', async () => {
    const root = temporaryFolder();
    const svg = join(root, 'again.svg');
    const { code, stdout, stderr } = await reported(
      root,
      '--timeout-ms',
      '2',
      '--svg',
      svg,
      '--format',
      'json',
      '--out',
      root,
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).systems[0]).toMatchObject({ timeouts: 1, total: { p50: 3 } });
    expect(stderr).toContain(`wrote ${svg}`);
    expect(readFileSync(svg, 'utf8')).toMatch(/^<svg /);
  });
});

describe('the clock', () => {
  test('is as fine as its smallest step', () => {
    let reading = 0;
    // Steps of 1 and of 0.25 ms, each seen by several readings.
    const steps = [0, 0, 1, 1, 1, 1.25, 1.25, 2.25];
    expect(clockResolutionMs(() => steps[Math.min(reading++, steps.length - 1)])).toBe(0.25);
    expect(() => clockResolutionMs(() => 7)).toThrow(/does not move.*7 ms/);
  });

  test('can be waited for, and never resolves too early', async () => {
    const dueMs = monotonicClock.nowMs() + 0.1;
    await monotonicClock.until(dueMs);
    expect(monotonicClock.nowMs()).toBeGreaterThanOrEqual(dueMs);
    await monotonicClock.until(0);
  });
});

describe('the command', () => {
  test('measures, draws, keeps the samples, and says what it could not measure', async () => {
    const root = temporaryFolder();
    const svg = join(root, 'drawn.svg');
    await writeNanoSet(root, sealNanoSet(smallNano(animals)));
    const systems = 'bm25, dense-tiny+int8+rescore@4, bm25 > ce-tiny@2, ce-tiny';
    const args = ['--task', 'test/small', '--concurrency', '1,3', '--requests', '12', '--warmup', '2', '--svg', svg];
    const measured = tenbin(['latency', '--systems', systems, ...args, '--format', 'json', '--quiet'], { out: root });
    const report = JSON.parse(measured.stdout);
    // The reranker alone has nothing to search, so the command was not able to do all of it.
    expect(measured.code).toBe(1);
    expect(report.refused).toEqual([
      { system: 'ce-tiny', reason: expect.stringMatching(/^A reranker orders candidates/) },
    ]);
    const rows = report.systems.map(({ system, concurrency, requests }: Record<string, unknown>) => [
      system,
      concurrency,
      requests,
    ]);
    expect(rows).toEqual(
      ['bm25', 'dense-tiny+int8+rescore@4', 'bm25 > ce-tiny@2'].flatMap((system) => [
        [system, 1, 12],
        [system, 3, 12],
      ]),
    );
    const stagesOf = (i: number) => Object.keys(report.systems[i].stages);
    expect(stagesOf(2)).toEqual(['queue', 'tokenize', 'encode', 'search', 'rescore', 'sort', 'other']);
    expect(stagesOf(4)).toContain('rerank');
    for (const { total, throughputPerSecond, failures, models } of report.systems) {
      expect(total.p50).toBeGreaterThan(0);
      expect(total.p99).toBeGreaterThanOrEqual(total.p50);
      expect(total.intervals.p99).toBeNull();
      expect(throughputPerSecond).toBeGreaterThan(0);
      expect(failures).toBe(0);
      for (const { liveDifference } of models) expect(liveDifference ?? 0).toBeLessThan(1e-3);
    }
    expect(report.conditions).toMatchObject({ depth: 100, warmup: 2, queries: 3, docs: 6, device: 'cpu' });
    expect(report.conditions.nano).toMatch(/^[0-9a-f]{64}$/);
    expect(readFileSync(svg, 'utf8')).toContain('dense-tiny+int8+rescore@4');
    const record = parseRecord(readFileSync(report.samples, 'utf8'), report.samples);
    expect(record.measured.map(({ samples }) => samples.length)).toEqual(Array(6).fill(12));

    const again = tenbin(['latency', '--from', report.samples, '--timeout-ms', '1', '--format', 'json'], { out: root });
    const { systems: reported, conditions } = JSON.parse(again.stdout);
    expect(conditions.timeoutMs).toBe(1);
    const timed = ({ system, stages, total }: Record<string, unknown>) => ({ system, stages, total });
    expect(reported.map(timed)).toEqual(report.systems.map(timed));
    const late = record.measured.map(
      ({ samples }) => samples.filter(({ arrivalMs, endMs }) => endMs - arrivalMs > 1).length,
    );
    expect(reported.map(({ timeouts }: { timeouts: number }) => timeouts)).toEqual(late);
  });
});
