/**
 * Dot products of one query with the rows `docs` of a row-major matrix, written to scores[doc]. Products and sums are
 * float64, summed from the first dimension to the last whoever the neighbours are: a score never depends on which
 * other documents are asked for. Four rows at a time hide the latency of the additions (2.5 times a plain loop).
 * 2·docs·query.length flops. One function for each element type, because V8 compiles a shared one for the worse.
 */
export function dotFloat32(query: Float64Array, rows: Float32Array, docs: Int32Array, scores: Float64Array): void {
  const dims = query.length;
  const fours = docs.length & ~3;
  for (let i = 0; i < fours; i += 4) {
    const a = docs[i] * dims;
    const b = docs[i + 1] * dims;
    const c = docs[i + 2] * dims;
    const d = docs[i + 3] * dims;
    let sumA = 0;
    let sumB = 0;
    let sumC = 0;
    let sumD = 0;
    for (let j = 0; j < dims; j++) {
      const x = query[j];
      sumA += x * rows[a + j];
      sumB += x * rows[b + j];
      sumC += x * rows[c + j];
      sumD += x * rows[d + j];
    }
    scores[docs[i]] = sumA;
    scores[docs[i + 1]] = sumB;
    scores[docs[i + 2]] = sumC;
    scores[docs[i + 3]] = sumD;
  }
  for (let i = fours; i < docs.length; i++) {
    const row = docs[i] * dims;
    let sum = 0;
    for (let j = 0; j < dims; j++) sum += query[j] * rows[row + j];
    scores[docs[i]] = sum;
  }
}

/** A linear function of bytes: offset + Σ weights[j] · byte[j]. */
export interface ByteWeights {
  readonly weights: Float64Array;
  readonly offset: number;
}

/** The same over rows of bytes 0 … 255. */
export function dotUint8(query: ByteWeights, rows: Uint8Array, docs: Int32Array, scores: Float64Array): void {
  const { weights, offset } = query;
  const dims = weights.length;
  const fours = docs.length & ~3;
  for (let i = 0; i < fours; i += 4) {
    const a = docs[i] * dims;
    const b = docs[i + 1] * dims;
    const c = docs[i + 2] * dims;
    const d = docs[i + 3] * dims;
    let sumA = 0;
    let sumB = 0;
    let sumC = 0;
    let sumD = 0;
    for (let j = 0; j < dims; j++) {
      const x = weights[j];
      sumA += x * rows[a + j];
      sumB += x * rows[b + j];
      sumC += x * rows[c + j];
      sumD += x * rows[d + j];
    }
    scores[docs[i]] = offset + sumA;
    scores[docs[i + 1]] = offset + sumB;
    scores[docs[i + 2]] = offset + sumC;
    scores[docs[i + 3]] = offset + sumD;
  }
  for (let i = fours; i < docs.length; i++) {
    const row = docs[i] * dims;
    let sum = 0;
    for (let j = 0; j < dims; j++) sum += weights[j] * rows[row + j];
    scores[docs[i]] = offset + sum;
  }
}
