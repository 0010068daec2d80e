import { loadavg } from 'node:os';
import type { LatencyRecord } from '../../results/latency/samples.js';
import type { NanoSet } from '../../tasks/types.js';
import { thisMachine } from '../machine.js';
import type { MeasurePlan } from './measure.js';

interface ConditionsRequest {
  readonly plan: MeasurePlan;
  readonly depth: number;
  readonly device: string;
  readonly threads: number;
  readonly timeoutMs: number | null;
  readonly nano: NanoSet;
}

/** What holds for every measurement of a run; to be ended when all of them are done. */
export function startConditions(request: ConditionsRequest): { readonly end: () => LatencyRecord['conditions'] } {
  const { plan, depth, device, threads, timeoutMs, nano } = request;
  const loadBefore = oneMinuteLoad();
  return {
    end: () => ({
      ...thisMachine(),
      device,
      threads,
      batch: 'one query at a time',
      documents: 'prepared before the first request',
      depth,
      warmup: plan.warmup,
      seed: plan.seed,
      timeoutMs,
      nano: nano.manifest.digest,
      docs: nano.docs.length,
      queries: nano.queries.length,
      loadBefore,
      loadAfter: oneMinuteLoad(),
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
    }),
  };
}

/** Null on Windows, which has no such number. */
function oneMinuteLoad(): number | null {
  return process.platform === 'win32' ? null : Math.round(loadavg()[0] * 100) / 100;
}
