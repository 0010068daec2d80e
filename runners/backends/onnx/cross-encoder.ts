import { TenbinError } from '../../../core/errors.js';
import type { ModelFiles, RerankerCard } from '../../models/card.js';
import type { Pair, PairScorer } from '../../open-model.js';
import { neverEmpty, type PreparedRow } from './encoding-run.js';
import { builtOn, type OnnxOptions, openGraph, padIdOf } from './opened-graph.js';
import { batchOf } from './padding.js';
import { scorePairs } from './pair-runs.js';

/** A classifier over query and document together: one logit, or the second label's minus the first's. */
export async function openCrossEncoder(files: ModelFiles<RerankerCard>, options: OnnxOptions): Promise<PairScorer> {
  const { card } = files;
  const graph = await openGraph(files, options, { reading: 'labels' });
  await builtOn(graph, () => checkLabels(card, graph.outputWidth));
  const { tokenizer, rule, run, opened } = graph;
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

/** One logit read as two, or two as one, would still be numbers. A graph may leave the width of its output open. */
function checkLabels({ id, labels }: RerankerCard, logits: number | null): void {
  if (logits === null || logits === labels) return;
  throw new TenbinError('malformed', {
    what: `The graph of ${id} gives another number of logits than its card has labels`,
    value: `${logits}, not ${labels}`,
    fix: 'Correct num_labels and id2label in config.json, or write `labels` into tenbin.json; one or two can be read.',
  });
}
