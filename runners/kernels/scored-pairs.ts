/** Documents and their scores side by side, moved together: without an object for each, and without a comparator. */
export interface Pairs {
  readonly docs: Int32Array;
  readonly scores: Float64Array;
}

/** The score that a sort would put at `place`, with none greater before it and none less behind (Hoare 1961). */
export function quickselect(pairs: Pairs, count: number, place: number): number {
  const { scores } = pairs;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = middleOf(scores[low], scores[(low + high) >> 1], scores[high]);
    let i = low;
    let j = high;
    while (i <= j) {
      while (scores[i] < pivot) i++;
      while (scores[j] > pivot) j--;
      if (i <= j) swap(pairs, i++, j--);
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else break;
  }
  return scores[place];
}

export function swap({ docs, scores }: Pairs, a: number, b: number): void {
  const doc = docs[a];
  docs[a] = docs[b];
  docs[b] = doc;
  const score = scores[a];
  scores[a] = scores[b];
  scores[b] = score;
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** Quicksort by descending score, ascending position; insertion where few are left. */
export function sortRange(pairs: Pairs, from: number, to: number): void {
  let low = from;
  let high = to;
  while (high - low > 16) {
    const cut = partition(pairs, low, high);
    // The smaller side by recursion, the larger by going on: the stack stays logarithmic.
    if (cut - low < high - cut) {
      sortRange(pairs, low, cut);
      low = cut + 1;
    } else {
      sortRange(pairs, cut + 1, high);
      high = cut;
    }
  }
  insertionSort(pairs, low, high);
}

/** Hoare's partition around the middle element: low … cut come before cut + 1 … high. */
function partition(pairs: Pairs, low: number, high: number): number {
  const { docs, scores } = pairs;
  const middle = (low + high) >> 1;
  const doc = docs[middle];
  const score = scores[middle];
  let i = low;
  let j = high;
  for (;;) {
    while (scores[i] > score || (scores[i] === score && docs[i] < doc)) i++;
    while (scores[j] < score || (scores[j] === score && docs[j] > doc)) j--;
    if (i >= j) return j;
    swap(pairs, i++, j--);
  }
}

function insertionSort({ docs, scores }: Pairs, low: number, high: number): void {
  for (let i = low + 1; i <= high; i++) {
    const doc = docs[i];
    const score = scores[i];
    let j = i - 1;
    for (; j >= low && (scores[j] < score || (scores[j] === score && docs[j] > doc)); j--) {
      docs[j + 1] = docs[j];
      scores[j + 1] = scores[j];
    }
    docs[j + 1] = doc;
    scores[j + 1] = score;
  }
}
