import type { LexicalWeighting } from '../system.js';

export interface Bm25Parameters {
  /** Saturation: how fast further occurrences of a term stop counting. */
  readonly k1: number;
  /** How far a document's length is held against it: 0 not at all, 1 in full. */
  readonly b: number;
  /** What a match is worth at least (bm25+), or what is added to the normalized frequency (bm25l). */
  readonly delta: number;
}

export interface Bm25Scoring {
  /** The delta of the paper; a scoring without one takes no delta. */
  readonly delta?: number;
  readonly weighting: (parameters: Bm25Parameters) => LexicalWeighting;
}

/**
 * The variants as Kamphuis, de Vries, Boytsov and Lin write them ("Which BM25 do you mean?", ECIR 2020, Table 1), with
 * exact lengths; N documents, df of them with the term, tf times in the document, length L of average A,
 * B = 1 - b + b·L/A. Only terms that the document holds add to its score, in bm25l and bm25+ too (bm25s adds what an
 * absent term would get there, which moves scores but, for one query, nothing relative to another document).
 */
export const bm25Scorings = {
  /** ln(1 + (N - df + 0.5) / (df + 0.5)) · tf / (tf + k1·B): Lucene since 8.0, without its one-byte lengths. */
  lucene: {
    weighting: ({ k1, b }) => ({
      weigh: ({ docCount, averageLength }) => ({
        weight: ({ documentFrequency: df }, tf, length) =>
          Math.log(1 + (docCount - df + 0.5) / (df + 0.5)) * (tf / (tf + k1 * (1 - b + (b * length) / averageLength))),
      }),
    }),
  },
  /**
   * max(0, ln((N - df + 0.5) / (df + 0.5))) · tf / (tf + k1·B): Robertson and others (TREC-3, 1994). The weight of a
   * term of more than half of the documents would be below zero: it is 0, as bm25s has it.
   */
  robertson: {
    weighting: ({ k1, b }) => ({
      weigh: ({ docCount, averageLength }) => ({
        weight: ({ documentFrequency: df }, tf, length) =>
          Math.log(Math.max(1, (docCount - df + 0.5) / (df + 0.5))) *
          (tf / (tf + k1 * (1 - b + (b * length) / averageLength))),
      }),
    }),
  },
  /** ln((N + 1) / df) · ((k1 + 1)·tf / (tf + k1·B) + delta): Lv and Zhai, CIKM 2011. */
  'bm25+': {
    delta: 1,
    weighting: ({ k1, b, delta }) => ({
      weigh: ({ docCount, averageLength }) => ({
        weight: ({ documentFrequency: df }, tf, length) =>
          Math.log((docCount + 1) / df) *
          (((k1 + 1) * tf) / (tf + k1 * (1 - b + (b * length) / averageLength)) + delta),
      }),
    }),
  },
  /** ln((N + 1) / (df + 0.5)) · (k1 + 1)·(c + delta) / (k1 + c + delta), c = tf / B: Lv and Zhai, SIGIR 2011. */
  bm25l: {
    delta: 0.5,
    weighting: ({ k1, b, delta }) => ({
      weigh: ({ docCount, averageLength }) => ({
        weight: ({ documentFrequency: df }, tf, length) => {
          const c = tf / (1 - b + (b * length) / averageLength);
          return Math.log((docCount + 1) / (df + 0.5)) * (((k1 + 1) * (c + delta)) / (k1 + c + delta));
        },
      }),
    }),
  },
  /** ln(N / df) · (k1 + 1)·tf / (tf + k1·B): Trotman, Jia and Crane, OSIR 2012. A term of every document weighs 0. */
  atire: {
    weighting: ({ k1, b }) => ({
      weigh: ({ docCount, averageLength }) => ({
        weight: ({ documentFrequency: df }, tf, length) =>
          Math.log(docCount / df) * (((k1 + 1) * tf) / (tf + k1 * (1 - b + (b * length) / averageLength))),
      }),
    }),
  },
} as const satisfies Readonly<Record<string, Bm25Scoring>>;
