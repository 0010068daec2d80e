import { printable, TenbinError } from '../core/errors.js';
import type { QueryId } from '../core/ids.js';
import type { NanoSet, Ranking } from '../tasks/types.js';
import type { Arena } from './arena.js';
import { inTotalOrder, type Searcher, type StagedHits } from './searcher.js';
import type { Awaitable, Hits, StagedWork } from './system.js';

export interface Ranked {
  readonly rankings: ReadonlyMap<QueryId, Ranking>;
  /** Of each query, by stage. */
  readonly queryWork: ReadonlyMap<QueryId, StagedWork>;
  /** One wall-clock time for each query. */
  readonly queryMs: Float64Array;
}

export interface RankRequest {
  readonly nano: Pick<NanoSet, 'docs' | 'queries'>;
  readonly arena: Arena;
  readonly searcher: Pick<Searcher, 'search' | 'searchBlock'>;
  /** The system's canonical text, for errors. */
  readonly system: string;
  /** Only these documents, each of which then has a score; all of them when not said. */
  readonly among?: Int32Array;
  /** Documents wanted for each query; all tied with the last of them are kept. */
  readonly depth: number;
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
}

/** Queries that a system which answers several at once is asked together. */
const blockSize = 64;

/** Asks a system every query of a task. Order is total: score descending, then the keyed hash of the document's id. */
export async function rankAll(request: RankRequest): Promise<Ranked> {
  const { nano, arena } = request;
  const rankings = new Map<QueryId, Ranking>();
  const queryWork = new Map<QueryId, StagedWork>();
  const queryMs = new Float64Array(nano.queries.length);
  for await (const { position, hits, ms } of answers(request)) {
    const query = nano.queries[position].id;
    queryMs[position] = ms;
    queryWork.set(query, hits.stages);
    const { docs, scores } = inTotalOrder(hits, arena.places);
    checkScores(request, query, { docs, scores });
    rankings.set(query, { docs: Array.from(docs, (d) => idAt(nano, d)), scores: Array.from(scores) });
  }
  return { rankings, queryWork, queryMs };
}

interface Answer {
  readonly position: number;
  readonly hits: StagedHits;
  /** Of this query, or the mean of the block that was asked together. */
  readonly ms: number;
}

async function* answers(request: RankRequest): AsyncGenerator<Answer> {
  const { nano, searcher, among, depth, clock } = request;
  const size = searcher.searchBlock === undefined || among !== undefined ? 1 : blockSize;
  for (let start = 0; start < nano.queries.length; start += size) {
    const positions = Int32Array.from({ length: Math.min(size, nano.queries.length - start) }, (_, i) => start + i);
    const startMs = clock();
    const hits = await (size === 1
      ? Promise.all([asked(request, start, () => searcher.search(start, depth, among))])
      : askedTogether(request, positions));
    const ms = (clock() - startMs) / positions.length;
    for (const [i, position] of positions.entries()) yield { position, hits: hits[i], ms };
  }
}

/** A score that is not a number is looked for again one by one, so that its query can be named. */
async function askedTogether(request: RankRequest, positions: Int32Array): Promise<readonly StagedHits[]> {
  const { searcher, depth } = request;
  try {
    return (await searcher.searchBlock?.(positions, depth)) ?? [];
  } catch (error) {
    if (!(error instanceof TenbinError) || error.code !== 'not-finite') throw error;
    for (const position of positions) await asked(request, position, () => searcher.search(position, depth));
    throw error;
  }
}

function idAt(nano: RankRequest['nano'], position: number) {
  const doc = nano.docs[position];
  if (doc === undefined)
    throw brokenContract(
      'A system returned a document that is not there',
      `position ${position} of ${nano.docs.length}`,
    );
  return doc.id;
}

/** A kernel knows only positions: here its NaN gets the names of query, document and system. */
async function asked(request: RankRequest, position: number, search: () => Awaitable<StagedHits>): Promise<StagedHits> {
  try {
    return await search();
  } catch (error) {
    if (!(error instanceof TenbinError) || error.code !== 'not-finite') throw error;
    throw notANumber(
      request,
      request.nano.queries[position].id,
      (error.parts.cause as { position?: number } | undefined)?.position,
    );
  }
}

function checkScores(request: RankRequest, query: QueryId, { docs, scores }: Pick<Hits, 'docs' | 'scores'>): void {
  for (let i = 0; i < scores.length; i++) {
    if (Number.isNaN(scores[i])) throw notANumber(request, query, docs[i]);
    if (i > 0 && scores[i] > scores[i - 1])
      throw brokenContract('A system returned scores out of order', `${request.system}, query ${printable(query)}`);
  }
}

function brokenContract(what: string, value: string): TenbinError {
  const fix = 'A custom index is at fault: it must return positions of documents, best score first.';
  return new TenbinError('malformed', { what, value, fix });
}

function notANumber({ nano, system }: RankRequest, query: QueryId, position: number | undefined): TenbinError {
  const doc = position === undefined ? '' : `, document ${printable(nano.docs[position]?.id ?? String(position))}`;
  return new TenbinError('not-finite', {
    what: 'A system gave a score that is not a number',
    value: `${system}, query ${printable(query)}${doc}`,
    fix: 'NaN never ranks: look for a zero vector, an overflow or a damaged model file.',
  });
}
