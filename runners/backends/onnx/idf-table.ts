import { z } from 'zod';
import { TenbinError } from '../../../core/errors.js';
import type { EncodedTexts } from '../../open-model.js';
import type { Tokenizer } from '../../tokenizers/index.js';
import type { PreparedRow } from './encoding-run.js';
import { readJsonIfThere } from './folder.js';
import { sparseTexts } from './sparse-rows.js';

/** Weights of query tokens by their id: what stands in for a query encoder (Geng et al. 2024, inference-free SPLADE). */
export interface IdfTable {
  readonly weights: ReadonlyMap<number, number>;
  /** One more than the greatest id. */
  readonly termCount: number;
}

const weight = z.number();
const tableSchema = z.union([z.record(z.string(), weight), z.array(weight)]);

/** A JSON object from tokens, or from ids, to weights; or an array by id. */
export async function readIdfTable(path: string, { idOf }: Tokenizer): Promise<IdfTable> {
  const table = tableSchema.safeParse(await readJsonIfThere(path));
  if (!table.success) throw malformed(path, z.prettifyError(table.error).split('\n')[0]);
  const pairs = Object.entries(table.data);
  // Vocabularies hold digits as tokens too, so the keys are ids only when all of them are numbers.
  const byId = pairs.every(([key]) => /^\d+$/.test(key));
  const weights = new Map<number, number>();
  for (const [key, value] of pairs) {
    const id = byId ? Number(key) : idOf(key);
    if (id === null) throw malformed(path, `the vocabulary lacks its token ${key}`);
    weights.set(id, value);
  }
  const termCount = [...weights.keys()].reduce((greatest, id) => Math.max(greatest, id + 1), 0);
  return { weights, termCount };
}

/**
 * Each token of a query once, special tokens left out, with its weight from the table where that is above zero. No token
 * goes through a graph, so none is counted; what is read of the table is.
 */
export function lookUpQueries(
  rows: readonly PreparedRow[],
  table: IdfTable,
  termCount: number,
  specialIds: ReadonlySet<number>,
): EncodedTexts {
  const asked = rows.map(({ ids }) => [...new Set(ids)].filter((id) => !specialIds.has(id)));
  const texts = sparseTexts(
    asked.map((ids) => {
      const terms = ids.filter((id) => (table.weights.get(id) ?? 0) > 0).sort((a, b) => a - b);
      const weights = Float32Array.from(terms, (id) => table.weights.get(id) ?? 0);
      return { terms: Int32Array.from(terms), weights };
    }),
    termCount,
  );
  const counts = new Int32Array(rows.length);
  const truncated = Uint8Array.from(rows, (row) => (row.truncated ? 1 : 0));
  const lookUps = Int32Array.from(asked, ({ length }) => length);
  return { ...texts, tokens: { counts, truncated, widths: counts, lookUps } };
}

function malformed(path: string, why: string): TenbinError {
  return new TenbinError('malformed', {
    what: `The table of query weights cannot be read (${why})`,
    value: path,
    fix: 'It is a JSON object from tokens to numbers; check that it belongs to this model.',
  });
}
