import { type Plugin, wholeNumber } from '../../core/registry.js';
import type { Hits, Index, Variant } from '../system.js';
import { addStages, totalWork } from '../work.js';
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

const nothing: Hits = { docs: new Int32Array(0), scores: new Float64Array(0), work: {} };

function rescoring(first: Index, exact: Index, multiplier: number): Index {
  const propose = (query: number, k: number) => first.search(query, multiplier * k);
  const rescored = async (proposed: Hits, query: number, k: number): Promise<Hits> => {
    const hits = await exact.search(query, k, proposed.docs);
    const staged = addStages(proposed.stages ?? { search: proposed.work }, { rescore: hits.work });
    return { docs: hits.docs, scores: hits.scores, work: totalWork(staged), stages: staged };
  };
  const { searchBlock } = first;
  return {
    bytes: first.bytes + exact.bytes,
    bytesPerDoc: first.bytesPerDoc + exact.bytesPerDoc,
    ...bytesOfBothQueries(first, exact),
    steps: [
      { stage: 'search', run: propose },
      { stage: 'rescore', run: (query, k, before) => rescored(before ?? nothing, query, k) },
    ],
    search: async (query, k, among) =>
      among === undefined ? rescored(await propose(query, k), query, k) : exact.search(query, k, among),
    ...(searchBlock && {
      searchBlock: async (queries: Int32Array, k: number) => {
        const proposed = await searchBlock(queries, multiplier * k);
        // Asked at once, so that an index over blocks answers all of them in one pass.
        return Promise.all(proposed.map((hits, i) => rescored(hits, queries[i], k)));
      },
    }),
  };
}

/**
 * A query is held in both of its forms; nothing is said where one of them is not known. Forms of one size are one form: what
 * reads documents in codes and the query as it is (int8) takes the vector that is scored with.
 */
function bytesOfBothQueries(first: Index, exact: Index): Pick<Index, 'bytesPerQuery'> {
  if (first.bytesPerQuery === undefined || exact.bytesPerQuery === undefined) return {};
  if (first.bytesPerQuery === exact.bytesPerQuery) return { bytesPerQuery: exact.bytesPerQuery };
  return { bytesPerQuery: first.bytesPerQuery + exact.bytesPerQuery };
}
