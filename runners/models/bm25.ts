import { TenbinError } from '../../core/errors.js';
import type { Plugin } from '../../core/registry.js';
import type { LexicalModel } from '../system.js';
import { analyzerField, analyzerParameter } from './analyzer-parameter.js';
import { type Bm25Scoring, bm25Scorings } from './bm25-scorings.js';
import { readParameters } from './parameters.js';

const scorings: ReadonlyMap<string, Bm25Scoring> = new Map(Object.entries(bm25Scorings));
const maxDelta = 100;

/** Best Match 25 (Robertson and Zaragoza, Foundations and Trends in IR 3(4), 2009), with Lucene's k1 and b. */
export const bm25: Plugin<LexicalModel> = {
  name: 'bm25',
  summary: `BM25: bm25@scoring=${[...scorings.keys()].join('|')},k1=1.2,b=0.75,analyzer=…`,
  bind: (argument) => {
    const scoring = scorings.get(/(?:^|,)scoring=([^,]*)/.exec(argument ?? '')?.[1] ?? 'lucene');
    const parameters = {
      scoring: { kind: 'choice', choices: [...scorings.keys()] },
      k1: { kind: 'number', fallback: 1.2, min: 0, max: 1000 },
      b: { kind: 'number', fallback: 0.75, min: 0, max: 1 },
      delta: { kind: 'number', fallback: scoring?.delta ?? 0, min: 0, max: maxDelta },
      analyzer: analyzerParameter,
    } as const;
    const { values, id } = readParameters('bm25', argument, parameters);
    const { scoring: name, k1, b, delta } = values;
    const chosen: Bm25Scoring = scorings.get(name) ?? bm25Scorings.lucene;
    if (chosen.delta === undefined && delta !== 0) throw noDelta(name);
    return {
      kind: 'lexical',
      family: 'lexical',
      id,
      summary: `BM25 (${name}) with k1 ${k1} and b ${b}`,
      weighting: chosen.weighting({ k1, b, delta }),
      ...analyzerField(values.analyzer),
    };
  },
};

function noDelta(scoring: string): TenbinError {
  return new TenbinError('usage', {
    what: 'This BM25 has no delta',
    value: `bm25@scoring=${scoring}`,
    fix: 'Leave delta out, or write `bm25@scoring=bm25+` or `bm25@scoring=bm25l`.',
  });
}
