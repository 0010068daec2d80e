/** 32-bit words that hold one bit per dimension. */
export function wordsFor(dims: number): number {
  return Math.ceil(dims / 32);
}

/** Sign bits of row-major vectors: bit j % 32 of word j >> 5 of a row is 1 where value j is above zero. */
export function signBits(vectors: Float32Array, dims: number): Int32Array {
  const words = wordsFor(dims);
  const bits = new Int32Array((vectors.length / dims) * words);
  for (let row = 0, i = 0; i < vectors.length; row++) {
    for (let j = 0; j < dims; j++, i++) {
      if (vectors[i] > 0) bits[row * words + (j >> 5)] |= 1 << (j & 31);
    }
  }
  return bits;
}

/**
 * Minus the number of bits in which the query and each row of `docs` differ, to scores[doc]. Ones are counted in
 * parallel inside a word (Warren, Hacker's Delight, §5-1): 12 integer operations for 32 dimensions.
 */
export function negatedHamming(query: Int32Array, rows: Int32Array, docs: Int32Array, scores: Float64Array): void {
  const words = query.length;
  for (let i = 0; i < docs.length; i++) {
    const row = docs[i] * words;
    let differing = 0;
    for (let j = 0; j < words; j++) {
      let x = query[j] ^ rows[row + j];
      x -= (x >>> 1) & 0x55555555;
      x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
      differing += Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    scores[docs[i]] = 0 - differing;
  }
}
