import { TenbinError } from '../core/errors.js';
import type { ListRanker, PairScorer } from './open-model.js';
import { type CachedScores, fromScoresEntry, scoresKey, toScoresEntry } from './score-cache.js';
import type { ModelRuntime, PretrainedModel } from './system.js';

interface Asked {
  readonly model: PretrainedModel;
  readonly runtime: ModelRuntime;
}

/** A reranker's scores of documents for a query, from the cache where they are there; `k` places are wanted. */
export async function scoreShown(
  { model, runtime }: Asked,
  query: string,
  documents: readonly string[],
  k: number,
): Promise<CachedScores> {
  const wanted = model.ranksLists === true ? Math.min(k, documents.length) : null;
  const key = scoresKey(model, { query, documents, wanted });
  const entry = (await runtime.cache?.get(key)) ?? null;
  const known = entry === null ? null : fromScoresEntry(entry, documents.length);
  if (known !== null) {
    runtime.onStep?.(documents.length);
    return known;
  }
  const opened = await runtime.use(model);
  if (opened.kind === 'encoder') throw notAReranker(model);
  const made =
    opened.kind === 'scorer'
      ? await scorePairs(opened, query, documents, runtime)
      : await rankList(opened, query, documents, k);
  if (made.margins.length !== documents.length) throw wrongCount(model, made.margins.length, documents.length);
  await runtime.cache?.put(key, toScoresEntry(model.id, made));
  return made;
}

async function scorePairs(
  scorer: PairScorer,
  query: string,
  documents: readonly string[],
  { onStep }: ModelRuntime,
): Promise<CachedScores> {
  const pairs = documents.map((document) => ({ query, document }));
  const { margins, tokens, work = {}, counts = {} } = await scorer.score(pairs, onStep);
  return { margins, tokens, work, counts, conditions: scorer.conditions, modelBytes: scorer.modelBytes };
}

/** A list has no scores: the place from the end stands in, so that the order is kept and nothing ties. */
async function rankList(
  ranker: ListRanker,
  query: string,
  documents: readonly string[],
  k: number,
): Promise<CachedScores> {
  const { order, work, counts = {} } = await ranker.rank(query, documents, Math.min(k, documents.length));
  const margins = new Float64Array(order.length);
  for (const [place, index] of order.entries()) margins[index] = order.length - place;
  return { margins, tokens: null, work, counts, conditions: ranker.conditions, modelBytes: ranker.modelBytes };
}

function notAReranker({ id }: PretrainedModel): TenbinError {
  return new TenbinError('refused', {
    what: 'This model encodes texts and scores no pairs',
    value: id,
    fix: `Use it as a system of its own, or as a stage: \`hybrid > ${id}@100\` orders by its vectors.`,
  });
}

function wrongCount({ id }: PretrainedModel, got: number, wanted: number): TenbinError {
  return new TenbinError('malformed', {
    what: `${id} gave a wrong number of scores`,
    value: `${got} for ${wanted} documents`,
    fix: 'This is a mistake in its backend, or the service answers for another model.',
  });
}
