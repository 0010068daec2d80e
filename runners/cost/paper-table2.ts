import type { QueryTokens } from './eer.js';

/**
 * Table 2 of arXiv 2507.06223v2 (EMNLP 2025, industry track): TREC DL 2019, BM25's best 100 reranked for nDCG@10. What
 * others published, as printed. That table has no tokens; its methods, calls and nDCG are those of Table 2 of arXiv
 * 2310.09497v2, which counts prompt and generated tokens, and with these the estimator gives 26 of its 27 PFLOP.
 */
export const paperSource = 'arXiv 2507.06223v2, Table 2 (TREC DL 2019); tokens: arXiv 2310.09497v2, Table 2';
export const paperList = { docs: 100, top: 10 } as const;

export interface PaperCell {
  readonly ndcg10: number;
  /** As printed in 2507.06223; the estimator takes those of `tokens`. */
  readonly calls: number;
  readonly pflop: number;
  readonly RPP: number;
  readonly QPP: number;
  /** Per query, from 2310.09497. */
  readonly tokens: QueryTokens;
}

export type PaperModel = 'flan-t5-large' | 'flan-t5-xl' | 'flan-t5-xxl';

/** nDCG@10 in thousandths, calls, PFLOP, RPP, QPP; prompt tokens, generated tokens; the calls behind them where they are others. */
type Figures = readonly [number, number, number, number, number, number, number, number?];

const large: readonly (readonly [string, Figures])[] = [
  ['pointwise.qlm', [557, 100, 0.009, 61.89, 111.1, 15211.6, 0]],
  ['pointwise.yes_no', [654, 100, 0.009, 72.67, 111.1, 16111.6, 0]],
  ['listwise.generation', [561, 245, 0.076, 7.38, 13.16, 119120.8, 2581.35]],
  ['listwise.likelihood', [669, 245, 0.058, 11.53, 17.24, 94200.7, 0]],
  ['pairwise.allpair', [666, 9900, 1.865, 0.36, 0.536, 3014383.1, 49500]],
  ['pairwise.heapsort', [657, 230.3, 0.066, 9.95, 15.15, 104952.5, 2303.3]],
  ['pairwise.bubblesort', [636, 844.2, 0.242, 2.63, 4.132, 381386.3, 8441.6]],
  ['setwise.heapsort', [670, 125.4, 0.025, 26.8, 40, 40460.6, 626.9]],
  ['setwise.bubblesort', [678, 460.5, 0.091, 7.45, 10.99, 147774.1, 2302.3]],
];

const xl: readonly (readonly [string, Figures])[] = [
  ['pointwise.qlm', [542, 100, 0.034, 15.94, 29.41, 15211.6, 0]],
  ['pointwise.yes_no', [650, 100, 0.036, 18.06, 27.78, 16111.6, 0]],
  ['listwise.generation', [569, 245, 0.282, 2.02, 3.546, 119163, 2910]],
  ['listwise.likelihood', [689, 245, 0.216, 3.19, 4.629, 94446.1, 0]],
  ['pairwise.allpair', [713, 9900, 6.826, 0.1, 0.146, 2953436.2, 49500]],
  ['pairwise.heapsort', [705, 241.9, 0.259, 2.72, 3.861, 110126.9, 2418.6]],
  ['pairwise.bubblesort', [683, 886.9, 0.942, 0.73, 1.061, 400367.1, 8869.1]],
  ['setwise.heapsort', [693, 129.5, 0.096, 7.22, 10.42, 41665.7, 647.4]],
  // 466.9 calls in 2310.09497, which give .346; with the 446.9 that are printed it would be .347.
  ['setwise.bubblesort', [705, 446.9, 0.346, 2.04, 2.89, 149949.1, 2334.5, 466.9]],
];

const xxl: readonly (readonly [string, Figures])[] = [
  ['pointwise.qlm', [506, 100, 0.135, 3.75, 7.407, 15211.6, 0]],
  ['pointwise.yes_no', [644, 100, 0.143, 4.5, 6.993, 16111.6, 0]],
  ['listwise.generation', [662, 245, 1.105, 0.6, 0.904, 119334.7, 2824]],
  ['listwise.likelihood', [701, 245, 0.851, 0.82, 1.175, 94537.5, 0]],
  ['pairwise.allpair', [699, 9900, 25.51, 0.03, 0.039, 2794942.6, 49500]],
  ['pairwise.heapsort', [708, 239.4, 1.01, 0.7, 0.99, 109402, 2394]],
  ['pairwise.bubblesort', [679, 870.5, 3.642, 0.19, 0.275, 394386, 8705.3]],
  ['setwise.heapsort', [706, 130.1, 0.383, 1.84, 2.61, 42078.6, 650.5]],
  ['setwise.bubblesort', [711, 468.3, 1.375, 0.52, 0.727, 150764.8, 2341.6]],
];

export const paperTable2: ReadonlyMap<PaperModel, ReadonlyMap<string, PaperCell>> = new Map([
  ['flan-t5-large', cellsOf(large)],
  ['flan-t5-xl', cellsOf(xl)],
  ['flan-t5-xxl', cellsOf(xxl)],
]);

function cellsOf(rows: readonly (readonly [string, Figures])[]): ReadonlyMap<string, PaperCell> {
  return new Map(rows.map(([schedule, figures]) => [schedule, cellOf(figures)]));
}

function cellOf([thousandths, calls, pflop, RPP, QPP, inputTokens, outputTokens, counted]: Figures): PaperCell {
  return {
    ndcg10: thousandths / 1000,
    calls,
    pflop,
    RPP,
    QPP,
    tokens: { calls: counted ?? calls, inputTokens, outputTokens },
  };
}
