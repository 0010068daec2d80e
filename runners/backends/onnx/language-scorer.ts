import { TenbinError } from '../../../core/errors.js';
import type { ModelFiles, RerankerCard } from '../../models/card.js';
import type { Pair, PairScorer } from '../../open-model.js';
import type { Tokenizer } from '../../tokenizers/index.js';
import { encoderOf } from '../model-folder/graph-files.js';
import { neverEmpty, type PreparedRow } from './encoding-run.js';
import { readDecoderStart } from './folder.js';
import type { Job, Reading } from './job.js';
import { likelihoodReading, likelihoodRows } from './likelihood.js';
import { builtOn, type OnnxOptions, openGraph, padIdOf } from './opened-graph.js';
import { batchOf } from './padding.js';
import { scorePairs } from './pair-runs.js';
import { promptIds, promptParts } from './prompt.js';

/** How a language model's card becomes rows, jobs and a probability. */
export interface Scoring {
  readonly prepare: (pair: Pair) => PreparedRow;
  readonly readingOf: (rows: readonly PreparedRow[]) => Reading;
  readonly probability: PairScorer['probability'];
}

/** Language models as rerankers: two words against each other, or the likelihood of the query after the document. */
export async function openLanguageScorer(files: ModelFiles<RerankerCard>, options: OnnxOptions): Promise<PairScorer> {
  const { card, dtype, folder } = files;
  const start = encoderOf(card.files[dtype] ?? '') === null ? null : await readDecoderStart(folder);
  const reading = card.method === 'yes-no' ? 'words' : 'likelihood';
  const graph = await openGraph(files, options, { reading });
  const { tokenizer, rule, run, opened } = graph;
  const { prepare, readingOf, probability } = await builtOn(graph, () =>
    card.method === 'yes-no' ? yesNo(card, tokenizer, start) : likelihood(card, tokenizer, start),
  );
  const jobOf = (rows: readonly PreparedRow[]): Job => ({
    batch: batchOf(rows),
    reading: readingOf(rows),
    decoder: start === null ? null : batchOf(rows.map(({ decoder = [start] }) => ({ ids: decoder }))),
  });
  return {
    ...opened,
    kind: 'scorer',
    probability,
    tokenIds: (pair) => prepare(pair).ids,
    score: (pairs, onStep) => scorePairs(pairs, { prepare, rule, run, jobOf }, onStep),
  };
}

/** The prompt ends where the answer would begin; an encoder-decoder reads it and answers after its start token. */
function yesNo(card: RerankerCard, tokenizer: Tokenizer, start: number | null): Scoring {
  const parts = promptParts(card.id, card.template);
  const words = { yes: wordId(card, tokenizer, card.words?.yes), no: wordId(card, tokenizer, card.words?.no) };
  const around = aroundPrompt(card, tokenizer, start);
  return {
    probability: 'sigmoid',
    readingOf: () => ({ kind: 'words', ...words }),
    prepare: (pair) => {
      const prompt = promptIds(parts, pair, around.room, tokenizer);
      const ids = neverEmpty([...around.before, ...prompt.ids, ...around.after], padIdOf(tokenizer));
      return { ids, truncated: prompt.truncated, ...(start !== null && { decoder: [start] }) };
    },
  };
}

function likelihood(card: RerankerCard, tokenizer: Tokenizer, start: number | null): Scoring {
  const parts = promptParts(card.id, card.template);
  const around = aroundPrompt(card, tokenizer, start);
  const prepare = likelihoodRows({ id: card.id, parts, tokenizer, start, ...around, maxLength: card.maxLength });
  return { probability: 'exp', readingOf: likelihoodReading, prepare };
}

/**
 * Special tokens around a prompt: an encoder's text gets all of them; a decoder's only those before it, and not those
 * that the template writes itself, since what comes after the prompt is the answer.
 */
function aroundPrompt(card: RerankerCard, tokenizer: Tokenizer, start: number | null) {
  const { before: all, after } = tokenizer.around;
  const first = tokenizer.plain(card.template ?? '').ids[0];
  const before = start === null && all.includes(first) ? [] : all;
  const room = card.maxLength - before.length - (start === null ? 0 : after.length);
  return { before, after: start === null ? [] : after, room };
}

/** A word that is one token: as the tokenizer cuts it, or as it stands in the vocabulary. */
function wordId(card: RerankerCard, tokenizer: Tokenizer, word: string | undefined): number {
  if (word !== undefined) {
    const { ids } = tokenizer.plain(word);
    const id = ids.length === 1 ? ids[0] : tokenizer.idOf(word);
    if (id !== null && id !== undefined) return id;
  }
  throw new TenbinError('malformed', {
    what: `${card.id} compares two words, and this one is not a single token`,
    value: word ?? 'none',
    fix: 'Give the words of the card as the vocabulary has them.',
  });
}
