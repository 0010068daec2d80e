import type { Pairs } from './scored-pairs.js';

/** Documents with a key each, the greatest key on top. */
export interface PairHeap {
  readonly size: () => number;
  readonly topKey: () => number;
  readonly push: (key: number, doc: number) => void;
  /** Takes the top away and returns its document. Asked only where there is one. */
  readonly pop: () => number;
  readonly clear: () => void;
  /** The documents in it, in no order. */
  readonly docs: () => Int32Array;
}

/**
 * A binary heap in two typed arrays; `most` pairs at most. A gap sinks to a leaf along the greater children, the right one
 * of equals, and the last pair rises from there: fewer comparisons than sinking the pair itself, and equal keys leave in
 * the order in which they leave a priority queue of GNU's C++ library.
 */
export function pairHeap(most: number): PairHeap {
  const heap: Pairs = { docs: new Int32Array(most), scores: new Float64Array(most) };
  const { docs, scores: keys } = heap;
  let size = 0;
  const push = (key: number, doc: number): void => {
    rise(heap, size++, key, doc);
  };
  const pop = (): number => {
    const top = docs[0];
    size--;
    const [key, doc] = [keys[size], docs[size]];
    if (size > 0) rise(heap, gapAtLeaf(heap, size), key, doc);
    return top;
  };
  const clear = (): void => {
    size = 0;
  };
  return { size: () => size, topKey: () => keys[0], push, pop, clear, docs: () => docs.slice(0, size) };
}

/** Puts a pair where it belongs between the gap at that place and the top. */
function rise({ docs, scores: keys }: Pairs, gap: number, key: number, doc: number): void {
  let place = gap;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!(keys[parent] < key)) break;
    keys[place] = keys[parent];
    docs[place] = docs[parent];
    place = parent;
  }
  keys[place] = key;
  docs[place] = doc;
}

/** Moves the gap at the top down to a leaf; returns where it is then. */
function gapAtLeaf({ docs, scores: keys }: Pairs, size: number): number {
  let gap = 0;
  for (let child = 2; child <= size; child = 2 * gap + 2) {
    const greater = child === size || keys[child] < keys[child - 1] ? child - 1 : child;
    keys[gap] = keys[greater];
    docs[gap] = docs[greater];
    gap = greater;
  }
  return gap;
}
