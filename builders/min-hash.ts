import { mulberry32 } from '../core/random.js';

/** Hash functions of a signature; the estimate of a Jaccard index has a standard deviation of at most 0.044. */
export const signatureLength = 128;

/** Rows of a band: 32 bands of 4 miss a pair of Jaccard 0.8 once in 2·10^7. */
const bandRows = 4;

/**
 * MinHash signatures (Broder, 1997), one row of 128 for each set. The permutations are x → mix(x · odd + offset) on 32
 * bits, fixed by a seed. O(set size · 128) for each set: about 0.15 ms for a document of 1,000 shingles.
 */
export function signatureOf(set: Float64Array): Int32Array {
  const shingles = Int32Array.from(set, folded);
  const signature = new Int32Array(signatureLength);
  for (let h = 0; h < signatureLength; h++) signature[h] = leastHash(shingles, factors[h], offsets[h]);
  return signature;
}

function leastHash(shingles: Int32Array, factor: number, offset: number): number {
  let least = 0x7fffffff;
  for (let i = 0; i < shingles.length; i++) {
    const hash = (Math.imul(shingles[i], factor) + offset) | 0;
    if (hash < least) least = hash;
  }
  return least;
}

const uniform = mulberry32(0x7e9b1a);
const random32 = () => Math.floor(uniform() * 4294967296) | 0;
const factors = Int32Array.from({ length: signatureLength }, () => random32() | 1);
const offsets = Int32Array.from({ length: signatureLength }, random32);

/** 53 bits to 32, well mixed (the finalizer of MurmurHash3), since a linear permutation keeps patterns. */
function folded(hash: number): number {
  let x = (hash >>> 0) ^ (Math.floor(hash / 4294967296) * 0x9e3779b1);
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/** The share of equal rows, an estimate of the Jaccard index. */
export function estimate(a: Int32Array, b: Int32Array): number {
  let equal = 0;
  for (let h = 0; h < signatureLength; h++) if (a[h] === b[h]) equal++;
  return equal / signatureLength;
}

/** Buckets of sets that agree on a whole band (locality-sensitive hashing); those with one member are left out. */
export function* bands(signatures: readonly Int32Array[]): Generator<readonly number[]> {
  for (let start = 0; start < signatureLength; start += bandRows) {
    const buckets = new Map<string, number[]>();
    signatures.forEach((signature, index) => {
      const key = signature.subarray(start, start + bandRows).join(',');
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, [index]);
      else bucket.push(index);
    });
    for (const bucket of buckets.values()) if (bucket.length > 1) yield bucket;
  }
}
