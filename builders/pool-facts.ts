import type { QueryId } from '../core/ids.js';
import { parseMeasure } from '../results/measures/parse.js';
import { scoreRun } from '../results/score.js';
import type { Measure } from '../results/types.js';
import type { Candidates, Judgements, PoolFacts, Ranking } from '../tasks/types.js';
import type { MadePool } from './pools.js';

/** Rows of a pool that its facts are about; forced rows are not among them. */
const factRows = 100;

/**
 * How good a pool is: recall of its first 100 rows, nDCG@10 of their order (expected over ties), and the nDCG@10 that a
 * perfect reranker of these rows would reach. The ideal is that of all judged documents.
 */
export function poolFacts({ pool, system }: MadePool, judged: Judgements): PoolFacts {
  const rankings = new Map([...pool].map(([query, row]) => [query, firstUnforced(row)]));
  const bestOrders = new Map([...rankings].map(([query, row]) => [query, byGrade(row, judged, query)]));
  return {
    system,
    recallAt100: mean(rankings, judged, parseMeasure('R@100')),
    nDCGAt10: mean(rankings, judged, parseMeasure('nDCG@10')),
    oracleAt10: mean(bestOrders, judged, parseMeasure('nDCG@10')),
    forcedRows: [...pool.values()].reduce((sum, { forced }) => sum + forced.length, 0),
  };
}

function firstUnforced({ docs, scores, forced }: Candidates): Ranking {
  const isForced = new Set(forced);
  const kept = [...docs.keys()].filter((row) => !isForced.has(docs[row])).slice(0, factRows);
  return { docs: kept.map((row) => docs[row]), scores: kept.map((row) => scores[row]) };
}

/** The rows by descending grade; unjudged documents and negative grades gain nothing, as grade 0 does. */
function byGrade({ docs }: Ranking, judged: Judgements, query: QueryId): Ranking {
  const gradeOf = (row: number) => Math.max(0, judged.get(query)?.get(docs[row]) ?? 0);
  const order = [...docs.keys()].sort((a, b) => gradeOf(b) - gradeOf(a));
  return { docs: order.map((row) => docs[row]), scores: order.map(gradeOf) };
}

function mean(rankings: ReadonlyMap<QueryId, Ranking>, judged: Judgements, measure: Measure): number {
  return scoreRun({ rankings, judged, measures: [measure] }).totals.get(measure.name)?.expected ?? 0;
}
