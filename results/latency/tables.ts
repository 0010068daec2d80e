import { printable } from '../../core/errors.js';
import { fixed } from '../../core/numbers.js';
import type { PairedRatio } from './paired.js';
import type { PercentileName } from './percentiles.js';
import { percentileShares } from './percentiles.js';
import { type LatencyEntry, type LatencyReport, latencyStages } from './report.js';
import { resolvableMs } from './summary.js';

/** A table as rows of cells; how it is drawn is the printer's. */
interface LatencyTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What people read: the whole request, its stages, and in words what bears on both. */
export function latencyTables(report: LatencyReport): readonly LatencyTable[] {
  return [totals(report), stages(report)].filter(({ rows }) => rows.length > 0);
}

const percentileNames = ['p50', 'p95', 'p99'] as const;

function totals({ systems, conditions }: LatencyReport): LatencyTable {
  const head = ['system', 'users', 'n', 'p50 ms [95 %]', 'p95', 'p99', 'answers/s', 'late', 'failed'];
  const least = leastOf(conditions);
  const rows = systems.map((entry) => [
    printable(entry.system),
    usersText(entry),
    String(entry.requests),
    ...percentileNames.map((name) => `${totalText(entry, name, least)} ${rangeText(entry, name, least)}`),
    fixed(entry.throughputPerSecond, 1),
    entry.timeouts === null ? '–' : String(entry.timeouts),
    String(entry.failures),
  ]);
  return { title: 'From arrival to answer', head, rows };
}

function stages({ systems, conditions }: LatencyReport): LatencyTable {
  const present = latencyStages.filter((stage) => systems.some((entry) => entry.stages[stage] !== undefined));
  const least = leastOf(conditions);
  const cell = (entry: LatencyEntry, stage: (typeof latencyStages)[number]) => {
    const times = entry.stages[stage];
    if (times === undefined) return '–';
    return `${times.p50 === null ? belowText(least) : msText(times.p50)} (${shareText(times.share)})`;
  };
  return {
    title: 'Median ms of each stage (share of the mean time)',
    head: ['system', 'users', ...present],
    rows: systems.map((entry) => [
      printable(entry.system),
      usersText(entry),
      ...present.map((stage) => cell(entry, stage)),
    ]),
  };
}

/** `8`; `50/s` where requests come at a rate. */
export function usersText({ load, concurrency, ratePerSecond }: LatencyEntry): string {
  return load === 'open' ? `${ratePerSecond}/s, ${concurrency} at once` : String(concurrency);
}

/** The shortest time that is a number, in ms. */
export function leastOf({ clockResolutionMs }: LatencyReport['conditions']): number {
  return resolvableMs(Number(clockResolutionMs));
}

/** A percentile of the whole request: a dash where it lies among requests without an answer, else it is below the clock. */
export function totalText({ total, requests }: LatencyEntry, name: PercentileName, leastMs: number): string {
  const ms = total[name];
  if (ms !== null) return msText(ms);
  return percentileShares[name] * requests > total.n || requests === 0 ? '–' : belowText(leastMs);
}

/** Three digits that mean something: `0.0123`, `4.56`, `789`. */
function msText(ms: number): string {
  if (ms >= 100) return ms.toFixed(0);
  return ms < 1e-6 ? ms.toPrecision(3) : ms.toFixed(Math.max(0, 2 - Math.floor(Math.log10(ms))));
}

function rangeText({ total }: LatencyEntry, name: PercentileName, leastMs: number): string {
  const range = total.intervals[name];
  const text = (ms: number | null) => (ms === null ? belowText(leastMs) : msText(ms));
  return range === null ? '[n too small]' : `[${text(range.low)}, ${text(range.high)}]`;
}

/** `< 0.2 µs`: what the clock cannot tell from nothing is never shown as 0. */
function belowText(leastMs: number): string {
  return `< ${Number((leastMs * 1000).toPrecision(2))} µs`;
}

function shareText(share: number | null): string {
  if (share === null) return '–';
  return share < 0.001 ? '< 0.1 %' : `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;
}

/** A reason made fit for a terminal; it is a sentence, which is not cut. */
function legible(sentence: string): string {
  return (sentence.match(/.{1,100}/gsu) ?? []).map(printable).join('');
}

/** Sentences below the tables. */
export function latencyNotes({ systems, paired, refused }: LatencyReport): readonly string[] {
  const unique = (lines: readonly string[]) => [...new Set(lines)];
  return [
    ...(paired === null ? [] : [pairedText(paired)]),
    ...unique(
      systems.flatMap((entry) =>
        entry.notTimed.map(({ model, why }) => `not timed: ${printable(model)}: ${legible(why)}`),
      ),
    ),
    ...unique(systems.flatMap(serviceText)),
    ...systems.flatMap(({ system, firstFailure, failures }) =>
      firstFailure === null
        ? []
        : [`failed: ${printable(system)}: ${failures} requests, the first: ${legible(firstFailure)}`],
    ),
    ...systems.flatMap(({ system, interrupted, requests }) =>
      interrupted ? [`stopped: ${printable(system)} after ${requests} requests`] : [],
    ),
    ...refused.map(({ system, reason }) => `refused: ${printable(system)}: ${legible(reason)}`),
  ];
}

function pairedText({ ratio, low, high, n, p50Ratio, ...sides }: PairedRatio): string {
  const [a, b] = [printable(sides.a), printable(sides.b)];
  const text = (one: number) => one.toPrecision(3);
  const sure = low > 1 ? `${b} is faster` : high < 1 ? `${a} is faster` : 'which is faster is not decided';
  return `in turns: ${a} takes ${text(ratio)} times as long as ${b} [${text(low)}, ${text(high)}] over ${n} queries (medians: ${text(p50Ratio.ratio)} [${text(p50Ratio.low)}, ${text(p50Ratio.high)}]): ${sure}`;
}

function serviceText({ system, retries, costPer1000Queries }: LatencyEntry): readonly string[] {
  if (retries === null) return [];
  const cost =
    costPer1000Queries === null ? 'no price (TENBIN_PRICE_PROMPT)' : `${Number(costPer1000Queries.toPrecision(3))}`;
  return [`service: ${printable(system)}: ${retries} requests sent again; 1,000 queries cost ${cost}`];
}
