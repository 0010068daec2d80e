import type { Collection, Slot } from '../collection.js';

export interface SamplingRequest {
  readonly collection: Pick<Collection, 'docIds' | 'queries' | 'judged'>;
  readonly limits: { readonly queries: number; readonly docs: number };
  readonly seed: number;
  /**
   * What BM25 ranks best in the whole collection for those queries (positions), best first, ties by `places` of the
   * slots. Costs a pass over the corpus, so it is asked for only where not every document fits.
   */
  readonly hardNegatives: HardNegatives;
}

export type HardNegatives = (queries: readonly number[], places: Int32Array) => Promise<readonly (readonly Slot[])[]>;

export interface Sample {
  /** Positions of the chosen queries. */
  readonly queries: readonly number[];
  readonly docs: ReadonlySet<Slot>;
  /** Sentences for the manifest where a limit gave way or judged documents found no room. */
  readonly notes: readonly string[];
}

/** How a collection is shrunk. Every positive of a chosen query is in the sample, whatever the limit. */
export interface Sampler {
  readonly id: string;
  /** Whether the sample is the same whatever the order of the source's lines. */
  readonly order: 'free' | 'source';
  readonly sample: (request: SamplingRequest) => Promise<Sample>;
}
