/**
 * The k best from a heap whose nodes have up to `arity` children. `best` gives the place of the best in
 * [parent, ...children]; every step of a sift asks it once. The root is taken k times, and k - 1 times the heap is mended.
 */
export async function topOfHeap(
  size: number,
  k: number,
  arity: number,
  best: (family: readonly number[]) => Promise<number>,
): Promise<number[]> {
  const heap = Array.from({ length: size }, (_, i) => i);
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b], heap[a]];
  };
  const sift = async (root: number, end: number) => {
    for (let parent = root; ; ) {
      const slots = [parent, ...childrenOf(parent, end, arity)];
      if (slots.length === 1) return;
      const winner = slots[await best(slots.map((slot) => heap[slot]))];
      if (winner === parent) return;
      swap(parent, winner);
      parent = winner;
    }
  };
  for (let parent = Math.floor((size - 2) / arity); parent >= 0; parent--) await sift(parent, size);
  const top: number[] = [];
  for (let end = size - 1; end >= 0 && top.length < k; end--) {
    top.push(heap[0]);
    swap(0, end);
    if (top.length < k) await sift(0, end);
  }
  return top;
}

/** Steps of all sifts at most: each goes down to a leaf. Asked once, of lists of hundreds, so it is simply added up. */
export function heapStepLimit(size: number, k: number, arity: number): number {
  let steps = 0;
  for (let parent = Math.floor((size - 2) / arity); parent >= 0; parent--) steps += depthBelow(parent, size, arity);
  for (let taken = 1; taken < k; taken++) steps += depthBelow(0, size - taken, arity);
  return steps;
}

function childrenOf(parent: number, end: number, arity: number): number[] {
  const first = arity * parent + 1;
  return Array.from({ length: Math.max(0, Math.min(arity, end - first)) }, (_, i) => first + i);
}

function depthBelow(parent: number, end: number, arity: number): number {
  if (arity === 1) return Math.max(0, end - 1 - parent);
  let depth = 0;
  for (let slot = arity * parent + 1; slot < end; slot = arity * slot + 1) depth++;
  return depth;
}
