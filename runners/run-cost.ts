import { type Distribution, distributionOf } from '../core/distribution.js';
import type { Searcher } from './searcher.js';
import type { StagedWork } from './system.js';
import type { Cost } from './types.js';
import { addStages, flopsOfQuery, scaleStages, totalWork } from './work.js';

interface Counted {
  readonly searcher: Pick<Searcher, 'bytes' | 'bytesPerDoc' | 'bytesPerQuery' | 'tokens'>;
  readonly modelBytes: number;
  readonly docCount: number;
  readonly queryWork: readonly StagedWork[];
}

/** What a run says of its cost: means, and distributions over the queries. */
export function costOf({ searcher, modelBytes, docCount, queryWork }: Counted): Cost {
  const { bytes, bytesPerDoc, bytesPerQuery, tokens } = searcher;
  const sum = queryWork.reduce(addStages, {});
  const means = scaleStages(sum, 1 / Math.max(1, queryWork.length));
  return {
    bytesPerDoc,
    bytesPerQuery,
    indexBytes: bytes,
    // What is stored per document is a mean, so that the rest may come out a rounding error below zero.
    indexOverheadBytes: Math.max(0, Math.round(bytes - bytesPerDoc * docCount)),
    modelBytes,
    work: totalWork(means),
    stages: means,
    flopsPerQuery: flopsOf(queryWork),
    ...tokensOf(queryWork),
    ...(tokens.length > 0 && {
      tokensPerDoc: Object.fromEntries(tokens.map(({ model, docs }) => [model, distributionOf(docs)])),
    }),
  };
}

function flopsOf(queryWork: readonly StagedWork[]): Distribution | null {
  const flops = queryWork.map(flopsOfQuery);
  const known = flops.filter((value) => value !== null);
  return known.length < flops.length ? null : distributionOf(known);
}

function tokensOf(queryWork: readonly StagedWork[]): Pick<Cost, 'tokensPerQuery'> {
  const tokens = queryWork.map((staged) => totalWork(staged).tokens);
  if (tokens.every((count) => count === undefined)) return {};
  return { tokensPerQuery: distributionOf(tokens.map((count) => count ?? 0)) };
}
