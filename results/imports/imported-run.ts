import type { Json } from '../../core/canonical.js';
import { digestOf } from '../../core/digest.js';
import { printable, TenbinError } from '../../core/errors.js';
import type { QueryId } from '../../core/ids.js';
import type { FamilyName } from '../../runners/system.js';
import type { Run } from '../../runners/types.js';
import type { NanoSet, Ranking } from '../../tasks/types.js';
import type { Imported } from './imported.js';
import type { ForeignRun } from './types.js';

export interface RunImport {
  readonly nano: Pick<NanoSet, 'task' | 'docs' | 'queries' | 'manifest'>;
  readonly system: string;
  readonly family: FamilyName;
  readonly origin: Imported['origin'];
  readonly run: Pick<ForeignRun, 'rankings' | 'scores'>;
  /** Documents that the system was asked for; the longest list where nothing is said. */
  readonly depth: number | null;
}

export interface ImportedRun {
  readonly run: Run;
  readonly notes: readonly string[];
}

/**
 * A run of another program as a run of ours, marked by `conditions.imported`. Costs and times are not known: they stand as 0
 * since a record has numbers there, and `conditions.imported` says that they mean nothing. Throws `refused` for documents
 * that the task does not have: their places in a list would shift all measures.
 */
export function importedRun({ nano, system, family, origin, run, depth }: RunImport): ImportedRun {
  const known = new Set<QueryId>(nano.queries.map(({ id }) => id));
  const rankings = new Map([...run.rankings].filter(([query]) => known.has(query)).map(bestFirst));
  if (rankings.size === 0) throw noQuery(origin.file, nano.task);
  refuseUnknownDocs(nano, rankings, origin.file);
  const imported = { ...origin, scores: run.scores === 'ranks' ? 'minus the rank; ties unseen' : 'as given' };
  const longest = Math.max(0, ...[...rankings.values()].map(({ docs }) => docs.length));
  const { digest: nanoDigest } = nano.manifest;
  return {
    run: {
      task: { id: nano.task, digest: nanoDigest },
      system,
      family,
      digest: digestOf({ schema: 'tenbin/run@1', imported, nano: nanoDigest, system, depth: depth ?? longest }),
      rankings,
      cost: { bytesPerDoc: 0, indexBytes: 0, modelBytes: 0, work: {} },
      conditions: { imported: imported satisfies Json, depth: depth ?? longest },
      timing: { prepareMs: 0, queryMs: { p50: 0, p95: 0, mean: 0 } },
    },
    notes: [
      ...missingNote(nano, rankings),
      ...(rankings.size < run.rankings.size
        ? [`${run.rankings.size - rankings.size} queries are not in the task and were left out`]
        : []),
      ...(run.scores === 'ranks' ? ['the file has no scores: they are minus the rank, and ties are unseen'] : []),
    ],
  };
}

/** Runs stand best first; equal scores keep the order of the file. */
function bestFirst([query, { docs, scores }]: readonly [QueryId, Ranking]): [QueryId, Ranking] {
  const order = docs
    .map((_, i) => i)
    .sort((a, b) => (scores[a] === scores[b] ? a - b : scores[a] > scores[b] ? -1 : 1));
  return [query, { docs: order.map((i) => docs[i]), scores: order.map((i) => scores[i]) }];
}

const shown = 5;

function refuseUnknownDocs(nano: RunImport['nano'], rankings: ReadonlyMap<QueryId, Ranking>, file: string): void {
  const docs = new Set(nano.docs.map(({ id }) => id));
  const unknown = new Set([...rankings.values()].flatMap((list) => list.docs.filter((doc) => !docs.has(doc))));
  if (unknown.size === 0) return;
  const names = [...unknown].slice(0, shown).map((id) => `\`${printable(id)}\``);
  throw new TenbinError('refused', {
    what: `The run has ${unknown.size} documents that the task ${nano.task} does not have`,
    value: `${file}: ${names.join(', ')}${unknown.size > shown ? ', …' : ''}`,
    fix: "Run the system on this task's own corpus: a list over other documents is another problem.",
  });
}

function missingNote({ queries }: RunImport['nano'], rankings: ReadonlyMap<QueryId, Ranking>): string[] {
  const missing = queries.filter(({ id }) => !rankings.has(id)).map(({ id }) => printable(id));
  if (missing.length === 0) return [];
  const names = `${missing.slice(0, shown).join(', ')}${missing.length > shown ? ', …' : ''}`;
  return [`${missing.length} of ${queries.length} queries are missing and count with 0: ${names}`];
}

function noQuery(file: string, task: string): TenbinError {
  return new TenbinError('refused', {
    what: `The run has no query of the task ${task}`,
    value: file,
    fix: 'Check --task: the ids of the queries must be those of the nano-set.',
  });
}
