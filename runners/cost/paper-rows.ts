import type { PaperCell } from './paper-table2.js';

/** The three figures that follow from the FLOPs of a query; null where quality is not known or nothing is spent. */
export interface CostFigures {
  readonly pflop: number;
  /** nDCG@10 per PetaFLOP: the ratio of means, since that is all a table of means gives. */
  readonly RPP: number | null;
  /** Queries per PetaFLOP. */
  readonly QPP: number | null;
}

export function figuresOf(flops: number, ndcg10: number | null): CostFigures {
  const pflop = flops / 1e15;
  if (pflop === 0) return { pflop, RPP: null, QPP: null };
  return { pflop, RPP: ndcg10 === null ? null : ndcg10 / pflop, QPP: 1 / pflop };
}

/**
 * As table 2 of arXiv 2507.06223 prints them, found by recomputing all of it: PFLOP are cut after three decimals and not
 * rounded, and both ratios are taken of what is left: RPP with two decimals, QPP with four digits or three decimals.
 */
export function asPrinted(flops: number, ndcg10: number): CostFigures {
  const pflop = Math.floor(flops / 1e12) / 1000;
  const { RPP, QPP } = figuresOf(pflop * 1e15, ndcg10);
  return { pflop, RPP: RPP === null ? null : Number(RPP.toFixed(2)), QPP: QPP === null ? null : queriesText(QPP) };
}

type PrintedFigures = CostFigures & { readonly calls: number };

/** Names of the figures that the paper prints otherwise. */
export function differing(figures: PrintedFigures, published: PaperCell): readonly (keyof PrintedFigures)[] {
  const names = ['calls', 'pflop', 'RPP', 'QPP'] as const;
  return names.filter((name) => figures[name] !== published[name]);
}

function queriesText(QPP: number): number {
  return Number(QPP < 1 ? QPP.toFixed(3) : QPP.toPrecision(4));
}
