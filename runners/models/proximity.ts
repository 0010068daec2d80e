import { TenbinError } from '../../core/errors.js';
import type { Plugin } from '../../core/registry.js';
import { selectTop } from '../kernels/top-k.js';
import type { BuiltInModel, Engine, Hits, Index, Prepared, Texts } from '../system.js';
import { readParameters } from './parameters.js';
import { type ProximityParameters, proximityScorer } from './proximity-score.js';
import { type ForwardIndex, forwardIndex, queryTerms } from './proximity-terms.js';

/** A reranker without a download: near occurrences of the query's terms count, which no bag of words can see. */
export const proximity: Plugin<BuiltInModel> = {
  name: 'proximity',
  summary: 'reranker without a download: BM25 with term proximity, bm25 > proximity@100; proximity@k1=1.2,b=0.75',
  bind: (argument) => {
    const { values, id } = readParameters('proximity', argument, {
      k1: { kind: 'number', fallback: 1.2, min: 0, max: 1000 },
      b: { kind: 'number', fallback: 0.75, min: 0, max: 1 },
    });
    return {
      kind: 'built-in',
      family: 'reranker',
      id,
      summary: `BM25 with term proximity, k1 ${values.k1} and b ${values.b}`,
      prepare: (texts, engine) => prepared(texts, engine, { id, ...values }),
    };
  },
};

interface Named extends ProximityParameters {
  readonly id: string;
}

function prepared(texts: Texts, { analyzer }: Engine, model: Named): Prepared {
  const index = rerankingIndex(forwardIndex(texts, analyzer), model);
  return {
    encoding: null,
    exact: index,
    index,
    encodeWork: {},
    modelBytes: 0,
    conditions: {
      analyzer: analyzer.id,
      analyzerVersion: analyzer.version,
      'proximity.score':
        'Büttcher, Clarke and Lushman 2006: BM25 plus saturated sums of 1/distance² of adjacent query terms',
      'proximity.work': 'postings are the terms of the candidates, each read once',
      scorePrecision: 'float64',
    },
    applied: [],
  };
}

function rerankingIndex(forward: ForwardIndex, model: Named): Index {
  const { offsets, terms, documentFrequencies, docCount } = forward;
  const averageLength = docCount === 0 ? 0 : terms.length / docCount;
  const scores = new Float64Array(docCount);
  const search = (query: number, k: number, among?: Int32Array): Hits => {
    if (among === undefined) throw needsCandidates(model.id);
    const score = proximityScorer(queryTerms(forward, query), model, averageLength);
    let read = 0;
    for (const doc of among) {
      const document = terms.subarray(offsets[doc], offsets[doc + 1]);
      scores[doc] = score(document);
      read += document.length;
    }
    return { ...selectTop(scores, among, among.length, k), work: { postings: read } };
  };
  const bytesPerDoc = docCount === 0 ? 0 : terms.byteLength / docCount + 4;
  return {
    bytes: docCount * bytesPerDoc + 4 + documentFrequencies.byteLength + forward.vocabularyBytes,
    bytesPerDoc,
    bytesPerQuery: meanQueryBytes(forward),
    search,
  };
}

/** The numbers of a query's terms, as often as it says them. */
function meanQueryBytes({ queries }: ForwardIndex): number {
  return queries.reduce((sum, terms) => sum + terms.byteLength, 0) / Math.max(1, queries.length);
}

function needsCandidates(id: string): TenbinError {
  return new TenbinError('refused', {
    what: 'A reranker orders candidates and cannot search a corpus by itself',
    value: id,
    fix: `Give it a first stage: \`bm25 > ${id}@100\`.`,
  });
}
