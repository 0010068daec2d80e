import { canonicalJson, type Json } from '../../core/canonical.js';
import { type Digest, digestOf, sha256 } from '../../core/digest.js';
import { printable, TenbinError } from '../../core/errors.js';
import type { DocId } from '../../core/ids.js';
import type { Candidates, Doc, NanoSet, Pool, Query } from '../../tasks/types.js';
import {
  digestOf as digestsOver,
  longestLineBytes,
  type ReplayHeader,
  type ReplayLine,
  type ReplayTaskFacts,
  replaySchema,
} from './form.js';

export interface FrozenReplay {
  readonly header: ReplayHeader;
  /** The file in pieces of one line each, UTF-8, the header first. */
  readonly pieces: readonly Uint8Array[];
}

type Counts = { -readonly [K in keyof ReplayHeader['counts']]: ReplayHeader['counts'][K] };

/**
 * The replay artifact of one pool over tasks. The header holds a digest over all lines and stands first, so the lines are
 * held until the last of them is known: memory is the size of the file. Throws `refused` for a task without such a pool,
 * or with a line of more than `mostLineBytes`, its end included, and `not-finite` for a score that JSON cannot hold.
 */
export async function freezeReplay(
  pool: string,
  tasks: AsyncIterable<NanoSet>,
  mostLineBytes = longestLineBytes,
): Promise<FrozenReplay> {
  const bytesOf = (value: Json, where: string) => lineBytes(value, where, mostLineBytes);
  const facts: ReplayTaskFacts[] = [];
  const counts: Counts = { queries: 0, candidates: 0, forced: 0, judgements: 0 };
  const pieces: Uint8Array[] = [];
  const digests: Digest[] = [];
  for await (const nano of tasks) {
    facts.push(factsOf(nano));
    for (const line of linesOf(nano, pool, digests.length + 1)) {
      add(counts, line);
      const digest = digestOf(line);
      digests.push(digest);
      pieces.push(bytesOf({ ...line, digest }, `${nano.task}, query ${printable(line.query)}`));
    }
  }
  const header = sealed(pool, facts, { counts, digests });
  return { header, pieces: [bytesOf(header, 'the header'), ...pieces] };
}

/** The digest over all lines. */
export function linesDigest(digests: readonly string[]): Digest {
  return sha256(digests.map((digest) => `${digest}\n`).join(''));
}

function sealed(
  pool: string,
  tasks: ReplayTaskFacts[],
  { counts, digests }: { readonly counts: Counts; readonly digests: readonly Digest[] },
): ReplayHeader {
  const lines = linesDigest(digests);
  const header = { schema: replaySchema, pool, tasks, counts, digestOf: digestsOver, lines } as const;
  return { ...header, digest: digestOf(header) };
}

function factsOf({ task, manifest, queries }: NanoSet): ReplayTaskFacts {
  const { digest, language, documentLanguage, domain, licence, source } = manifest;
  const other = documentLanguage === undefined ? {} : { documentLanguage };
  return {
    task,
    digest,
    language,
    ...other,
    domain,
    licence,
    attribution: source.attribution,
    queries: queries.length,
  };
}

type OpenLine = Omit<ReplayLine, 'digest'>;

function* linesOf(nano: NanoSet, poolName: string, firstIndex: number): Generator<OpenLine> {
  const pool = nano.pools.get(poolName);
  if (pool === undefined) throw noPool(nano, poolName);
  const texts = new Map(nano.docs.map(({ id, text }: Doc) => [id, text]));
  for (const [i, query] of nano.queries.entries()) yield lineOf(nano, { pool, texts }, query, firstIndex + i);
}

interface Contents {
  readonly pool: Pool;
  readonly texts: ReadonlyMap<DocId, string>;
}

const noCandidates: Candidates = { docs: [], scores: [], forced: [] };

function lineOf({ task, judged }: NanoSet, { pool, texts }: Contents, { id, text }: Query, index: number): OpenLine {
  const { docs, scores, forced } = pool.get(id) ?? noCandidates;
  const grades = judged.get(id) ?? new Map<DocId, number>();
  const [isForced, isCandidate] = [new Set(forced), new Set(docs)];
  const candidates = docs.map((doc, row) => ({
    rank: row + 1,
    id: doc,
    text: texts.get(doc) ?? '',
    score: finite(scores[row], `${task}, query ${printable(id)}, document ${printable(doc)}`),
    forced: isForced.has(doc),
    grade: grades.get(doc) ?? null,
  }));
  const others = [...grades].filter(([doc]) => !isCandidate.has(doc));
  return { index, task, query: id, text, candidates, otherJudged: others.map(([doc, grade]) => ({ id: doc, grade })) };
}

function add(counts: Counts, { candidates, otherJudged }: OpenLine): void {
  counts.queries++;
  counts.candidates += candidates.length;
  counts.forced += candidates.filter(({ forced }) => forced).length;
  counts.judgements += otherJudged.length + candidates.filter(({ grade }) => grade !== null).length;
}

function lineBytes(value: Json, where: string, most: number): Uint8Array {
  const bytes = Buffer.from(`${canonicalJson(value)}\n`);
  if (bytes.length <= most) return bytes;
  throw new TenbinError('refused', {
    what: `A line of a replay artifact would be longer than ${most} bytes, which no reader takes`,
    value: `${where}: ${bytes.length} bytes`,
    fix: 'Build the task with a smaller --pool-size.',
  });
}

function finite(score: number, where: string): number {
  if (Number.isFinite(score)) return score;
  throw new TenbinError('not-finite', {
    what: 'JSON has no number that is not finite',
    value: `${where}, score ${score}`,
    fix: 'Build the task again with another system for this pool.',
  });
}

function noPool({ task, pools }: NanoSet, pool: string): TenbinError {
  const there = [...pools.keys()].join(', ');
  return new TenbinError('refused', {
    what: 'This task has no such pool',
    value: `${task}, pool ${pool}`,
    fix: there === '' ? 'It has none.' : `It has ${there}.`,
  });
}
