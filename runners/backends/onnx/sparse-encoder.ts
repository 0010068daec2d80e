import { join } from 'node:path';
import type { ModelFiles, SparseCard } from '../../models/card.js';
import type { EncodedTexts, OnStep, Role, TextEncoder } from '../../open-model.js';
import { neverEmpty, type PreparedRow, runEncoding } from './encoding-run.js';
import { lookUpQueries, readIdfTable } from './idf-table.js';
import type { JobResult } from './job.js';
import { type OnnxOptions, openGraph, padIdOf } from './opened-graph.js';
import { batchOf } from './padding.js';
import { type SparseRow, sparseTexts } from './sparse-rows.js';

/** Weights of vocabulary entries: of the graph's logits, or for inference-free queries from a table of the folder. */
export async function openSparse(files: ModelFiles<SparseCard>, options: OnnxOptions): Promise<TextEncoder> {
  const { card, folder } = files;
  const { tokenizer, rule, run, outputWidth, opened } = await openGraph(files, options, { reading: 'sparse' });
  const prepared = (text: string, role: Role): PreparedRow => {
    const { ids, truncated } = tokenizer.encode(card.prompts[role] + text, card.maxLength);
    return { ids: neverEmpty(ids, padIdOf(tokenizer)), truncated };
  };
  const reading = {
    kind: 'sparse',
    logarithms: card.logarithms,
    skip: card.specialTokens === 'masked' ? [...tokenizer.specialIds] : [],
  } as const;

  const encodeThere = async (texts: readonly string[], role: Role, onStep?: OnStep): Promise<EncodedTexts> => {
    const rows = Array<SparseRow>(texts.length);
    let termCount = outputWidth ?? 0;
    const tokens = await runEncoding({
      characters: texts.map(({ length }) => length),
      prepare: (position) => prepared(texts[position], role),
      rule,
      run,
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
    return { ...sparseTexts(rows, termCount), tokens };
  };

  const table = card.queries === 'model' ? null : await readTable(join(folder, card.queries.idf));
  return {
    ...opened,
    kind: 'encoder',
    tokenIds: (text, role) => prepared(text, role).ids,
    encode: async (texts, role, onStep) => {
      if (table === null || role === 'document') return encodeThere(texts, role, onStep);
      const rows = texts.map((text) => prepared(text, role));
      onStep?.(texts.length);
      return lookUpQueries(rows, table, outputWidth ?? table.termCount, tokenizer.specialIds);
    },
  };

  async function readTable(path: string) {
    try {
      return await readIdfTable(path, tokenizer);
    } catch (error) {
      await opened.close();
      throw error;
    }
  }
}

function rowOf({ offsets, terms, weights }: Extract<JobResult, { kind: 'sparse' }>, row: number): SparseRow {
  // Copies, so that a row does not hold its whole batch in memory.
  return {
    terms: terms.slice(offsets[row], offsets[row + 1]),
    weights: weights.slice(offsets[row], offsets[row + 1]),
  };
}
