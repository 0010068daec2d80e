import { distributionOf } from '../../core/distribution.js';
import { TenbinError } from '../../core/errors.js';
import { keyedPlaces } from '../../core/keyed-hash.js';
import { runtimeOf } from '../encode-task.js';
import { selectTop } from '../kernels/top-k.js';
import { modelWork } from '../model-work.js';
import type { TokenFacts } from '../open-model.js';
import type { CachedScores } from '../score-cache.js';
import { scoreShown } from '../score-shown.js';
import type { Counted, CountingIndex, Family, Hits, PretrainedModel, Work } from '../system.js';
import { addWork } from '../work.js';

/** Candidates are shown in this order, so that neither the first stage's order nor ids can leak into a score. */
const showKey = 'tenbin/show@1';

/**
 * A model that looks at query and document together: an index without an encoding, which only orders what it is given.
 * Pairs are ranked by the margin in float64, never by the probability, which saturates.
 */
export const reranker: Family = {
  id: 'reranker',
  prepare: async (texts, model, engine) => {
    if (model.kind !== 'pretrained') throw new Error(`The reranker family cannot read ${model.id}.`);
    const runtime = runtimeOf(engine, model);
    const places = keyedPlaces(texts.docs, showKey);
    const countingIndex = (): CountingIndex => {
      const seen = tally(model);
      const search = async (query: number, k: number, among?: Int32Array): Promise<Hits> => {
        if (among === undefined) throw needsCandidates(model.id);
        const shown = Int32Array.from(among).sort((a, b) => places[a] - places[b] || a - b);
        const documents = Array.from(shown, (doc) => texts.docs[doc]);
        const scored = await scoreShown({ model, runtime }, texts.queries[query], documents, k);
        return topOf(shown, scored, k, seen.add(scored));
      };
      return { index: { bytes: 0, bytesPerDoc: 0, search }, counted: seen.counted };
    };
    const { index } = countingIndex();
    const conditions = {
      'rerank.shown': 'candidates in keyed-hash order of their texts',
      'rerank.score': 'margin in float64',
      scorePrecision: 'float64',
    };
    const base = { encoding: null, exact: index, index, encodeWork: {}, modelBytes: 0, conditions, applied: [] };
    return { ...base, countingIndex };
  },
};

/** The best k of the shown documents; positions ascend inside a tie, as everywhere. */
function topOf(shown: Int32Array, { margins }: CachedScores, k: number, work: Work): Hits {
  const order = Int32Array.from(shown.keys()).sort((a, b) => shown[a] - shown[b]);
  const scores = Float64Array.from(order, (place) => margins[place]);
  const top = selectTop(scores, null, scores.length, k);
  return { docs: top.docs.map((place) => shown[order[place]]), scores: top.scores, work };
}

/** What is known only after the pairs were scored: tokens, cuts, and what the model said of itself. */
function tally(model: PretrainedModel) {
  const total = { pairs: 0, truncated: 0, known: true };
  const lengths: number[] = [];
  const counts = new Map<string, number>();
  let last: CachedScores | undefined;
  const add = (scored: CachedScores): Work => {
    last = scored;
    total.pairs += scored.margins.length;
    for (const [name, count] of Object.entries(scored.counts)) counts.set(name, (counts.get(name) ?? 0) + count);
    if (scored.tokens === null) {
      total.known = false;
      return scored.work;
    }
    for (const length of scored.tokens.counts) lengths.push(length);
    total.truncated += scored.tokens.truncated.reduce((sum, cut) => sum + cut, 0);
    return addWork(scored.work, pairsWork(model, scored.tokens));
  };
  const counted = (): Counted => {
    const { pairs, truncated, known } = total;
    const ofPairs = Object.entries(distributionOf(lengths)).map(([name, tokens]) => [`tokens.pairs.${name}`, tokens]);
    const facts = known ? { ...Object.fromEntries(ofPairs), 'tokens.pairs.truncated': truncated } : {};
    return {
      conditions: { ...last?.conditions, 'rerank.pairs': pairs, ...facts, ...Object.fromEntries(counts) },
      modelBytes: last?.modelBytes ?? 0,
    };
  };
  return { add, counted };
}

/** All pairs of a query together: of none, no tokens and no FLOPs. */
function pairsWork(model: PretrainedModel, tokens: TokenFacts): Work {
  const none: Work = { tokens: 0, ...(model.cost && { flops: 0 }) };
  return Array.from(tokens.counts).reduce<Work>((sum, _, pair) => addWork(sum, modelWork(model, tokens, pair)), none);
}

function needsCandidates(id: string): TenbinError {
  return new TenbinError('refused', {
    what: 'A reranker orders candidates and cannot search a corpus by itself',
    value: id,
    fix: `Give it a first stage: \`hybrid > ${id}@100\` or \`bm25 > ${id}@50\`.`,
  });
}
