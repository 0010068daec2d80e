import type { SparseRows } from '../system.js';

/** Rows whose values are counts or weights; `SparseRows` is the case of weights. */
export interface Rows<Values extends Int32Array | Float64Array> {
  /** Row r is terms[offsets[r] .. offsets[r + 1]), in any order until `transposed`. */
  readonly offsets: Int32Array;
  readonly terms: Int32Array;
  readonly weights: Values;
}

/** Rows of term counts that grow by a text at a time; typed arrays that double, 8 bytes a posting and at most twice. */
export interface CountedRows {
  /** Counts the first `length` of `numbers` as one more row. */
  readonly addRow: (numbers: Int32Array, length: number) => void;
  readonly rows: () => Rows<Int32Array>;
  /** Terms of each row, repeated ones again. */
  readonly lengths: () => Int32Array;
}

export function countedRows(): CountedRows {
  let rowCount = 0;
  let size = 0;
  let ends: Int32Array = new Int32Array(1024);
  let lengths: Int32Array = new Int32Array(1024);
  let terms: Int32Array = new Int32Array(1 << 16);
  let counts: Int32Array = new Int32Array(1 << 16);
  // The row in which a term was last seen (one more than its number), and its place there.
  let lastRow: Int32Array = new Int32Array(1 << 14);
  let place: Int32Array = new Int32Array(1 << 14);

  const addRow = (numbers: Int32Array, length: number): void => {
    const row = rowCount + 1;
    if (size + length > terms.length) {
      terms = grown(terms, size + length);
      counts = grown(counts, size + length);
    }
    for (let i = 0; i < length; i++) {
      const term = numbers[i];
      if (term >= lastRow.length) {
        lastRow = grown(lastRow, term + 1);
        place = grown(place, term + 1);
      }
      if (lastRow[term] === row) {
        counts[place[term]]++;
      } else {
        lastRow[term] = row;
        place[term] = size;
        terms[size] = term;
        counts[size++] = 1;
      }
    }
    if (row > ends.length) {
      ends = grown(ends, row);
      lengths = grown(lengths, row);
    }
    ends[rowCount] = size;
    lengths[rowCount++] = length;
  };

  const rows = (): Rows<Int32Array> => {
    const offsets = new Int32Array(rowCount + 1);
    offsets.set(ends.subarray(0, rowCount), 1);
    return { offsets, terms: terms.subarray(0, size), weights: counts.subarray(0, size) };
  };
  return { addRow, rows, lengths: () => lengths.slice(0, rowCount) };
}

/** At least twice as long, so that filling an array bit by bit costs O(1) an element. */
export function grown(array: Int32Array, needed: number): Int32Array {
  const larger = new Int32Array(Math.max(needed, array.length * 2));
  larger.set(array);
  return larger;
}

/** Rows become columns, by counting: two passes. Each new row is in ascending order whatever order the old ones had. */
export function transposed(rows: Rows<Int32Array | Float64Array>, columnCount: number): SparseRows {
  const { terms, weights } = rows;
  const offsets = new Int32Array(columnCount + 1);
  for (let i = 0; i < terms.length; i++) offsets[terms[i] + 1]++;
  for (let column = 0; column < columnCount; column++) offsets[column + 1] += offsets[column];
  const next = offsets.slice(0, columnCount);
  const newTerms = new Int32Array(terms.length);
  const newWeights = new Float64Array(terms.length);
  for (let row = 0; row < rows.offsets.length - 1; row++) {
    for (let i = rows.offsets[row]; i < rows.offsets[row + 1]; i++) {
      const at = next[terms[i]]++;
      newTerms[at] = row;
      newWeights[at] = weights[i];
    }
  }
  return { offsets, terms: newTerms, weights: newWeights };
}
