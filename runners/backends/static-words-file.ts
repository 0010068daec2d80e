import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { printable, reasonOf, TenbinError } from '../../core/errors.js';

/** Vectors of words, as they stand in a file. */
export interface WordVectors {
  readonly dims: number;
  /** Row r is the vector of the word whose number is r. */
  readonly vectors: Float32Array;
  readonly numbers: ReadonlyMap<string, number>;
}

const packageJson = z.object({ version: z.string() });
const header = z.object({
  dimensions: z.number().int().min(1).max(4096),
  vectors: z.custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  ),
});

/** The version of the package in a folder; undefined where there is none, or its package.json cannot be read. */
export function versionIn(folder: string): string | undefined {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return undefined;
  try {
    return packageJson.parse(JSON.parse(readFileSync(path, 'utf8'))).version;
  } catch {
    return undefined;
  }
}

/**
 * Reads a file of winkNLP embeddings: JSON with `dimensions` and, by word, a list of that many numbers with others
 * behind them. 300 MB take some 10 s and, while they are read, 1 GB; what stays is 4 bytes a number.
 */
export function readWordVectors(path: string): WordVectors {
  const { dimensions: dims, vectors: lists } = parsed(path);
  const words = Object.keys(lists);
  const vectors = new Float32Array(words.length * dims);
  const numbers = new Map<string, number>();
  for (const word of words) {
    const list = lists[word];
    if (!Array.isArray(list) || list.length < dims)
      throw damaged(path, `the vector of ${JSON.stringify(word)} is too short`);
    const start = numbers.size * dims;
    for (let j = 0; j < dims; j++) {
      const value: unknown = list[j];
      if (typeof value !== 'number')
        throw damaged(path, `the vector of ${JSON.stringify(word)} holds ${String(value)}`);
      vectors[start + j] = value;
    }
    numbers.set(word, numbers.size);
  }
  return { dims, vectors, numbers };
}

function parsed(path: string): z.infer<typeof header> {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw damaged(path, reasonOf(error));
  }
  const result = header.safeParse(json);
  if (result.success) return result.data;
  throw damaged(path, z.prettifyError(result.error).split('\n')[0] ?? '');
}

function damaged(path: string, why: string): TenbinError {
  return new TenbinError('damaged', {
    what: `A file of word vectors cannot be read: ${printable(why)}`,
    value: path,
    fix: 'Install the package again.',
  });
}
