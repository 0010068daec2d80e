import type { TenbinError } from '../../core/errors.js';
import { type DocId, docId, type QueryId, queryId } from '../../core/ids.js';
import { byCodePoint } from '../../core/order.js';
import type { Candidates, Doc, Judgements, Pool, Query } from '../../tasks/types.js';
import { changed, malformed } from './faults.js';
import type { ReplayHeader, ReplayLine, ReplayTaskFacts } from './form.js';
import { linesDigest } from './freeze.js';
import { parseHeader, parseLine } from './lines.js';

/** A line of the file without its end; `number` counts from 1. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** One task of an artifact: a nano-set cut down to the candidates of its pool. */
export interface ReplayTask {
  readonly facts: ReplayTaskFacts;
  /** Documents that are candidates of some query, in code-point order of their ids. */
  readonly docs: readonly Doc[];
  readonly queries: readonly Query[];
  readonly judged: Judgements;
  readonly pool: Pool;
}

interface OpenedReplay {
  readonly header: ReplayHeader;
  /** Task by task as the lines come; the digest over all lines is held to the header's at the end. */
  readonly tasks: AsyncGenerator<ReplayTask>;
}

/**
 * Reads an artifact line by line; one task is held at a time. Throws `damaged` with file, line and query for what was
 * changed, lost, added or moved, `malformed` for what never was an artifact.
 */
export async function openReplay(lines: AsyncIterable<NumberedLine>, where: string): Promise<OpenedReplay> {
  const rest = lines[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done === true) throw malformed('This file is empty, and a replay artifact is wanted', where);
  const header = parseHeader(first.value.text, `${where}:${first.value.number}`);
  return { header, tasks: tasksOf({ header, where }, { [Symbol.asyncIterator]: () => rest }) };
}

interface Artifact {
  readonly header: ReplayHeader;
  readonly where: string;
}

async function* tasksOf({ header, where }: Artifact, lines: AsyncIterable<NumberedLine>): AsyncGenerator<ReplayTask> {
  const coming = header.tasks.values();
  const digests: string[] = [];
  let task = nextTask(coming);
  let last: Last = { number: 1, query: undefined };
  for await (const { number, text } of lines) {
    const at = `${where}:${number}`;
    const line = parseLine(text, at);
    for (; task !== undefined && isWhole(task); task = nextTask(coming)) yield done(task);
    checkPlace(line, { index: digests.length + 1, task: task?.facts.task }, at);
    if (task !== undefined) addLine(task, line, at);
    digests.push(line.digest);
    last = { number, query: line.query };
  }
  for (; task !== undefined; task = nextTask(coming)) {
    if (!isWhole(task)) throw endsEarly(header, `${where}:${last.number}`, { read: digests.length, last });
    yield done(task);
  }
  if (linesDigest(digests) !== header.lines) {
    throw changed('The lines are not those that the header speaks of: one was replaced along with its digest', where);
  }
}

interface Last {
  readonly number: number;
  readonly query: string | undefined;
}

function endsEarly(
  { counts }: ReplayHeader,
  where: string,
  { read, last }: { readonly read: number; readonly last: Last },
): TenbinError {
  return changed(`A line was lost: the file ends after ${read} of ${counts.queries} queries`, where, last.query);
}

/** What the next line has to be; `task` is undefined after the last one. */
function checkPlace(
  { index, task, query }: ReplayLine,
  wanted: { readonly index: number; readonly task: string | undefined },
  where: string,
): void {
  if (index > wanted.index) throw changed(`A line was lost: number ${wanted.index} should stand here`, where, query);
  if (index < wanted.index) throw changed(`A line was added or moved: it is number ${index}`, where, query);
  if (wanted.task === undefined) throw changed('A line was added: the header speaks of no such query', where, query);
  if (task !== wanted.task) throw changed(`A line stands in the wrong task: ${wanted.task} comes here`, where, query);
}

interface UnderWay {
  readonly facts: ReplayTaskFacts;
  readonly texts: Map<DocId, string>;
  readonly queries: Query[];
  readonly judged: Map<QueryId, Map<DocId, number>>;
  readonly pool: Map<QueryId, Candidates>;
}

/** Made when its turn comes, so that a task that was handed on can be let go. */
function nextTask(coming: Iterator<ReplayTaskFacts>): UnderWay | undefined {
  const next = coming.next();
  if (next.done === true) return undefined;
  return { facts: next.value, texts: new Map(), queries: [], judged: new Map(), pool: new Map() };
}

function isWhole({ facts, queries }: UnderWay): boolean {
  return queries.length >= facts.queries;
}

function done({ facts, texts, queries, judged, pool }: UnderWay): ReplayTask {
  const docs = [...texts].map(([id, text]): Doc => ({ id, text })).sort((a, b) => byCodePoint(a.id, b.id));
  return { facts, docs, queries, judged, pool };
}

function addLine(task: UnderWay, line: ReplayLine, where: string): void {
  const { candidates, otherJudged, text } = line;
  const query = queryId(line.query);
  if (task.pool.has(query)) throw malformed('A query stands there twice', where, query);
  checkCandidates(line, where);
  for (const { id, text: document } of candidates) {
    const known = task.texts.get(docId(id));
    if (known !== undefined && known !== document) throw malformed(`Document ${id} has two texts`, where, query);
    task.texts.set(docId(id), document);
  }
  const grades = [...candidates, ...otherJudged].flatMap(({ id, grade }) =>
    grade === null ? [] : [[docId(id), grade] as const],
  );
  task.queries.push({ id: query, text });
  task.pool.set(query, rowOf(line));
  if (grades.length > 0) task.judged.set(query, new Map(grades));
}

function rowOf({ candidates }: ReplayLine): Candidates {
  return {
    docs: candidates.map(({ id }) => docId(id)),
    scores: candidates.map(({ score }) => score),
    forced: candidates.filter(({ forced }) => forced).map(({ id }) => docId(id)),
  };
}

/** Digests hold what was written; this holds what may be written. */
function checkCandidates({ candidates, otherJudged, query }: ReplayLine, where: string): void {
  const ids = [...candidates, ...otherJudged].map(({ id }) => id);
  if (new Set(ids).size !== ids.length) throw malformed('A document stands twice in one query', where, query);
  for (const [i, { rank, score }] of candidates.entries()) {
    if (rank !== i + 1) throw malformed(`Rank ${rank} stands in place ${i + 1}`, where, query);
    if (i > 0 && score > candidates[i - 1].score)
      throw malformed(`The score of rank ${rank} is not below`, where, query);
  }
}
