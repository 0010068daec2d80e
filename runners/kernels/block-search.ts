import { TenbinError } from '../../core/errors.js';
import type { DenseEncoding, Hits } from '../system.js';
import { type BestSoFar, bestSoFar } from './best-so-far.js';
import { type RowDots, rowDots } from './dot.js';
import { floatPass, type ScoreBlocks } from './float-pass.js';
import { int16Pass } from './int16-pass.js';
import { reusedLibraries } from './panel-store.js';
import { type QuickAsk, type Survivors, survivorsNow, survivorsSoon } from './quick-search.js';
import { unitLength } from './unit-length.js';
import { type Arithmetic, arithmeticHere } from './wasm-memory.js';

/** Vectors of the documents `start`, `start` + 1, …: row-major, as a model gave them. */
export interface VectorBlock {
  readonly start: number;
  readonly rows: Float32Array;
}

export interface BlockSearch {
  readonly dims: number;
  /** `cosine` scales the rows of both sides to unit length, as the dense family does; `dot` takes them as they are. */
  readonly similarity: DenseEncoding['similarity'];
  readonly queries: Float32Array;
  /** Every document once, in any order. */
  readonly blocks: () => AsyncIterable<VectorBlock>;
  readonly k: number;
  readonly scoreBlocks?: ScoreBlocks;
  readonly arithmetic?: Arithmetic;
}

/**
 * The best k documents of every query, ties with the k-th kept, over a corpus that is larger than memory: each block is
 * read once and answers all queries. Documents, scores and work are those of `exactIndex` over all rows together.
 * `malformed` where a block is not whole rows, `not-finite` where a score is no number.
 */
export async function exactSearchOverBlocks(search: BlockSearch): Promise<readonly Hits[]> {
  const { dims, k, similarity } = search;
  const rowsOf = (vectors: Float32Array) => (similarity === 'cosine' ? unitLength(vectors, dims) : vectors);
  const queries = rowsOf(search.queries);
  const best = Array.from({ length: queries.length / dims }, () => bestSoFar(k));
  const seeking = Int32Array.from(best.keys()).filter((q) => !isBlank(queries.subarray(q * dims, (q + 1) * dims)));
  const looker = lookerFor(search, queries);
  let docCount = 0;
  for await (const block of search.blocks()) {
    const rows = rowsOf(wholeRows(block, dims));
    docCount += rows.length / dims;
    const look = looker(rows);
    const rank = ranker({ start: block.start, rows }, queries, search);
    for (let from = 0; from < seeking.length; from += look.mostQueries) {
      const asked = seeking.subarray(from, from + look.mostQueries);
      const floors = Float64Array.from(asked, (query) => best[query].floor());
      const survivors = await look.survivors({ queries: asked, k, floors });
      asked.forEach((query, i) => {
        rank(query, survivors[i], best[query]);
      });
    }
  }
  return best.map((found, query) => {
    const blank = isBlank(queries.subarray(query * dims, (query + 1) * dims));
    return { ...found.sorted(), work: { flops: blank ? 0 : 2 * dims * docCount } };
  });
}

const isBlank = (vector: Float32Array): boolean => vector.every((value) => value === 0);

function wholeRows({ start, rows }: VectorBlock, dims: number): Float32Array {
  if (rows.length % dims === 0) return rows;
  throw new TenbinError('malformed', {
    what: 'A block of document vectors does not end where a row ends',
    value: `${rows.length} numbers of ${dims} dimensions from document ${start} on`,
    fix: 'The cache or the file behind it is damaged: delete it and encode the documents again.',
  });
}

/** A quick look at the rows of one block. */
interface Look {
  readonly mostQueries: number;
  readonly survivors: (ask: QuickAsk) => Survivors | Promise<Survivors>;
}

function lookerFor({ dims, k, scoreBlocks, arithmetic = arithmeticHere }: BlockSearch, queries: Float32Array) {
  const options = { libraryOf: reusedLibraries() };
  const unaided: Look = { mostQueries: 64, survivors: ({ queries: asked }) => Array.from(asked, () => null) };
  return (docs: Float32Array): Look => {
    // Of fewer rows none can be told apart; see `CandidateRules.most`.
    if (!(k > 0 && 2 * k < docs.length / dims)) return unaided;
    const sides = { dims, docs, queries };
    const waited = scoreBlocks === undefined ? null : floatPass(sides, scoreBlocks);
    if (waited !== null) return { ...waited, survivors: (ask) => survivorsSoon(waited, ask) };
    const pass = arithmetic === 'simd' ? int16Pass(sides, options) : null;
    return pass === null ? unaided : { ...pass, survivors: (ask) => survivorsNow(pass, ask) };
  };
}

/** Scores what survived of a block, or all of it, and takes it in. */
function ranker({ start, rows }: VectorBlock, queries: Float32Array, { dims, arithmetic }: BlockSearch) {
  const dots: RowDots = rowDots(rows, dims, arithmetic);
  const all = Int32Array.from({ length: rows.length / dims }, (_, doc) => doc);
  const scores = new Float64Array(all.length);
  return (query: number, survivors: Int32Array | null, best: BestSoFar): void => {
    const here = survivors ?? all;
    dots({ weights: new Float64Array(queries.subarray(query * dims, (query + 1) * dims)), offset: 0 }, here, scores);
    const found = { docs: here.map((doc) => start + doc), scores: Float64Array.from(here, (doc) => scores[doc]) };
    const at = found.scores.findIndex((score) => Number.isNaN(score));
    if (at >= 0) throw notANumber(found.docs[at]);
    best.add(found);
  };
}

function notANumber(position: number): TenbinError {
  return new TenbinError('not-finite', {
    what: 'A score is not a number',
    value: `NaN for the document at position ${position}`,
    fix: 'NaN has no place in a ranking: look for a zero vector, an overflow or a damaged model file.',
    cause: { position },
  });
}
