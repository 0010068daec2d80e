import type { DocId, QueryId } from '../../core/ids.js';
import type { Judgements, Pool, Ranking } from '../../tasks/types.js';
import { recallScores } from './recall.js';

/** What is wrong, how often, and the first few. Types and not interfaces, so that they are assignable to `Json`. */
type Found = {
  readonly count: number;
  readonly examples: readonly { readonly query: string; readonly doc: string }[];
};

/** Whether a reranking is an order of its candidates and nothing else. */
export type SameCandidates = {
  readonly unchanged: boolean;
  /** Documents that were no candidates of their query. */
  readonly outside: Found;
  /** Candidates that are gone, although the list is shorter than what was asked for. */
  readonly lost: Found;
  /** Queries with candidates of which there is no ranking. */
  readonly missingQueries: readonly string[];
  /** Queries whose list ends at the depth of the run: the rest of their candidates is not stored. */
  readonly cutQueries: number;
  /** `CandidateRecall@N` of both stages, means over the judged queries; cut lists make the second one smaller. */
  readonly candidateRecall: {
    readonly measure: string;
    readonly first: number | null;
    readonly reranked: number | null;
    /** Queries whose list is not cut and whose recall differs all the same. */
    readonly changedQueries: readonly string[];
  };
};

interface SameRequest {
  readonly judged: Judgements;
  readonly pool: Pool;
  readonly reranked: ReadonlyMap<QueryId, Ranking>;
  /** Documents that the run was asked for; a list of at least so many may have lost candidates below. Null: all of them. */
  readonly depth: number | null;
  readonly level?: number;
}

const shownExamples = 5;

/** Compares the sets of both stages query by query, and their recall, which follows from them, by the measure itself. */
export function sameCandidates(request: SameRequest): SameCandidates {
  const { pool, reranked } = request;
  const queries = [...new Set([...pool.keys(), ...reranked.keys()])];
  const differences = queries.map((query) => differenceOf(request, query));
  const missingQueries = differences.filter(({ missing }) => missing).map(({ query }) => query);
  const cut = new Set(differences.filter((one) => one.cut).map(({ query }) => query));
  const candidateRecall = recalls(request, new Set([...cut, ...missingQueries]));
  const outside = found(differences, ({ outside: docs }) => docs);
  const lost = found(differences, ({ lost: docs }) => docs);
  const changes = outside.count + lost.count + missingQueries.length + candidateRecall.changedQueries.length;
  return { unchanged: changes === 0, outside, lost, missingQueries, cutQueries: cut.size, candidateRecall };
}

interface Difference {
  readonly query: QueryId;
  readonly outside: readonly DocId[];
  readonly lost: readonly DocId[];
  readonly missing: boolean;
  readonly cut: boolean;
}

function differenceOf({ pool, reranked, depth }: SameRequest, query: QueryId): Difference {
  const given = pool.get(query)?.docs ?? [];
  const made = reranked.get(query)?.docs;
  if (made === undefined) return { query, outside: [], lost: [], missing: given.length > 0, cut: false };
  const [givenSet, madeSet] = [new Set(given), new Set(made)];
  const gone = given.filter((doc) => !madeSet.has(doc));
  const cut = gone.length > 0 && depth !== null && made.length >= depth;
  return { query, outside: made.filter((doc) => !givenSet.has(doc)), lost: cut ? [] : gone, missing: false, cut };
}

function found(differences: readonly Difference[], of: (difference: Difference) => readonly DocId[]): Found {
  const all = differences.flatMap((difference) => of(difference).map((doc) => ({ query: difference.query, doc })));
  return { count: all.length, examples: all.slice(0, shownExamples) };
}

function recalls(
  { judged, pool, reranked, level = 1 }: SameRequest,
  passedOver: ReadonlySet<QueryId>,
): SameCandidates['candidateRecall'] {
  const deepest = [...pool.values(), ...reranked.values()].reduce((most, { docs }) => Math.max(most, docs.length), 0);
  const first = recallScores({ judged, rankings: pool, deepest, level });
  const second = recallScores({ judged, rankings: reranked, deepest, level });
  const { measure } = first;
  const columnOf = ({ scores }: typeof first) => scores.values.get(measure)?.expected ?? new Float64Array();
  const [before, after] = [columnOf(first), columnOf(second)];
  const changedQueries = first.scores.queries.filter((query, i) => !passedOver.has(query) && before[i] !== after[i]);
  const meanOf = ({ scores }: typeof first) => scores.totals.get(measure)?.expected ?? null;
  return { measure, first: meanOf(first), reranked: meanOf(second), changedQueries };
}
