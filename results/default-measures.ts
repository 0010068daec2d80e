/** What boards, scores and reports show when nothing is said; the first one ranks. */
export const defaultMeasures = ['nDCG@10', 'RR@10', 'AP@100', 'R@100', 'Success@10', 'Judged@10'] as const;
