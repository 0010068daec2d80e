import type { LatencyRecord, Measured, Sample } from '../../results/latency/samples.js';

export function sampleOf(change: Partial<Sample> = {}): Sample {
  return { query: 0, arrivalMs: 0, startMs: 0, endMs: 1, parts: {}, tokens: 0, pairs: 0, ...change };
}

export function measuredOf(change: Partial<Measured> = {}): Measured {
  return {
    system: 'bm25',
    concurrency: 1,
    load: { kind: 'closed' },
    slots: 1,
    interrupted: false,
    samples: [],
    service: null,
    models: [],
    queryTokens: [],
    notTimed: [],
    conditions: {},
    ...change,
  };
}

export function recordOf(change: Partial<LatencyRecord> = {}): LatencyRecord {
  return {
    schema: 'tenbin/latency@1',
    task: 'embedded-code/jsfn-rxjs',
    conditions: { cpu: 'a processor', timeoutMs: null },
    resolutionMs: 0.0001,
    seed: 17,
    measured: [],
    paired: null,
    refused: [],
    ...change,
  };
}
