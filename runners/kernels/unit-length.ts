/** Rows scaled to Euclidean length 1, computed in float64; a zero row stays zero and so scores 0 with everything. */
export function unitLength(vectors: Float32Array, dims: number): Float32Array {
  const scaled = new Float32Array(vectors.length);
  for (let start = 0; start < vectors.length; start += dims) {
    let squares = 0;
    for (let i = start; i < start + dims; i++) squares += vectors[i] * vectors[i];
    if (squares === 0) continue;
    const length = Math.sqrt(squares);
    for (let i = start; i < start + dims; i++) scaled[i] = vectors[i] / length;
  }
  return scaled;
}
