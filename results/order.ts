import type { DocId } from '../core/ids.js';
import { byCodePoint } from '../core/order.js';
import type { TiedDocs } from './types.js';

/**
 * The orders that tools put tied documents in: `trec` as trec_eval (document id descending by code point, which is its
 * UTF-8 byte order), `id` ascending, `input` as the run gives them.
 */
export const fixedOrders = ['trec', 'id', 'input'] as const;
export type FixedOrder = (typeof fixedOrders)[number];

/** How ties are treated: all orders at once, or one of the fixed ones. */
export const tieRules = ['expected', ...fixedOrders] as const;
export type TieRule = (typeof tieRules)[number];

/** The same documents with every tie broken. */
export function inFixedOrder(tied: TiedDocs, order: FixedOrder): TiedDocs {
  const docs = order === 'input' ? tied.docs : sortedInside(tied, order);
  return { docs, groupEnds: docs.map((_, i) => i + 1) };
}

function sortedInside({ docs, groupEnds }: TiedDocs, order: 'trec' | 'id'): readonly DocId[] {
  if (groupEnds.length === docs.length) return docs;
  const compare = order === 'id' ? byCodePoint : (a: DocId, b: DocId) => byCodePoint(b, a);
  return groupEnds.flatMap((end, group) => {
    const start = group === 0 ? 0 : groupEnds[group - 1];
    return end - start === 1 ? docs[start] : docs.slice(start, end).sort(compare);
  });
}
