import { TenbinError } from '../../core/errors.js';
import type { Plugin } from '../../core/registry.js';
import { meanRowLength } from '../families/row-offsets.js';
import { sparseIndex } from '../families/sparse-index.js';
import type { Index, SparseEncoding, SparseRows, Variant } from '../system.js';
import { sparseVariant } from './variant.js';
import { wholeParameters } from './whole-parameters.js';

const limit = { min: 1, max: 1_000_000 };

/** Keeps the heaviest entries of each row: fewer postings to store (documents) and to read (queries). */
export const prune: Plugin<Variant> = {
  name: 'prune',
  summary:
    'prune(query=16,doc=128) keeps the heaviest terms of each sparse query and document; one of the two is enough',
  bind: (argument) => {
    const { query, doc } = wholeParameters('prune', argument, {
      query: { ...limit, example: 16 },
      doc: { ...limit, example: 128 },
    });
    if (query === undefined && doc === undefined) {
      throw new TenbinError('usage', {
        what: 'prune wants to know how many terms to keep',
        value: argument === undefined ? 'prune' : `prune(${argument})`,
        fix: 'Write for example `prune(query=16,doc=128)`, or one of the two.',
      });
    }
    return pruned({ query, doc });
  },
};

/** HAKARI-Bench's grid of sparse variants (217c872): four sizes of queries by four of documents. */
export const pruneGrid: readonly string[] = [8, 16, 24, 32].flatMap((query) =>
  [64, 128, 256, 512].map((doc) => `prune(query=${query},doc=${doc})`),
);

interface Kept {
  readonly query: number | undefined;
  readonly doc: number | undefined;
}

function pruned(kept: Kept): Variant {
  const given = (['query', 'doc'] as const).flatMap((side) => (kept[side] === undefined ? [] : [[side, kept[side]]]));
  const id = `prune(${given.map(([side, count]) => `${side}=${count}`).join(',')})`;
  return sparseVariant({
    id,
    looksAt: 'documents',
    refuses: ({ docBias }) =>
      docBias === undefined
        ? null
        : `${id} needs a plain dot product: the documents of this system have a prior for every term of the query.`,
    change: (encoding, before) => {
      const docs = kept.doc === undefined ? encoding.docs : heaviest(encoding.docs, kept.doc);
      const queries = kept.query === undefined ? encoding.queries : heaviest(encoding.queries, kept.query);
      const { termCount, origin } = encoding;
      const fewer: SparseEncoding = { kind: 'sparse', termCount, docs, queries, ...(origin && { origin }) };
      const exact = sparseIndex(fewer, sharedBytesOf(before, encoding));
      const conditions = {
        ...Object.fromEntries(given.map(([side, count]) => [`prune.${side}`, count])),
        'prune.order': 'greatest absolute weight, then lower term number',
        'prune.meanActiveDimsDocs': meanRowLength(docs.offsets),
        'prune.meanActiveDimsQueries': meanRowLength(queries.offsets),
      };
      return { encoding: fewer, exact, index: exact, conditions };
    },
  });
}

/** What the index before holds beside its rows (a vocabulary) stays. */
function sharedBytesOf(before: Index, encoding: SparseEncoding): number {
  return Math.max(0, before.bytes - sparseIndex(encoding, 0).bytes);
}

/** The `kept` entries of each row with the greatest absolute weight, the lower term number first among equals. */
export function heaviest({ offsets, terms, weights }: SparseRows, kept: number): SparseRows {
  const newOffsets = new Int32Array(offsets.length);
  for (let row = 0; row < offsets.length - 1; row++) {
    newOffsets[row + 1] = newOffsets[row] + Math.min(kept, offsets[row + 1] - offsets[row]);
  }
  const entries = new Int32Array(newOffsets[offsets.length - 1]);
  for (let row = 0; row < offsets.length - 1; row++) {
    const all = Int32Array.from({ length: offsets[row + 1] - offsets[row] }, (_, i) => offsets[row] + i);
    // Terms ascend in a row, so a lower entry is a lower term.
    if (all.length > kept) all.sort((a, b) => Math.abs(weights[b]) - Math.abs(weights[a]) || a - b);
    entries.set(all.subarray(0, kept).sort(), newOffsets[row]);
  }
  return {
    offsets: newOffsets,
    terms: entries.map((entry) => terms[entry]),
    weights: Float64Array.from(entries, (entry) => weights[entry]),
  };
}
