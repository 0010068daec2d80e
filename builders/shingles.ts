/** UTF-16 units in a shingle (Manber, USENIX 1994): short enough for words that changed, long enough to be rare. */
export const shingleLength = 5;

/** Text as near-duplicates are told: NFKC, lower case, runs of white space as one blank. */
export function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/**
 * The set of a text's shingles as sorted, distinct 53-bit hashes: exact in practice, since two shingles of one pair of
 * texts collide less than once in 2^30 pairs. A text shorter than a shingle is one shingle.
 */
export function shinglesOf(text: string): Float64Array {
  const plain = comparable(text);
  const count = Math.max(1, plain.length - shingleLength + 1);
  const hashes = new Float64Array(plain === '' ? 0 : count);
  for (let start = 0; start < hashes.length; start++) hashes[start] = hashAt(plain, start);
  hashes.sort();
  let kept = 0;
  for (let i = 0; i < hashes.length; i++) {
    if (i === 0 || hashes[i] !== hashes[i - 1]) hashes[kept++] = hashes[i];
  }
  return hashes.slice(0, kept);
}

/** cyrb53 (bryc, public domain) over one shingle. */
function hashAt(text: string, start: number): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  const end = Math.min(text.length, start + shingleLength);
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/** |a ∩ b| / |a ∪ b| of two sorted sets; two empty sets have 0. */
export function jaccard(a: Float64Array, b: Float64Array): number {
  let [i, j, both] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      both++;
      i++;
      j++;
    } else if (a[i] < b[j]) i++;
    else j++;
  }
  const either = a.length + b.length - both;
  return either === 0 ? 0 : both / either;
}
