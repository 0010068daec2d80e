import type { ModelFiles, RerankerCard } from '../../models/card.js';
import type { Pair, PairScorer } from '../../open-model.js';
import { neverEmpty, type PreparedRow } from './encoding-run.js';
import { type OnnxOptions, openGraph, padIdOf } from './opened-graph.js';
import { batchOf } from './padding.js';
import { scorePairs } from './pair-runs.js';

/** A classifier over query and document together: one logit, or the second label's minus the first's. */
export async function openCrossEncoder(files: ModelFiles<RerankerCard>, options: OnnxOptions): Promise<PairScorer> {
  const { card } = files;
  const { tokenizer, rule, run, opened } = await openGraph(files, options, { reading: 'labels' });
  const prepare = ({ query, document }: Pair): PreparedRow => {
    const { ids, typeIds, truncated } = tokenizer.encodePair(query, document, card.maxLength);
    return ids.length === 0 ? { ids: neverEmpty(ids, padIdOf(tokenizer)), truncated } : { ids, typeIds, truncated };
  };
  return {
    ...opened,
    kind: 'scorer',
    probability: 'sigmoid',
    tokenIds: (pair) => prepare(pair).ids,
    score: (pairs, onStep) =>
      scorePairs(
        pairs,
        {
          prepare,
          rule,
          run,
          jobOf: (rows) => ({ batch: batchOf(rows), reading: { kind: 'labels', labels: card.labels }, decoder: null }),
        },
        onStep,
      ),
  };
}
