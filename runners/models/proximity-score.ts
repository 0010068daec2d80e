export interface ProximityParameters {
  readonly k1: number;
  readonly b: number;
}

/** A query's distinct terms, how often it says each, and what each weighs: ln(N / df). */
export interface QueryTerms {
  readonly terms: Int32Array;
  readonly counts: Float64Array;
  readonly weights: Float64Array;
}

/**
 * BM25 with term proximity (Büttcher, Clarke and Lushman, SIGIR 2006, §3): with w the weight of a term, f its frequency
 * and K = k1·(1 − b + b·length/average),
 *
 *     Σ_t w_t · f_t·(k1 + 1) / (f_t + K)  +  Σ_t min(1, w_t) · acc_t·(k1 + 1) / (acc_t + K)
 *
 * For each two query terms that follow each other in the document (other terms between them do not count) and differ,
 * at distance d, each one's acc grows by the other's weight / d². A term that the query repeats counts as often.
 */
export function proximityScorer(
  query: QueryTerms,
  { k1, b }: ProximityParameters,
  averageLength: number,
): (document: Int32Array) => number {
  const place = new Map(Array.from(query.terms, (term, i) => [term, i]));
  return (document) => {
    const { frequencies, accumulators } = occurrences(document, place, query.weights);
    const saturation = k1 * (1 - b + (b * document.length) / averageLength);
    const saturated = (value: number): number => (value === 0 ? 0 : (value * (k1 + 1)) / (value + saturation));
    return query.counts.reduce((sum, count, i) => {
      const weight = query.weights[i];
      return sum + count * (weight * saturated(frequencies[i]) + Math.min(1, weight) * saturated(accumulators[i]));
    }, 0);
  };
}

/** One pass over the document's terms. */
function occurrences(document: Int32Array, place: ReadonlyMap<number, number>, weights: Float64Array) {
  const frequencies = new Float64Array(weights.length);
  const accumulators = new Float64Array(weights.length);
  let last = -1;
  let lastAt = 0;
  for (let at = 0; at < document.length; at++) {
    const term = place.get(document[at]);
    if (term === undefined) continue;
    frequencies[term]++;
    if (last >= 0 && last !== term) {
      const nearness = 1 / (at - lastAt) ** 2;
      accumulators[term] += weights[last] * nearness;
      accumulators[last] += weights[term] * nearness;
    }
    last = term;
    lastAt = at;
  }
  return { frequencies, accumulators };
}
