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
  const offsets = new Int32Array(tokens.rows + 1);
  const terms: number[] = [];
  const weights: number[] = [];
  const greatest = new Float32Array(termCount);
  for (let row = 0; row < tokens.rows; row++) {
    if (dims.length === 2) greatest.set(values.subarray(row * termCount, (row + 1) * termCount));
    else maximum({ values, sequence: dims[1], greatest }, tokens, row, how.skip);
    for (let term = 0; term < termCount; term++) {
      const weight = dims.length === 2 ? greatest[term] : weightOf(greatest[term], how.logarithms);
      // Not `> 0`: a weight that is no number must be seen by whoever checks.
      if (weight <= 0) continue;
      terms.push(term);
      weights.push(weight);
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

function weightOf(logit: number, logarithms: 1 | 2): number {
  const once = Math.log1p(logit);
  return Math.fround(logarithms === 1 ? once : Math.log1p(once));
}
