import type { JobResult } from './job.js';
import type { OutputTensor } from './output-tensor.js';
import type { Padded } from './padding.js';

interface Weighing {
  readonly logarithms: 1 | 2;
  readonly skip: ReadonlySet<number>;
}

/**
 * Weights of the vocabulary: max over attended positions of log(1 + relu(logit)) (SPLADE-max, Formal et al. 2021). The
 * logarithm is monotone, so the maximum comes first: the same number for one part in `sequence` of the work.
 */
export function readSparse({ values, dims }: OutputTensor, tokens: Padded, how: Weighing): JobResult {
  const termCount = dims[dims.length - 1];
  const greatest = new Float32Array(termCount);
  return sparseRows(tokens.rows, termCount, (row) => {
    // Two axes are the weights themselves: the graph has pooled.
    if (dims.length === 2) return values.subarray(row * termCount, (row + 1) * termCount);
    maximum({ values, sequence: dims[1], greatest }, tokens, row, how.skip);
    return weightsOf(greatest, how.logarithms);
  });
}

/** The same from the maximum over all positions, which the graph itself took. */
export function readMaximum({ values, dims }: OutputTensor, rows: number, logarithms: 1 | 2): JobResult {
  const termCount = dims[dims.length - 1];
  return sparseRows(rows, termCount, (row) =>
    weightsOf(values.subarray(row * termCount, (row + 1) * termCount), logarithms),
  );
}

function sparseRows(rows: number, termCount: number, rowOf: (row: number) => Float32Array): JobResult {
  const offsets = new Int32Array(rows + 1);
  const terms: number[] = [];
  const weights: number[] = [];
  for (let row = 0; row < rows; row++) {
    const values = rowOf(row);
    for (let term = 0; term < termCount; term++) {
      // Not `> 0`: a weight that is no number must be seen by whoever checks.
      if (values[term] <= 0) continue;
      terms.push(term);
      weights.push(values[term]);
    }
    offsets[row + 1] = terms.length;
  }
  return { kind: 'sparse', termCount, offsets, terms: Int32Array.from(terms), weights: Float32Array.from(weights) };
}

interface Logits {
  readonly values: Float32Array;
  readonly sequence: number;
  readonly greatest: Float32Array;
}

function maximum(logits: Logits, tokens: Padded, row: number, skip: ReadonlySet<number>): void {
  const { values, sequence, greatest } = logits;
  const termCount = greatest.length;
  greatest.fill(0);
  for (let token = 0; token < tokens.attended[row]; token++) {
    if (skip.has(tokens.ids[row * tokens.width + token])) continue;
    const at = (row * sequence + token) * termCount;
    for (let term = 0; term < termCount; term++) {
      const logit = values[at + term];
      if (logit > greatest[term]) greatest[term] = logit;
      // Once no number, never a number again: no comparison with NaN is true.
      else if (Number.isNaN(logit)) greatest[term] = logit;
    }
  }
}

/** log(1 + relu(x)) in place; most logits are below zero, and a NaN stays one. */
function weightsOf(greatest: Float32Array, logarithms: 1 | 2): Float32Array {
  for (let term = 0; term < greatest.length; term++) {
    if (greatest[term] <= 0) continue;
    const once = Math.log1p(greatest[term]);
    greatest[term] = logarithms === 1 ? once : Math.log1p(once);
  }
  return greatest;
}
