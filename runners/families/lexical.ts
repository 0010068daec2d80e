import { invertedIndex } from '../kernels/inverted-index.js';
import { type CountedRows, countedRows, type Rows, transposed } from '../kernels/sparse-rows.js';
import { inCodePointOrder, vocabulary } from '../kernels/vocabulary.js';
import type { Analyzer, Family, LexicalModel, Prepared, SparseEncoding, SparseRows } from '../system.js';
import { weighCollection } from './lexical-weights.js';

/** Makes a lexical system of a collection that is read once, a document at a time; its texts are not kept. */
export interface LexicalIndexBuilder {
  readonly addDocument: (text: string) => void;
  /** Ends the collection: nothing can be added after it. Postings take 20 bytes each while it works, then 12. */
  readonly finish: (queries: readonly string[]) => Prepared;
}

/** Lexical retrieval: a document's score is the sum of the weights of the query's terms in it. */
export const lexical: Family = {
  id: 'lexical',
  prepare: async ({ docs, queries }, model, { analyzer }) => {
    if (model.kind !== 'lexical') throw new Error(`The lexical family cannot read ${model.id}.`);
    const builder = lexicalIndexBuilder(model, model.analyzer ?? analyzer);
    for (const text of docs) builder.addDocument(text);
    return builder.finish(queries);
  },
};

export function lexicalIndexBuilder(model: LexicalModel, analyzer: Analyzer): LexicalIndexBuilder {
  const words = vocabulary(analyzer);
  const docRows = countedRows();
  const addTo = (rows: CountedRows, text: string): void => {
    const length = words.read(text);
    rows.addRow(words.numbers(), length);
  };

  const finish = (queryTexts: readonly string[]): Prepared => {
    const queryRows = countedRows();
    for (const text of queryTexts) addTo(queryRows, text);
    const counted = docRows.rows();
    const terms = inCodePointOrder(words.terms, heldBy(counted, words.terms.length));
    const postings = transposed(renumbered(counted, terms.numbers), terms.count);
    const queries = inOrder(renumbered(queryRows.rows(), terms.numbers), terms.count);
    const docBias = weighCollection({ postings, queries, lengths: docRows.lengths(), weighting: model.weighting });
    return prepared(
      { postings, queries, docBias, docCount: counted.offsets.length - 1, sharedBytes: terms.bytes },
      analyzer,
    );
  };
  return { addDocument: (text) => addTo(docRows, text), finish };
}

type Parts = Parameters<typeof invertedIndex>[0];

function prepared(parts: Parts, analyzer: Analyzer): Prepared {
  const index = invertedIndex(parts);
  return {
    encoding: encodingOf(parts),
    exact: index,
    index,
    encodeWork: {},
    modelBytes: 0,
    conditions: { analyzer: analyzer.id, analyzerVersion: analyzer.version, scorePrecision: 'float64' },
    applied: [],
  };
}

/** The rows of documents are made from the postings when a variant first asks for them; search needs none. */
function encodingOf({ postings, queries, docBias, docCount }: Parts): SparseEncoding {
  let docs: SparseRows | undefined;
  return {
    kind: 'sparse',
    origin: 'lexical',
    termCount: postings.offsets.length - 1,
    get docs() {
      docs ??= transposed(postings, docCount);
      return docs;
    },
    queries,
    ...(docBias === undefined ? {} : { docBias }),
  };
}

/** 1 for each term that a row holds. */
function heldBy({ terms }: Rows<Int32Array>, termCount: number): Uint8Array {
  const held = new Uint8Array(termCount);
  for (let i = 0; i < terms.length; i++) held[terms[i]] = 1;
  return held;
}

/** Rows with other numbers for their terms; those with a negative one are left out. */
function renumbered(rows: Rows<Int32Array>, numbers: Int32Array): Rows<Int32Array> {
  const { offsets, terms, weights } = rows;
  const newOffsets = new Int32Array(offsets.length);
  let size = 0;
  for (let row = 0; row < offsets.length - 1; row++) {
    for (let i = offsets[row]; i < offsets[row + 1]; i++) {
      const number = numbers[terms[i]];
      if (number < 0) continue;
      // In place: what is kept never lies behind what is read.
      terms[size] = number;
      weights[size++] = weights[i];
    }
    newOffsets[row + 1] = size;
  }
  return { offsets: newOffsets, terms: terms.subarray(0, size), weights: weights.subarray(0, size) };
}

/** Rows with their terms ascending. */
function inOrder(rows: Rows<Int32Array>, termCount: number): SparseRows {
  return transposed(transposed(rows, termCount), rows.offsets.length - 1);
}
