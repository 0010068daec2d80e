import { join } from 'node:path';
import { reasonOf } from '../core/errors.js';
import { type TaskId, taskId } from '../core/ids.js';
import { candidatesAt } from '../results/candidates/cut.js';
import { type CandidateReport, candidateReport, type PoolReport, poolReport } from '../results/candidates.js';
import type { Measure } from '../results/types.js';
import { parseSystem, type System } from '../runners/grammar.js';
import type { ModelCatalog } from '../runners/models/catalog.js';
import { listRuns, readRecord, readRun, runPath } from '../runners/store.js';
import type { Run } from '../runners/types.js';
import { readNanoSet } from '../tasks/store.js';
import type { Candidates, Manifest, NanoSet, Pool } from '../tasks/types.js';

export interface CandidateRequest {
  readonly root: string;
  readonly pool: string;
  /** Canonical ids of pipelines; null for every one that has a run. */
  readonly systems: readonly string[] | null;
  readonly measures: readonly Measure[];
  readonly catalog: ModelCatalog;
}

/** A pipeline's run on one task, held to the candidates that its first stage gave. */
export type SystemReport = CandidateReport & {
  readonly system: string;
  readonly first: string;
  /** Candidates that the second stage asks for; ties and the safeguard's rows come on top. */
  readonly depth: number;
};

export interface CandidateTask {
  readonly task: string;
  /** Null where the task has no such pool. */
  readonly pool: PoolReport | null;
  readonly systems: readonly SystemReport[];
  /** Runs that could not be looked at, and why. */
  readonly leftOut: readonly LeftOut[];
}

interface LeftOut {
  readonly text: string;
  /** Damaged or of no use as it stands, as against merely not there. */
  readonly isProblem: boolean;
}

type Pipeline = Extract<System, { readonly kind: 'pipeline' }>;

/** The pool of one task, and every pipeline over it or over another first stage. */
export async function candidateTask(request: CandidateRequest, { suite, task }: Manifest): Promise<CandidateTask> {
  const id = taskId(`${suite}/${task}`);
  const nano = await readNanoSet(request.root, id);
  const pool = nano.pools.get(request.pool);
  const leftOut: LeftOut[] = [];
  const systems: SystemReport[] = [];
  for (const folder of await foldersOf(request, id)) {
    const found = await systemReport(request, nano, folder).catch(problem);
    if (found === null) continue;
    if ('isProblem' in found) leftOut.push({ ...found, text: `${id}  ${found.text}` });
    else systems.push(found);
  }
  if (pool === undefined) leftOut.push({ text: `${id}: ${noPool(nano, request.pool)}`, isProblem: true });
  return { task: id, pool: pool === undefined ? null : poolReport(nano.judged, pool), systems, leftOut };
}

async function foldersOf({ root, systems }: CandidateRequest, task: TaskId): Promise<readonly string[]> {
  return systems === null ? listRuns(root, task) : systems.map((system) => runPath(task, system));
}

/** Null for a run of something else than a pipeline. */
async function systemReport(
  { root, catalog, systems, measures }: CandidateRequest,
  nano: NanoSet,
  folder: string,
): Promise<SystemReport | LeftOut | null> {
  const record = await readRecord(join(root, folder));
  if (record === null) return systems === null ? null : { text: `${folder}: there is no run`, isProblem: false };
  const pipeline = record.system.includes(' > ') ? parseSystem(record.system, catalog) : null;
  if (pipeline?.kind !== 'pipeline') return null;
  const { id: system, first, depth } = pipeline;
  if (record.status === 'failed') return { text: `${system}: the run failed: ${record.error}`, isProblem: true };
  const run = await readRun(join(root, folder));
  if (run === null || run.task.digest !== nano.manifest.digest) return otherBuild(system);
  const candidates = await candidatesOf(root, nano, pipeline);
  if ('isProblem' in candidates) return candidates;
  const { pool } = candidates;
  const asked = { judged: nano.judged, pool, reranked: run.rankings, depth: depthOf(run), measures };
  return { system, first: first.id, depth, ...candidateReport({ ...asked, run: `${system}, ${nano.task}` }) };
}

/** What the second stage was given: rows of a frozen pool, or the beginning of the first stage's own run. */
async function candidatesOf(
  root: string,
  nano: NanoSet,
  { id, first, depth }: Pipeline,
): Promise<{ readonly pool: Pool } | LeftOut> {
  if (first.kind === 'pool') {
    const pool = nano.pools.get(first.pool);
    if (pool === undefined) return { text: `${id}: ${noPool(nano, first.pool)}`, isProblem: true };
    return { pool: cut(pool, (row) => candidatesAt(row, depth, first.forced)) };
  }
  const run = await readRun(join(root, runPath(nano.task, first.id)));
  if (run === null) return { text: `${id}: its first stage has no run: \`tenbin run\` makes one`, isProblem: false };
  if (run.task.digest !== nano.manifest.digest) return otherBuild(first.id);
  const stored = depthOf(run) ?? nano.docs.length;
  if (stored < Math.min(depth, nano.docs.length)) {
    return { text: `${id}: the run of its first stage is ${stored} deep: use --depth ${depth}`, isProblem: false };
  }
  const lists = new Map([...run.rankings].map(([query, row]) => [query, { ...row, forced: [] }] as const));
  return { pool: cut(lists, (row) => candidatesAt(row, depth, 'with')) };
}

function cut(pool: Pool, each: (row: Candidates) => Candidates): Pool {
  return new Map([...pool].map(([query, row]) => [query, each(row)] as const));
}

/** Documents that a run was asked for; null where its record does not say. */
function depthOf({ conditions }: Run): number | null {
  return typeof conditions.depth === 'number' ? conditions.depth : null;
}

function problem(error: unknown): LeftOut {
  return { text: reasonOf(error), isProblem: true };
}

function otherBuild(system: string): LeftOut {
  return { text: `${system}: the run was made on another build of this task: run it again`, isProblem: true };
}

function noPool({ pools }: NanoSet, name: string): string {
  const there = [...pools.keys()].join(', ');
  return `it has no pool \`${name}\`${there === '' ? '' : `, only ${there}`}`;
}
