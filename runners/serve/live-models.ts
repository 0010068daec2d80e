import { AsyncLocalStorage } from 'node:async_hooks';
import type { OpenModel, TokenFacts } from '../open-model.js';
import type { ModelRuntime } from '../system.js';
import type { Recorder } from './recorder.js';

/** A runtime whose models tell the request that waits for them what they did. */
export interface LiveModels {
  readonly runtime: ModelRuntime;
  /** From here on nothing is taken from the cache or put there, and progress is not told. */
  readonly startServing: () => void;
  /** Runs a request; calls of models made inside it are told to its recorder, however many requests run at once. */
  readonly during: <T>(recorder: Recorder, run: () => Promise<T>) => Promise<T>;
}

export function liveModels({ use, memoryBytes, cache, onStep }: ModelRuntime): LiveModels {
  const waiting = new AsyncLocalStorage<Recorder>();
  let serving = false;
  const runtime: ModelRuntime = {
    use: async (model) => watched(await use(model), () => waiting.getStore()),
    memoryBytes,
    get cache() {
      return serving ? null : cache;
    },
    onStep: (done) => {
      if (!serving) onStep?.(done);
    },
  };
  return {
    runtime,
    startServing: () => {
      serving = true;
    },
    during: (recorder, run) => waiting.run(recorder, run),
  };
}

function watched(model: OpenModel, request: () => Recorder | undefined): OpenModel {
  switch (model.kind) {
    case 'encoder':
      return {
        ...model,
        encode: async (...given) => {
          const encoded = await model.encode(...given);
          request()?.called({ ...timesOf(encoded), tokens: tokensOf(encoded.tokens), pairs: 0 });
          return encoded;
        },
      };
    case 'scorer':
      return {
        ...model,
        score: async (...given) => {
          const scored = await model.score(...given);
          const tokens = tokensOf(scored.tokens) ?? tokensOfWork(scored.work);
          request()?.called({ ...timesOf(scored), tokens, pairs: given[0].length });
          return scored;
        },
      };
    case 'ranker':
      return {
        ...model,
        rank: async (...given) => {
          const ranked = await model.rank(...given);
          request()?.called({ tokens: tokensOfWork(ranked.work), pairs: 0 });
          return ranked;
        },
      };
  }
}

const timesOf = ({ times }: Pick<Parameters<Recorder['called']>[0], 'times'>) => (times === undefined ? {} : { times });

function tokensOf(facts: TokenFacts | null): number | null {
  return facts === null ? null : facts.counts.reduce((sum, count) => sum + count, 0);
}

/** As a service counts them; what it generates goes through its model too. */
function tokensOfWork(work: { readonly promptTokens?: number; readonly completionTokens?: number } = {}) {
  const { promptTokens, completionTokens } = work;
  return promptTokens === undefined ? null : promptTokens + (completionTokens ?? 0);
}
