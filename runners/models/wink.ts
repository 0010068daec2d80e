import type { Plugin } from '../../core/registry.js';
import { type WinkParameters, winkIndex } from '../backends/wink.js';
import type { BuiltInModel, Engine, Prepared, Texts } from '../system.js';
import { readParameters } from './parameters.js';

/** Another BM25 to compare ours with: its ranks should be those of `bm25`, its scores k1 + 1 times as high. */
export const wink: Plugin<BuiltInModel> = {
  name: 'wink',
  summary: 'BM25 of the package wink-bm25-text-search, at its finest rounding, to compare with: wink@k1=1.2,b=0.75',
  bind: (argument) => {
    const { values, id } = readParameters('wink', argument, {
      k1: { kind: 'number', fallback: 1.2, min: 0, max: 1000 },
      b: { kind: 'number', fallback: 0.75, min: 0, max: 1 },
    });
    return {
      kind: 'built-in',
      family: 'lexical',
      id,
      summary: `wink-bm25-text-search with k1 ${values.k1} and b ${values.b}`,
      prepare: (texts, engine) => prepared(texts, engine, values),
    };
  },
};

function prepared(texts: Texts, { analyzer }: Engine, parameters: WinkParameters): Prepared {
  const index = winkIndex(texts, analyzer, parameters);
  return {
    encoding: null,
    exact: index,
    index,
    encodeWork: {},
    modelBytes: 0,
    conditions: {
      analyzer: analyzer.id,
      analyzerVersion: analyzer.version,
      'wink.engine': 'wink-bm25-text-search 3.1.2',
      'wink.weights': 'rounded to 9 decimals, its finest',
      'wink.bytes': 'of its state as JSON; its objects in memory take more',
      scorePrecision: 'float64',
    },
    applied: [],
  };
}
