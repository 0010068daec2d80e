import { printable, TenbinError } from '../../core/errors.js';
import type { QueryId } from '../../core/ids.js';
import type { Pool, Ranking } from '../../tasks/types.js';

/** A run from elsewhere, or one of ours, of which the task is known. */
export interface ReplayRun {
  readonly name: string;
  readonly rankings: ReadonlyMap<QueryId, Ranking>;
  readonly task: { readonly id: string; readonly digest: string } | null;
}

/** Queries by task, and the digest of each task's nano-set. */
export interface ReplayQueries {
  readonly tasks: readonly { readonly task: string; readonly digest: string; readonly queries: readonly QueryId[] }[];
}

/** A run cut into the tasks of an artifact. */
export interface SplitRun {
  readonly byTask: ReadonlyMap<string, ReadonlyMap<QueryId, Ranking>>;
  /** Queries that no task has: they count nowhere. */
  readonly unknown: readonly QueryId[];
}

/**
 * Finds the task of each query of a run. A run of ours knows its task; elsewhere a query is named by its id, or as
 * `suite/task:id` where two tasks have one of that id. Throws `refused` for an id that is ambiguous, for a run of another
 * build of the task, and for one that has no query of the artifact.
 */
export function splitRun(run: ReplayRun, { tasks }: ReplayQueries): SplitRun {
  const owner = run.task;
  const chosen = owner === null ? tasks : tasks.filter(({ task }) => task === owner.id);
  if (owner !== null && chosen.some(({ digest }) => digest !== owner.digest)) throw otherBuild(run.name, owner.id);
  const places = placesOf(chosen);
  const byTask = new Map<string, Map<QueryId, Ranking>>();
  const unknown: QueryId[] = [];
  for (const [id, ranking] of run.rankings) {
    const found = places.get(id);
    if (found === undefined) unknown.push(id);
    else if (found.length > 1) throw ambiguous(run.name, id, found);
    else place(byTask, found[0], { ranking, where: `${run.name}, query ${printable(id)}` });
  }
  if (byTask.size === 0) throw nothingInCommon(run.name);
  return { byTask, unknown };
}

interface Place {
  readonly task: string;
  readonly query: QueryId;
}

function placesOf(tasks: ReplayQueries['tasks']): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  for (const { task, queries } of tasks)
    for (const query of queries)
      for (const name of [query, `${task}:${query}`]) places.set(name, [...(places.get(name) ?? []), { task, query }]);
  return places;
}

interface Found {
  readonly ranking: Ranking;
  readonly where: string;
}

function place(byTask: Map<string, Map<QueryId, Ranking>>, { task, query }: Place, { ranking, where }: Found): void {
  const rankings = byTask.get(task) ?? new Map<QueryId, Ranking>();
  if (rankings.has(query)) throw twice(where);
  byTask.set(task, rankings.set(query, ranking));
}

interface Dropped {
  readonly rankings: ReadonlyMap<QueryId, Ranking>;
  /** Documents left out. */
  readonly dropped: number;
}

/**
 * Holds a run to the candidates: one document that is none is `refused` with its query, or left out where that is asked
 * for.
 */
export function amongCandidates(
  { name, rankings }: Pick<ReplayRun, 'name' | 'rankings'>,
  pool: Pool,
  others: 'refuse' | 'drop',
): Dropped {
  let dropped = 0;
  const kept = new Map<QueryId, Ranking>();
  for (const [query, { docs, scores }] of rankings) {
    const candidates = new Set(pool.get(query)?.docs);
    const rows = [...docs.keys()].filter((row) => candidates.has(docs[row]));
    const outside = docs.find((doc) => !candidates.has(doc));
    if (outside !== undefined && others === 'refuse') throw noCandidate(name, query, outside);
    dropped += docs.length - rows.length;
    kept.set(query, { docs: rows.map((row) => docs[row]), scores: rows.map((row) => scores[row]) });
  }
  return { rankings: kept, dropped };
}

function noCandidate(run: string, query: string, doc: string): TenbinError {
  return new TenbinError('refused', {
    what: 'A run ranks a document that is no candidate of its query, so it did not rerank this artifact',
    value: `${run}, query ${printable(query)}, document ${printable(doc)}`,
    fix: 'Rank the candidates of the artifact alone, or leave the others out with --drop-outside.',
  });
}

function otherBuild(run: string, task: string): TenbinError {
  return new TenbinError('refused', {
    what: 'This run was made on another build of the task: its texts may differ from those of the artifact',
    value: `${run}, ${task}`,
    fix: 'Run the system on the build that the artifact was exported from.',
  });
}

function ambiguous(run: string, query: string, places: readonly Place[]): TenbinError {
  const [{ task, query: id }] = places;
  return new TenbinError('refused', {
    what: `Several tasks of the artifact have a query of this name (${places.map((one) => one.task).join(', ')})`,
    value: `${run}, query ${printable(query)}`,
    fix: `Write the task before the id: \`${printable(`${task}:${id}`)}\`.`,
  });
}

function twice(where: string): TenbinError {
  return new TenbinError('malformed', {
    what: 'A query stands twice in a run, once under its task',
    value: where,
    fix: 'Keep one of them.',
  });
}

function nothingInCommon(run: string): TenbinError {
  return new TenbinError('refused', {
    what: 'No query of this run is in the artifact',
    value: run,
    fix: 'Give a run of its queries; their ids stand in the lines as `query`.',
  });
}
