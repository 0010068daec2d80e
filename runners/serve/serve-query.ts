import type { Arena } from '../arena.js';
import { cutByPlace, type Searcher, type Trace } from '../searcher.js';
import type { Model } from '../system.js';
import type { LiveModels } from './live-models.js';
import { newRecorder, type Recorder, type RequestWork } from './recorder.js';

/** A system that is ready to answer: its documents are prepared, and queries are read as they come. */
export interface Serving {
  readonly searcher: Searcher;
  /** Its engine's runtime is that of `models`. */
  readonly arena: Arena;
  readonly models: LiveModels;
  /** Documents that an answer holds. */
  readonly depth: number;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
}

/** Puts the query at that position through the whole system anew, up to its answer in total order. */
export async function serveQuery(serving: Serving, query: number): Promise<RequestWork> {
  const { searcher, arena, models, depth, nowMs } = serving;
  const recorder = newRecorder(nowMs);
  await models.during(recorder, async () => {
    const hits = await searcher.search(query, depth, undefined, traceOf(arena, recorder));
    await recorder.timed('sort', () => cutByPlace(hits, depth, arena.places));
  });
  return recorder.work();
}

function traceOf(arena: Arena, recorder: Recorder): Trace {
  return {
    stage: (stage, run) => recorder.timed(stage, run),
    encode: async (model, query) => {
      const text = arena.texts.queries[query];
      if (model.kind === 'pretrained') {
        if (model.family === 'reranker') return;
        // Through the runtime each time, as a server does that keeps its models open.
        await recorder.timed('encode', async () => {
          const opened = await arena.engine.runtime?.use(model);
          if (opened?.kind === 'encoder') await opened.encode([text], 'query');
        });
      } else {
        const analyzer = analyzerOf(model, arena);
        if (analyzer !== null) await recorder.timed('tokenize', () => analyzer.analyze(text));
      }
    },
  };
}

/** What cuts a query into terms; null for systems that see to it themselves. */
function analyzerOf(model: Model, { engine }: Arena) {
  if (model.kind === 'lexical') return model.analyzer ?? engine.analyzer;
  return model.kind === 'fitted' ? engine.analyzer : null;
}

/**
 * What of a query's way is not in the times, and why. An index reads queries by their position, and those of systems that
 * are no models with weights are made ready with the documents.
 */
export function notTimed(model: Model): string | null {
  switch (model.kind) {
    case 'pretrained':
      return null;
    case 'lexical':
      return 'the weights of the query terms are looked up when the index is made';
    case 'fitted':
      return 'the query is projected when the model is fitted: only its analysis is timed';
    case 'built-in':
    case 'custom':
      return 'it prepares itself, and what it does with queries then is not timed';
  }
}
