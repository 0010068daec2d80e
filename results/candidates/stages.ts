import type { QueryId } from '../../core/ids.js';
import type { Judgements, Pool, Ranking } from '../../tasks/types.js';
import { oracle } from '../measures/wrappers/oracle.js';
import { scoreRun } from '../score.js';
import type { Measure } from '../types.js';
import { type ForcedForm, forcedForms } from './cut.js';
import { judgedAmong, poolIn, rerankingIn } from './forms.js';

/** Whose best list is the ideal: that of all judged documents, or that of the candidates alone. */
const ideals = ['qrels', 'candidates'] as const;
type Ideal = (typeof ideals)[number];

/**
 * One measure of both stages: means over the judged queries, expected over ties. Types and not interfaces, so that they
 * are assignable to `Json`. All are null where no query is judged.
 */
export type StageValues = {
  readonly measure: string;
  readonly ideal: Ideal;
  readonly forced: ForcedForm;
  readonly first: number | null;
  readonly reranked: number | null;
  /** Of the same candidates by descending grade: what a perfect reranker reaches. */
  readonly oracle: number | null;
  /** oracle − first. */
  readonly headroom: number | null;
  /** (reranked − first) / (oracle − first), a ratio of means: below 0 where reranking harms, null without headroom. */
  readonly capturedShare: number | null;
};

interface StageRequest {
  readonly judged: Judgements;
  /** What the second stage was given, best first. A judged query that is not in it has no candidates and counts with 0. */
  readonly pool: Pool;
  /** What it made of them. A query that is not in it counts with 0. */
  readonly reranked: ReadonlyMap<QueryId, Ranking>;
  readonly measures: readonly Measure[];
  readonly level?: number;
  /** Names the run in errors. */
  readonly run?: string;
}

/** Every measure under both ideals, with the safeguard's rows and without them, in that order of nesting. */
export function stageValues(request: StageRequest): StageValues[] {
  const forms = forcedForms.flatMap((forced) => ideals.map((ideal) => valuesIn(request, forced, ideal)));
  return request.measures.flatMap((_, i) => forms.map((values) => values[i]));
}

/**
 * Under `candidates` the judgements themselves are cut to the candidates. For nDCG that is `nDCG(ideal='candidates')` of
 * the whole list, and it still is where a run was cut at its depth and has lost the end of that list.
 */
function valuesIn(request: StageRequest, forced: ForcedForm, ideal: Ideal): StageValues[] {
  const { measures, run, level = 1 } = request;
  const pool = poolIn(request.pool, forced);
  const judged = ideal === 'qrels' ? request.judged : judgedAmong(request.judged, pool);
  const given = { judged, level, ...(run !== undefined && { run }) };
  const oracles = measures.map(oracle.wrap);
  const first = scoreRun({ ...given, rankings: pool, measures: [...measures, ...oracles] }).totals;
  const rankings = rerankingIn(request.reranked, request.pool, forced);
  const second = scoreRun({ ...given, rankings, measures }).totals;
  const meanOf = (totals: typeof first, { name }: Measure) => totals.get(name)?.expected ?? null;
  return measures.map((measure, i) => ({
    measure: measure.name,
    ideal,
    forced,
    ...shares(meanOf(first, measure), meanOf(second, measure), meanOf(first, oracles[i])),
  }));
}

/** Values that differ by less are equal but for rounding: no headroom, and so no share of it. */
const leastHeadroom = 1e-12;

function shares(first: number | null, reranked: number | null, best: number | null) {
  const headroom = first === null || best === null ? null : best - first;
  const has = headroom !== null && headroom > leastHeadroom && first !== null && reranked !== null;
  return { first, reranked, oracle: best, headroom, capturedShare: has ? (reranked - first) / headroom : null };
}

/**
 * The mean over tasks, each equal, of measures that all of them have. The captured share is that of the means, so that a
 * task with next to no headroom cannot rule it.
 */
export function meanOverTasks(tasks: readonly (readonly StageValues[])[]): StageValues[] {
  const counted = tasks.filter((rows) => rows.every(({ first }) => first !== null));
  return (tasks[0] ?? []).map(({ measure, ideal, forced }, i) => {
    const mean = (of: (row: StageValues) => number | null) =>
      counted.length === 0 ? null : counted.reduce((sum, rows) => sum + (of(rows[i]) ?? 0), 0) / counted.length;
    const values = shares(
      mean((row) => row.first),
      mean((row) => row.reranked),
      mean((row) => row.oracle),
    );
    return { measure, ideal, forced, ...values };
  });
}
