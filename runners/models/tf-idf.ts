import type { Plugin } from '../../core/registry.js';
import type { LexicalModel, LexicalWeighting } from '../system.js';
import { analyzerField, analyzerParameter } from './analyzer-parameter.js';
import { readParameters } from './parameters.js';

/**
 * SMART's ltc.ltc (Salton and Buckley, Information Processing & Management 24(5), 1988): (1 + ln tf) · ln(N / df), in
 * documents and queries, and the cosine of the two. A term of every document weighs 0; one of none is left out.
 */
const ltc: LexicalWeighting = {
  weigh: ({ docCount }) => ({
    weight: ({ documentFrequency }, tf) => (1 + Math.log(tf)) * Math.log(docCount / documentFrequency),
  }),
  normalize: true,
};

export const tfIdf: Plugin<LexicalModel> = {
  name: 'tf-idf',
  summary: 'The cosine of tf-idf vectors, ltc.ltc in the SMART notation: tf-idf@analyzer=…',
  bind: (argument) => {
    const { values, id } = readParameters('tf-idf', argument, { analyzer: analyzerParameter });
    const summary = 'Cosine of tf-idf vectors (ltc.ltc)';
    return { kind: 'lexical', family: 'lexical', id, summary, weighting: ltc, ...analyzerField(values.analyzer) };
  },
};
