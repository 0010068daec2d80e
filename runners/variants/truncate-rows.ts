/** The first `kept` of `dims` columns of row-major vectors. */
export function firstDims(vectors: Float32Array, dims: number, kept: number): Float32Array {
  const shorter = new Float32Array((vectors.length / dims) * kept);
  for (let from = 0, to = 0; from < vectors.length; from += dims, to += kept) {
    shorter.set(vectors.subarray(from, from + kept), to);
  }
  return shorter;
}
