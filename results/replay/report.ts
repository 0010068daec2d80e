import type { QueryId } from '../../core/ids.js';
import type { Ranking } from '../../tasks/types.js';
import { candidateReport, meanOverTasks, type SameCandidates, type StageValues } from '../candidates.js';
import type { Measure } from '../types.js';
import type { ReplayTask } from './read.js';

/** `frozen`: the order of the artifact itself. `system`: a reranker of ours. `run`: a file, or a run of ours. */
export type SubjectKind = 'frozen' | 'system' | 'run';

/** One ranking of the candidates on one task. Types and not interfaces, so that they are assignable to `Json`. */
export type SubjectTask = {
  readonly task: string;
  /** Queries of the artifact with candidates and without a ranking: they count with 0. */
  readonly missing: readonly string[];
  /** Queries of which only some candidates are ranked: the others are as good as not retrieved. */
  readonly incomplete: number;
  readonly values: readonly StageValues[];
};

export type ReplaySubject = {
  readonly name: string;
  readonly kind: SubjectKind;
  readonly tasks: readonly SubjectTask[];
  /** Whether it has every task of the artifact. */
  readonly complete: boolean;
  /** Over the tasks that it has, each equal. */
  readonly mean: readonly StageValues[];
};

interface TaskSubject {
  readonly name: string;
  readonly rankings: ReadonlyMap<QueryId, Ranking>;
  /** Documents that were asked for; null for all candidates. */
  readonly depth: number | null;
}

/** Scores one ranking of the candidates of one task. */
export function subjectOnTask(
  { facts, judged, pool }: ReplayTask,
  { name, rankings, depth }: TaskSubject,
  measures: readonly Measure[],
): { readonly row: SubjectTask; readonly check: SameCandidates } {
  const run = `${name}, ${facts.task}`;
  const { check, values } = candidateReport({ judged, pool, reranked: rankings, depth, measures, run });
  const isShort = ([query, { docs }]: [QueryId, Ranking]) => docs.length < (pool.get(query)?.docs.length ?? 0);
  const incomplete = [...rankings].filter(isShort).length;
  return { row: { task: facts.task, missing: check.missingQueries, incomplete, values }, check };
}

/** One ranking over the tasks of an artifact, of which there are `taskCount`. */
export function subjectOf(
  { name, kind }: Pick<ReplaySubject, 'name' | 'kind'>,
  tasks: readonly SubjectTask[],
  taskCount: number,
): ReplaySubject {
  const complete = tasks.length === taskCount;
  return { name, kind, complete, tasks, mean: meanOverTasks(tasks.map(({ values }) => values)) };
}
