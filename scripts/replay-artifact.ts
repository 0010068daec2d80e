import type { QueryId } from '../core/ids.js';
import { type PoolReport, poolReport } from '../results/candidates.js';
import type { ReplayHeader } from '../results/replay/form.js';
import type { ReplayTask } from '../results/replay/read.js';
import {
  type ReplaySubject,
  type SubjectKind,
  type SubjectTask,
  subjectOf,
  subjectOnTask,
} from '../results/replay/report.js';
import { amongCandidates, type ReplayRun, type SplitRun, splitRun } from '../results/replay/runs.js';
import type { Measure } from '../results/types.js';
import type { Ranking } from '../tasks/types.js';
import { checkReplay, replayTasks } from './replay-file.js';
import { openRerankers, type Reranker, type RerankerOptions, type Rerankers, rerank } from './replay-rerank.js';
import { readReplayRun } from './replay-runs.js';

interface ReplayRequest {
  readonly file: string;
  readonly runs: readonly string[];
  /** Lists as `--systems` takes them. */
  readonly systems: readonly string[];
  readonly measures: readonly Measure[];
  /** Documents that rerankers rank for each query; null for all candidates. */
  readonly depth: number | null;
  /** What becomes of a run's documents that are no candidates. */
  readonly others: 'refuse' | 'drop';
}

interface ReplayFailure {
  readonly name: string;
  readonly task: string;
  readonly reason: string;
}

export interface Replayed {
  readonly header: ReplayHeader;
  readonly tasks: readonly { readonly task: string; readonly digest: string; readonly pool: PoolReport }[];
  /** The frozen order first, then rerankers, then runs. */
  readonly subjects: readonly ReplaySubject[];
  readonly failures: readonly ReplayFailure[];
  /** What the numbers rest on, for stderr. */
  readonly notes: readonly string[];
}

/** Checks the whole artifact, then scores the frozen order, every reranker and every run, task by task. */
export async function replay(request: ReplayRequest, options: RerankerOptions): Promise<Replayed> {
  const checked = await checkReplay(request.file);
  const runs: NamedRun[] = [];
  for (const operand of request.runs) {
    const run = await readReplayRun(operand, options);
    runs.push({ run, split: splitRun(run, checked) });
  }
  const models = request.systems.length === 0 ? null : await openRerankers(request.systems, options, checked);
  const book = newBook(request, models?.rerankers ?? [], runs);
  try {
    for await (const task of replayTasks(checked)) {
      book.tasks.push({ ...factsOf(task), pool: poolReport(task.judged, task.pool) });
      score(book, book.frozen, task, { rankings: task.pool, depth: null });
      if (models !== null) await rerankAll(book, models, task);
      for (const entry of book.runs) scoreFile(book, entry, task);
    }
  } finally {
    await models?.close();
  }
  const { tasks, failures } = book;
  const entries = [book.frozen, ...book.systems, ...book.runs];
  const subjects = entries.map(({ name, kind, rows }) => subjectOf({ name, kind }, rows, tasks.length));
  const fitted = (models?.rerankers ?? []).filter(({ isFitted }) => isFitted).map(fittedNote);
  return { header: checked.header, tasks, subjects, failures, notes: [...fitted, ...runs.flatMap(unknownNote)] };
}

interface NamedRun {
  readonly run: ReplayRun;
  readonly split: SplitRun;
}

interface Entry {
  readonly name: string;
  readonly kind: SubjectKind;
  readonly rows: SubjectTask[];
}

type SystemEntry = Entry & { readonly reranker: Reranker };
type RunEntry = Entry & NamedRun;

/** What was scored so far. */
interface Book {
  readonly request: ReplayRequest;
  readonly tasks: Replayed['tasks'][number][];
  readonly frozen: Entry;
  readonly systems: readonly SystemEntry[];
  readonly runs: readonly RunEntry[];
  readonly failures: ReplayFailure[];
}

function newBook(request: ReplayRequest, rerankers: readonly Reranker[], runs: readonly NamedRun[]): Book {
  return {
    request,
    tasks: [],
    frozen: { name: 'frozen order', kind: 'frozen', rows: [] },
    systems: rerankers.map((reranker) => ({ name: reranker.id, kind: 'system', rows: [], reranker })),
    runs: runs.map((one) => ({ ...one, name: one.run.name, kind: 'run', rows: [] })),
    failures: [],
  };
}

function factsOf({ facts: { task, digest } }: ReplayTask) {
  return { task, digest };
}

interface Scored {
  readonly rankings: ReadonlyMap<QueryId, Ranking>;
  readonly depth: number | null;
}

/** A reranking that is no order of its candidates is a failure of the system, and is not scored. */
function score({ request, failures }: Book, { name, kind, rows }: Entry, task: ReplayTask, scored: Scored): void {
  const { check, row } = subjectOnTask(task, { name, ...scored }, request.measures);
  const [outside] = check.outside.examples;
  const [lost] = check.lost.examples;
  const wrong = kind === 'system' ? (outside ?? lost) : undefined;
  if (wrong === undefined) rows.push(row);
  else {
    const what = outside === undefined ? 'lost a candidate' : 'ranked a document that is no candidate';
    failures.push({ name, task: task.facts.task, reason: `it ${what}: query ${wrong.query}, document ${wrong.doc}` });
  }
}

async function rerankAll(book: Book, models: Rerankers, task: ReplayTask): Promise<void> {
  const { depth } = book.request;
  const arena = models.arenaOf(task);
  for (const entry of book.systems) {
    const made = await rerank(task, entry.reranker, { arena, depth });
    if (typeof made === 'string') book.failures.push({ name: entry.name, task: task.facts.task, reason: made });
    else score(book, entry, task, { rankings: made, depth });
    models.progress.tick(`${task.facts.task} ${entry.name}`);
  }
}

/** A run of ours is of one task and says nothing of the others; a file that lacks a task has 0 there. */
function scoreFile(book: Book, entry: RunEntry, task: ReplayTask): void {
  const { task: id } = task.facts;
  if (entry.run.task !== null && entry.run.task.id !== id) return;
  const given = { name: `${entry.name}, ${id}`, rankings: entry.split.byTask.get(id) ?? new Map() };
  const { rankings } = amongCandidates(given, task.pool, book.request.others);
  score(book, entry, task, { rankings, depth: null });
}

function fittedNote({ id }: Reranker): string {
  return `${id} looks at all texts together: here those of the candidates, in \`tenbin run\` the whole corpus, so values may differ`;
}

function unknownNote({ run, split }: NamedRun): string[] {
  const { length } = split.unknown;
  return length === 0 ? [] : [`${run.name}: ${length} queries are not in the artifact and count nowhere`];
}
