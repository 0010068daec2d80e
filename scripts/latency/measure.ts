import { TenbinError } from '../../core/errors.js';
import type { Measured, Sample } from '../../results/latency/samples.js';
import { pairedOrder, poissonArrivalsMs, queryOrder } from '../../runners/serve/arrivals.js';
import { type Answered, type Load, runLoad } from '../../runners/serve/load.js';
import type { RequestWork } from '../../runners/serve/recorder.js';
import { serveQuery } from '../../runners/serve/serve-query.js';
import { usedBetween } from '../../runners/serve/spent.js';
import { monotonicClock } from './clock.js';
import type { OpenedSystem } from './open-system.js';

export interface MeasurePlan {
  /** Users who ask at the same time, one measurement for each number. */
  readonly concurrencies: readonly number[];
  /** Requests before the measured ones. */
  readonly warmup: number;
  readonly requests: number;
  /** Of open load; null for closed load. */
  readonly ratePerSecond: number | null;
  /** Null: one for systems that run here, as many as the users for services. */
  readonly slots: number | null;
  readonly seed: number;
  readonly isStopped: () => boolean;
  /** Called after each answer, warm-up included, with what is measured. */
  readonly onAnswer: (label: string) => void;
}

/** A rate has no users: what is at once are its slots. */
export function concurrenciesOf({ concurrencies, ratePerSecond, slots }: MeasurePlan): readonly number[] {
  return ratePerSecond === null ? concurrencies : [slots ?? 1];
}

/** Measures a system under each load, after requests that warm it up and are not counted. */
export async function measureSystem(system: OpenedSystem, plan: MeasurePlan): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const concurrency of concurrenciesOf(plan)) {
    if (plan.isStopped()) break;
    measured.push(await measureAt(system, concurrency, plan));
  }
  return measured;
}

async function measureAt(system: OpenedSystem, concurrency: number, plan: MeasurePlan): Promise<Measured> {
  const { requests, ratePerSecond, seed } = plan;
  const slots = plan.slots ?? (system.isLocal ? 1 : concurrency);
  await warmUp(system, { users: concurrency, slots }, plan);
  const order = queryOrder(requests, system.queries, seed);
  const load: Load =
    ratePerSecond === null
      ? { kind: 'closed', users: concurrency }
      : { kind: 'open', arrivalsMs: poissonArrivalsMs(requests, ratePerSecond, seed) };
  const before = await system.used();
  const startMs = monotonicClock.nowMs();
  const answers = await runLoad({
    ...running(plan, labelOf(system, concurrency), { load, slots, requests }),
    serve: (request) => serveQuery(system.serving, order[request]),
  });
  const after = await system.used();
  return {
    system: system.id,
    concurrency,
    load: ratePerSecond === null ? { kind: 'closed' } : { kind: 'open', ratePerSecond },
    slots,
    interrupted: answers.length < requests,
    samples: answers.map((answer) => sampleOf(answer, order[answer.request], startMs)),
    service: before === null || after === null ? null : usedBetween(before, after),
    ...system.facts,
  };
}

/** Two systems whose requests take turns, one user, the same query by both, which of them first by chance. */
export async function measurePaired(
  systems: readonly [OpenedSystem, OpenedSystem],
  plan: MeasurePlan,
): Promise<readonly Measured[]> {
  const { requests, seed } = plan;
  const once = { users: 1, slots: 1 };
  for (const system of systems) await warmUp(system, once, plan);
  const sides = pairedOrder(requests, seed);
  const order = queryOrder(requests, systems[0].queries, seed);
  const queryOf = (request: number) => order[request >> 1];
  const before = await Promise.all(systems.map(({ used }) => used()));
  const startMs = monotonicClock.nowMs();
  const load = { load: { kind: 'closed', users: 1 }, slots: 1, requests: 2 * requests } as const;
  const answers = await runLoad({
    ...running(plan, `${systems[0].id} | ${systems[1].id}`, load),
    serve: (request) => serveQuery(systems[sides[request]].serving, queryOf(request)),
  });
  const after = await Promise.all(systems.map(({ used }) => used()));
  return systems.map((system, side) => {
    const own = answers.filter(({ request }) => sides[request] === side);
    const [first, last] = [before[side], after[side]];
    return {
      system: system.id,
      concurrency: 1,
      load: { kind: 'closed' },
      slots: 1,
      interrupted: own.length < requests,
      samples: own.map((answer) => sampleOf(answer, queryOf(answer.request), startMs)),
      service: first === null || last === null ? null : usedBetween(first, last),
      ...system.facts,
    };
  });
}

const labelOf = ({ id }: OpenedSystem, users: number) => `${id} ×${users}`;

function running<L>({ isStopped, onAnswer }: MeasurePlan, label: string, load: L) {
  return { ...load, clock: monotonicClock, isStopped, onAnswer: () => onAnswer(label) };
}

interface WarmUp {
  readonly users: number;
  readonly slots: number;
}

/** A system that cannot answer is found out here, before anything is counted; what it says of the first request is told as it is. */
async function warmUp(system: OpenedSystem, { users, slots }: WarmUp, plan: MeasurePlan): Promise<void> {
  if (plan.warmup === 0) return;
  // Another order than the measured one, which begins with queries that were not asked a moment ago.
  const order = queryOrder(plan.warmup, system.queries, plan.seed + 1);
  const label = labelOf(system, users);
  await serveQuery(system.serving, order[0]);
  plan.onAnswer(label);
  const load = { load: { kind: 'closed', users }, slots, requests: plan.warmup - 1 } as const;
  const answers = await runLoad<RequestWork>({
    ...running(plan, label, load),
    serve: (request) => serveQuery(system.serving, order[request + 1]),
  });
  const failed = answers.find(({ outcome }) => 'failed' in outcome)?.outcome;
  if (failed === undefined || !('failed' in failed)) return;
  throw new TenbinError('unavailable', {
    what: 'The system failed while it was warmed up',
    value: `${system.id}: ${failed.failed}`,
    fix: '`--warmup 0` measures a system that fails now and then.',
  });
}

function sampleOf(
  { arrivalMs, startMs, endMs, outcome }: Answered<RequestWork>,
  query: number,
  fromMs: number,
): Sample {
  const times = {
    query,
    arrivalMs: inNanoseconds(arrivalMs - fromMs),
    startMs: inNanoseconds(startMs - fromMs),
    endMs: inNanoseconds(endMs - fromMs),
  };
  if ('failed' in outcome) return { ...times, parts: {}, tokens: null, pairs: 0, failed: outcome.failed };
  const { parts, tokens, pairs } = outcome.work;
  const rounded = Object.entries(parts).map(([part, ms]) => [part, inNanoseconds(ms)] as const);
  return { ...times, parts: Object.fromEntries(rounded), tokens, pairs };
}

/** What the clock does not know is not written down. */
const inNanoseconds = (ms: number): number => Math.round(ms * 1e6) / 1e6;
