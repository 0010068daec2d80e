import { type Plugin, wholeNumber } from '../../core/registry.js';
import type { Hits, Index, Variant } from '../system.js';
import { addWork } from '../work.js';
import { variant } from './variant.js';

/** The cheap index proposes M·k documents, the exact one orders them. Both stay in memory, and both count. */
export const rescore: Plugin<Variant> = {
  name: 'rescore',
  summary: 'rescore@M scores the M·k best (default 4, ties at the cut kept) again with the exact vectors; comes last',
  bind: (argument = '4') => {
    const multiplier = wholeNumber('rescore', argument, 1);
    const id = `rescore@${multiplier}`;
    const rescored = variant(
      id,
      ({ index, exact, applied }) => {
        if (index === exact) return `${id} has nothing to rescore: the scores are exact already.`;
        return applied.some((text) => text.startsWith('rescore@'))
          ? `${id} comes once; this is rescored already.`
          : null;
      },
      ({ index, exact }) => ({
        index: rescoring(index, exact, multiplier),
        conditions: {
          'rescore.multiplier': multiplier,
          'rescore.score': 'exact; ties at the cut of the first list kept',
        },
      }),
    );
    return { ...rescored, looksAt: 'answers' };
  },
};

function rescoring(first: Index, exact: Index, multiplier: number): Index {
  const rescored = async (proposed: Hits, query: number, k: number): Promise<Hits> => {
    const hits = await exact.search(query, k, proposed.docs);
    return { ...hits, work: addWork(proposed.work, hits.work) };
  };
  const { searchBlock } = first;
  return {
    bytes: first.bytes + exact.bytes,
    bytesPerDoc: first.bytesPerDoc + exact.bytesPerDoc,
    search: async (query, k, among) =>
      among === undefined
        ? rescored(await first.search(query, multiplier * k), query, k)
        : exact.search(query, k, among),
    ...(searchBlock && {
      searchBlock: async (queries: Int32Array, k: number) => {
        const proposed = await searchBlock(queries, multiplier * k);
        // Asked at once, so that an index over blocks answers all of them in one pass.
        return Promise.all(proposed.map((hits, i) => rescored(hits, queries[i], k)));
      },
    }),
  };
}
