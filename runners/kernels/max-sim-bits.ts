import { bitCoding } from './bit-pass.js';
import { negatedHamming, wordsFor } from './hamming.js';
import type { RowRange } from './max-sim.js';
import type { StoreOptions } from './panel-store.js';
import { mostQueries } from './panels.js';
import { type TokenPanels, tokenPanels } from './token-panels.js';

export interface BitTokens {
  readonly dims: number;
  readonly offsets: Int32Array;
  /** Sign bits of the rows of documents, and of queries: see `signBits`. */
  readonly docBits: Int32Array;
  readonly queryBits: Int32Array;
}

/**
 * Writes to scores[doc] Σ over the query's rows of the greatest similarity of a document's rows, which is
 * (dims − 2 · differing bits) / dims: whole numbers until the one division at the end, so that ties are ties.
 */
export type BitMaxSim = (query: RowRange, docs: Int32Array, scores: Float64Array) => void;

export function quickBitMaxSim(tokens: BitTokens, options: StoreOptions = {}): BitMaxSim {
  const coding = bitCoding(tokens);
  const panels = coding === null ? null : tokenPanels(coding, tokens.offsets, options);
  return panels === null ? plainBitMaxSim(tokens) : byPanels(tokens, panels);
}

function byPanels({ dims, offsets, queryBits }: BitTokens, panels: TokenPanels): BitMaxSim {
  const words = wordsFor(dims);
  return ({ from, to }, docs, scores) => {
    for (const doc of docs) scores[doc] = 0;
    for (let first = from; first < to; first += mostQueries) {
      panels.ask(queryBits.subarray(first * words, Math.min(to, first + mostQueries) * words));
      for (const doc of docs) {
        if (offsets[doc] < offsets[doc + 1]) scores[doc] += similarityOf(panels.maxima(doc), dims);
      }
    }
    for (const doc of docs) scores[doc] /= dims;
  };
}

/** Of maxima of minus the distance, four for each query row. */
function similarityOf(maxima: Int32Array, dims: number): number {
  let sum = 0;
  for (let at = 0; at < maxima.length; at += 4) {
    const nearest = Math.max(Math.max(maxima[at], maxima[at + 1]), Math.max(maxima[at + 2], maxima[at + 3]));
    sum += dims + 2 * nearest;
  }
  return sum;
}

/** The same in plain JavaScript: the oracle of the kernel, and the way where there are no vectors. */
export function plainBitMaxSim({ dims, offsets, docBits, queryBits }: BitTokens): BitMaxSim {
  const words = wordsFor(dims);
  const distances = new Float64Array(offsets[offsets.length - 1]);
  return ({ from, to }, docs, scores) => {
    for (const doc of docs) {
      const rows = Int32Array.from({ length: offsets[doc + 1] - offsets[doc] }, (_, i) => offsets[doc] + i);
      let sum = 0;
      for (let queryRow = from; queryRow < to && rows.length > 0; queryRow++) {
        negatedHamming(queryBits.subarray(queryRow * words, (queryRow + 1) * words), docBits, rows, distances);
        sum += dims + 2 * rows.reduce((nearest, row) => Math.max(nearest, distances[row]), -Infinity);
      }
      scores[doc] = sum / dims;
    }
  };
}
