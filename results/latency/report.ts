import { requestParts } from '../../core/request-parts.js';
import { type PairedRatio, pairedRatio } from './paired.js';
import { ratesOf, type Turns } from './rates.js';
import type { LatencyRecord, Measured, Sample } from './samples.js';
import { summarizeTimes, type TimesSummary } from './summary.js';

/** All that a request's time is made of: waiting first, and last what lies between the parts (lists fused, handed over). */
export const latencyStages = ['queue', ...requestParts, 'other'] as const;
export type LatencyStage = (typeof latencyStages)[number];

/** The user's prices of a million tokens; null where they are not set. */
interface TokenPrices {
  readonly prompt: number | null;
  readonly completion: number | null;
}

interface StageTimes extends TimesSummary {
  /** Of the mean time of a request. */
  readonly share: number | null;
}

export interface LatencyEntry {
  readonly system: string;
  /** Requests that were measured, failed ones included. */
  readonly requests: number;
  readonly concurrency: number;
  readonly load: 'closed' | 'open';
  readonly ratePerSecond: number | null;
  readonly slots: number;
  /** Only stages that the system has. */
  readonly stages: Readonly<Partial<Record<LatencyStage, StageTimes>>>;
  readonly total: TimesSummary;
  /** Answers in a second, from the first arrival to the last answer; of two in turns, in the time of its own requests. */
  readonly throughputPerSecond: number | null;
  readonly pairsPerSecond: number | null;
  readonly tokensPerSecond: number | null;
  /** Answers that came later than `--timeout-ms` after their arrival; null where none was set. They are measured in full. */
  readonly timeouts: number | null;
  /** Of services. */
  readonly retries: number | null;
  readonly failures: number;
  readonly firstFailure: string | null;
  readonly costPer1000Queries: number | null;
  /** Stages whose median the clock cannot tell from nothing. */
  readonly belowResolution: readonly LatencyStage[];
  readonly interrupted: boolean;
  readonly models: Measured['models'];
  readonly queryTokens: Measured['queryTokens'];
  readonly notTimed: Measured['notTimed'];
  readonly conditions: Measured['conditions'];
}

export interface LatencyReport {
  readonly task: string;
  readonly systems: readonly LatencyEntry[];
  readonly paired: PairedRatio | null;
  readonly refused: LatencyRecord['refused'];
  readonly conditions: LatencyRecord['conditions'];
}

export interface ReportOptions {
  readonly prices: TokenPrices;
  readonly timeoutMs: number | null;
}

/** Everything that is told of a measurement: pure, so that an old file is read with measures of today. */
export function latencyReport(record: LatencyRecord, options: ReportOptions): LatencyReport {
  const { task, measured, refused, conditions, resolutionMs } = record;
  const turns = record.paired === null ? 'alone' : 'in turns';
  return {
    task,
    systems: measured.map((one) => entryOf(one, { ...options, resolutionMs, turns })),
    paired: pairedRatio(record),
    refused,
    conditions: { ...conditions, timeoutMs: options.timeoutMs, clockResolutionMs: resolutionMs },
  };
}

interface EntryOptions extends ReportOptions {
  readonly resolutionMs: number;
  readonly turns: Turns;
}

function entryOf(measured: Measured, { resolutionMs, turns, prices, timeoutMs }: EntryOptions): LatencyEntry {
  const { samples, system, concurrency, load, slots, service, interrupted } = measured;
  const answered = samples.filter(({ failed }) => failed === undefined);
  const failures = samples.length - answered.length;
  const stages = stagesOf(answered, resolutionMs);
  const { models, queryTokens, notTimed, conditions } = measured;
  return {
    system,
    requests: samples.length,
    concurrency,
    load: load.kind,
    ratePerSecond: load.kind === 'open' ? load.ratePerSecond : null,
    slots,
    stages,
    total: summarizeTimes(answered.map(totalMs), { resolutionMs, unanswered: failures }),
    ...ratesOf(samples, turns),
    timeouts: timeoutMs === null ? null : answered.filter((sample) => totalMs(sample) > timeoutMs).length,
    retries: service?.retries ?? null,
    failures,
    firstFailure: samples.find(({ failed }) => failed !== undefined)?.failed ?? null,
    costPer1000Queries: costOf(service, samples.length, prices),
    belowResolution: latencyStages.filter((stage) => isBelow(stages[stage])),
    interrupted,
    models,
    queryTokens,
    notTimed,
    conditions,
  };
}

const totalMs = ({ arrivalMs, endMs }: Sample): number => endMs - arrivalMs;

/** Undefined where the request did not have the stage. */
function stageMs(stage: LatencyStage, { arrivalMs, startMs, endMs, parts }: Sample): number | undefined {
  if (stage === 'queue') return startMs - arrivalMs;
  if (stage !== 'other') return parts[stage];
  const named = requestParts.reduce((sum, part) => sum + (parts[part] ?? 0), 0);
  return Math.max(0, endMs - startMs - named);
}

function stagesOf(answered: readonly Sample[], resolutionMs: number): LatencyEntry['stages'] {
  const allMs = answered.reduce((sum, sample) => sum + totalMs(sample), 0);
  const stages = latencyStages.flatMap((stage) => {
    const timesMs = answered.flatMap((sample) => stageMs(stage, sample) ?? []);
    if (timesMs.length === 0) return [];
    const sumMs = timesMs.reduce((sum, ms) => sum + ms, 0);
    const summary = summarizeTimes(timesMs, { resolutionMs, unanswered: 0 });
    return [[stage, { ...summary, share: allMs > 0 ? sumMs / allMs : null }] as const];
  });
  return Object.fromEntries(stages);
}

/** The median has no number: there are readings of every stage that is there. */
function isBelow(stage: StageTimes | undefined): boolean {
  return stage !== undefined && stage.p50 === null;
}

/** By the service's own count of tokens and the user's prices; null where either is missing, since neither is guessed. */
function costOf(service: Measured['service'], requests: number, { prompt, completion }: TokenPrices): number | null {
  if (service === null || requests === 0 || service.promptTokens === null || service.completionTokens === null)
    return null;
  if (prompt === null || (service.completionTokens > 0 && completion === null)) return null;
  const million = service.promptTokens * prompt + service.completionTokens * (completion ?? 0);
  return (million / 1e6 / requests) * 1000;
}
