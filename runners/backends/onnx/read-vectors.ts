import type { JobResult, Pooling, Projection } from './job.js';
import type { OutputTensor } from './output-tensor.js';
import type { Padded } from './padding.js';
import { project } from './projection.js';

interface Pooled {
  readonly pooling: Pooling;
  readonly normalize: boolean;
  readonly projections: readonly Projection[];
}

/** One vector per text: pooled here over attended positions, or by the graph when its output has two axes. */
export function readPooled({ values, dims }: OutputTensor, tokens: Padded, how: Pooled): JobResult {
  const width = dims[dims.length - 1];
  const rows = Array.from({ length: tokens.rows }, (_, row) => {
    // What the graph has pooled is finished: a layer behind the pooling is inside it.
    if (dims.length === 2) return Float64Array.from(values.subarray(row * width, (row + 1) * width));
    const states = values.subarray(row * dims[1] * width, (row + 1) * dims[1] * width);
    return project(pool(states, width, tokens.attended[row], how.pooling), how.projections);
  });
  const offsets = Int32Array.from({ length: tokens.rows + 1 }, (_, row) => row);
  return vectors(how.normalize ? rows.map(ofUnitLength) : rows, offsets);
}

function pool(states: Float32Array, width: number, attended: number, pooling: Pooling): Float64Array {
  const at = pooling === 'cls' ? 0 : Math.max(0, attended - 1);
  if (pooling !== 'mean') return Float64Array.from(states.subarray(at * width, (at + 1) * width));
  const sum = new Float64Array(width);
  for (let token = 0; token < attended; token++) {
    for (let i = 0; i < width; i++) sum[i] += states[token * width + i];
  }
  for (let i = 0; i < width; i++) sum[i] /= Math.max(1, attended);
  return sum;
}

interface PerToken {
  readonly skip: ReadonlySet<number>;
  readonly projections: readonly Projection[];
}

/** One vector of unit length per token, expansion masks too, without the tokens whose id is to be skipped. */
export function readTokens({ values, dims }: OutputTensor, tokens: Padded, { skip, projections }: PerToken): JobResult {
  const width = dims[2];
  const offsets = new Int32Array(tokens.rows + 1);
  const rows: Float64Array[] = [];
  for (let row = 0; row < tokens.rows; row++) {
    for (let token = 0; token < tokens.lengths[row]; token++) {
      if (skip.has(tokens.ids[row * tokens.width + token])) continue;
      const at = (row * dims[1] + token) * width;
      rows.push(ofUnitLength(project(Float64Array.from(values.subarray(at, at + width)), projections)));
    }
    offsets[row + 1] = rows.length;
  }
  return vectors(rows, offsets);
}

/** Rows are computed in float64 and rounded once. */
function vectors(rows: readonly Float64Array[], offsets: Int32Array): JobResult & { kind: 'vectors' } {
  const width = rows[0]?.length ?? 0;
  const values = new Float32Array(rows.length * width);
  rows.forEach((row, r) => {
    values.set(row, r * width);
  });
  return { kind: 'vectors', width, offsets, values };
}

/** A vector of zeros stays as it is, NaN stays NaN. */
function ofUnitLength(row: Float64Array): Float64Array {
  let squares = 0;
  for (const value of row) squares += value * value;
  const scale = squares === 0 ? 1 : 1 / Math.sqrt(squares);
  return row.map((value) => value * scale);
}
