import type { Analyzer, SparseRows, Texts } from '../system.js';
import type { SparseMatrix } from './sparse-matrix.js';
import { countedRows, type Rows } from './sparse-rows.js';
import { type Vocabulary, vocabulary } from './vocabulary.js';

/**
 * The tf-idf matrices of documents and queries over the documents' terms: (1 + ln tf) · ln((N + 1) / df), rows scaled
 * to unit length. The rarity is above zero even for a term of every document, so a corpus of one has a direction.
 */
export function termMatrices(texts: Texts, analyzer: Analyzer): { docs: SparseMatrix; queries: SparseMatrix } {
  const words = vocabulary(analyzer);
  const docs = counted(texts.docs, words, Number.POSITIVE_INFINITY);
  const columns = words.terms.length;
  const queries = counted(texts.queries, words, columns);
  const rarity = new Float64Array(columns);
  for (const term of docs.terms) rarity[term]++;
  for (let term = 0; term < columns; term++) rarity[term] = Math.log((texts.docs.length + 1) / rarity[term]);
  return { docs: { rows: weighed(docs, rarity), columns }, queries: { rows: weighed(queries, rarity), columns } };
}

/** Terms numbered `limit` or more, which no document holds, are left out. */
function counted(texts: readonly string[], words: Vocabulary, limit: number): Rows<Int32Array> {
  const rows = countedRows();
  for (const text of texts) {
    const length = words.read(text);
    const known = words
      .numbers()
      .subarray(0, length)
      .filter((term) => term < limit);
    rows.addRow(known, known.length);
  }
  return rows.rows();
}

function weighed({ offsets, terms, weights: counts }: Rows<Int32Array>, rarity: Float64Array): SparseRows {
  const weights = Float64Array.from(terms, (term, i) => (1 + Math.log(counts[i])) * rarity[term]);
  for (let r = 0; r < offsets.length - 1; r++) {
    const row = weights.subarray(offsets[r], offsets[r + 1]);
    const length = Math.sqrt(row.reduce((sum, weight) => sum + weight * weight, 0));
    for (let i = 0; i < row.length; i++) row[i] /= length;
  }
  return { offsets, terms, weights };
}
