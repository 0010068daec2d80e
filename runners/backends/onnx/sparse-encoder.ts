import { join } from 'node:path';
import type { ModelFiles, SparseCard } from '../../models/card.js';
import type { EncodedTexts, OnStep, Role, TextEncoder } from '../../open-model.js';
import type { Tokenizer } from '../../tokenizers/index.js';
import { callClock } from './call-clock.js';
import { neverEmpty, type PreparedRow, runEncoding } from './encoding-run.js';
import { lookUpQueries, readIdfTable } from './idf-table.js';
import type { JobResult, Reading } from './job.js';
import { builtOn, type OnnxOptions, type OpenedGraph, openGraph, padIdOf } from './opened-graph.js';
import { batchOf } from './padding.js';
import { type SparseRow, sparseTexts } from './sparse-rows.js';

/** Weights of vocabulary entries: of the graph's logits, or for inference-free queries from a table of the folder. */
export async function openSparse(files: ModelFiles<SparseCard>, options: OnnxOptions): Promise<TextEncoder> {
  const { card, folder } = files;
  const { queries } = card;
  const graph = await openGraph(files, options, {
    reading: 'sparse',
    ...(card.specialTokens === 'kept' && { maximum: 'in-graph' }),
  });
  const { tokenizer, opened } = graph;
  const table = await builtOn(graph, () =>
    queries === 'model' ? null : readIdfTable(join(folder, queries.idf), tokenizer),
  );
  const prepared = (text: string, role: Role): PreparedRow => {
    const { ids, truncated } = tokenizer.encode(card.prompts[role] + text, card.maxLength);
    return { ids: neverEmpty(ids, padIdOf(tokenizer)), truncated };
  };
  return {
    ...opened,
    kind: 'encoder',
    tokenIds: (text, role) => prepared(text, role).ids,
    encode: async (texts, role, onStep) => {
      const prepare = (position: number) => prepared(texts[position], role);
      if (table === null || role === 'document') {
        const characters = texts.map(({ length }) => length);
        return encodeThere({ graph, reading: readingOf(card, tokenizer), characters, prepare }, onStep);
      }
      const clock = callClock();
      const rows = clock.tokenizing(() => texts.map((_, position) => prepare(position)));
      onStep?.(texts.length);
      const termCount = graph.outputWidth ?? table.termCount;
      const looked = await clock.inGraph(async () => lookUpQueries(rows, table, termCount, tokenizer.specialIds));
      return { ...looked, times: clock.times() };
    },
  };
}

function readingOf({ logarithms, specialTokens }: SparseCard, { around }: Tokenizer): Reading {
  // Special tokens are those put around a text; an unknown word is a word.
  return { kind: 'sparse', logarithms, skip: specialTokens === 'masked' ? [...around.before, ...around.after] : [] };
}

interface Encoding {
  readonly graph: OpenedGraph;
  readonly reading: Reading;
  readonly characters: readonly number[];
  readonly prepare: (position: number) => PreparedRow;
}

async function encodeThere({ graph, reading, ...texts }: Encoding, onStep?: OnStep): Promise<EncodedTexts> {
  const rows = Array<SparseRow>(texts.characters.length);
  let termCount = graph.outputWidth ?? 0;
  const encoded = await runEncoding({
    ...texts,
    rule: graph.rule,
    run: graph.run,
    jobOf: (batch) => ({ batch: batchOf(batch), reading, decoder: null }),
    keep: (result, positions) => {
      if (result.kind !== 'sparse') return;
      termCount = result.termCount;
      positions.forEach((position, row) => {
        rows[position] = rowOf(result, row);
      });
    },
    ...(onStep && { onStep }),
  });
  return { ...sparseTexts(rows, termCount), ...encoded };
}

function rowOf({ offsets, terms, weights }: Extract<JobResult, { kind: 'sparse' }>, row: number): SparseRow {
  // Copies, so that a row does not hold its whole batch in memory.
  return {
    terms: terms.slice(offsets[row], offsets[row + 1]),
    weights: weights.slice(offsets[row], offsets[row + 1]),
  };
}
