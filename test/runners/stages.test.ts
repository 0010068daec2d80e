import { describe, expect, test } from 'vitest';
import { analyzerFor } from '../../runners/analyzers/index.js';
import { arenaOf } from '../../runners/arena.js';
import { parseSystem } from '../../runners/grammar.js';
import { costOf } from '../../runners/run-cost.js';
import { bindSearcher, type Trace } from '../../runners/searcher.js';
import { animals, smallNano } from '../small-nano.js';

const nano = smallNano(animals);
const bind = (system: string) =>
  bindSearcher(parseSystem(system), arenaOf(nano, { analyzer: analyzerFor('en'), seed: 17 }));

async function stagesOf(system: string) {
  const { stages } = await (await bind(system)).search(0, 3);
  return Object.fromEntries(Object.entries(stages).map(([stage, work]) => [stage, Object.keys(work).sort()]));
}

describe('the work of a query is told by stage', () => {
  test.each([
    ['bm25', { search: ['postings'] }],
    ['lsa@2', { encode: ['flops', 'lookUps'], search: ['flops'] }],
    ['lsa@2+int8+rescore@2', { encode: ['flops', 'lookUps'], search: ['flops'], rescore: ['flops'] }],
    ['lsa@2+binary', { encode: ['flops', 'lookUps'], search: ['integerOps', 'popcountWords'] }],
    ['bm25 > lsa@2@3', { encode: ['flops', 'lookUps'], search: ['postings'], rerank: ['flops'] }],
    ['rrf(bm25, lsa@2)', { encode: ['flops', 'lookUps'], search: ['flops', 'postings'] }],
    ['hybrid > bm25@3', { rerank: ['postings'] }],
    ['bm25 > lsa@2+int8+rescore@2@3', { encode: ['flops', 'lookUps'], search: ['postings'], rerank: ['flops'] }],
  ])('%s', async (system, stages) => {
    expect(await stagesOf(system)).toEqual(stages);
  });
});

describe('a trace', () => {
  async function watched(system: string) {
    const seen: string[] = [];
    const trace: Trace = {
      stage: async (stage, run) => {
        seen.push(stage);
        return run();
      },
      encode: async ({ id }) => void seen.push(`encode ${id}`),
    };
    const searcher = await bind(system);
    return { seen, hits: await searcher.search(0, 3, undefined, trace), unwatched: await searcher.search(0, 3) };
  }

  test.each([
    ['bm25', ['encode bm25', 'search']],
    ['lsa@2+int8+rescore@2', ['encode lsa@2', 'search', 'rescore']],
    ['bm25 > lsa@2@3', ['encode bm25', 'search', 'encode lsa@2', 'rerank']],
    ['rrf(bm25, lsa@2)', ['encode bm25', 'search', 'encode lsa@2', 'search']],
    ['hybrid > bm25@3', ['encode bm25', 'rerank']],
  ])('sees each stage of %s in turn, and changes no answer', async (system, stages) => {
    const { seen, hits, unwatched } = await watched(system);
    expect(seen).toEqual(stages);
    expect(hits).toEqual(unwatched);
  });
});

describe('the cost of a run', () => {
  const searcher = { bytes: 1000, bytesPerDoc: 90, bytesPerQuery: null, tokens: [] };

  test('has means by stage, and distributions over the queries', () => {
    const cost = costOf({
      ...{ searcher, modelBytes: 7, docCount: 10 },
      queryWork: [
        { encode: { tokens: 2, flops: 10 }, search: { flops: 1 } },
        { encode: { tokens: 4, flops: 30 }, search: { flops: 1 } },
      ],
    });
    expect(cost).toEqual({
      ...{ bytesPerDoc: 90, bytesPerQuery: null, indexBytes: 1000, indexOverheadBytes: 100, modelBytes: 7 },
      work: { flops: 21, tokens: 3 },
      stages: { encode: { tokens: 3, flops: 20 }, search: { flops: 1 } },
      flopsPerQuery: { mean: 21, p50: 11, p95: 31, max: 31 },
      tokensPerQuery: { mean: 3, p50: 2, p95: 4, max: 4 },
    });
  });

  test('knows no FLOPs where one query has none to tell, as of a frozen pool', async () => {
    const { stages } = await (await bind('hybrid')).search(0, 3);
    expect(costOf({ searcher, modelBytes: 0, docCount: 1, queryWork: [stages, {}] }).flopsPerQuery).toBe(null);
  });

  test('tells the tokens of documents by model', () => {
    const counts = { model: 'm', docs: Int32Array.of(1, 2, 9), queries: new Int32Array(0) };
    const { tokensPerDoc } = costOf({
      ...{ searcher: { ...searcher, tokens: [counts] }, modelBytes: 0, docCount: 3, queryWork: [] },
    });
    expect(tokensPerDoc).toEqual({ m: { mean: 4, p50: 2, p95: 9, max: 9 } });
  });
});
