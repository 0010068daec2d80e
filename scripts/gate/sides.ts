import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TenbinError } from '../../core/errors.js';
import type { Policy } from '../../results/gate/policy.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { pairSides } from '../../results/pair.js';
import type { Paired, Side } from '../../results/sides.js';
import type { Measure } from '../../results/types.js';
import { selectTasks } from '../../tasks/select.js';
import { taskGroups } from '../../tasks/specs/index.js';
import { note } from '../output.js';
import { fileSide } from '../sides/file-side.js';
import { readSlices } from '../sides/query-table.js';
import { rootSides } from '../sides/root-side.js';
import { isFolder, readStored, storedSide } from '../sides/stored.js';
import type { Places } from './locate.js';
import { querySlicers, refuseUnknownSlices } from './slices.js';
import { type Holder, type JudgedSystem, judgedSystems } from './systems.js';

export interface Reading {
  readonly policy: Policy;
  readonly places: Places;
  readonly out: string;
  readonly quiet?: boolean;
}

/** One system of a policy with both of its sides, as far as they have tasks in common. */
export interface JudgedPair {
  readonly system: JudgedSystem;
  readonly paired: Paired;
}

/** Reads both sides of every system of the policy. */
export async function gatePairs(reading: Reading): Promise<readonly JudgedPair[]> {
  const { policy, places } = reading;
  refuseUnknownSlices(policy);
  const holders = { baseline: await holderOf(places.baseline, 'baseline'), candidate: await candidateOf(places) };
  if (places.qrels !== null && holders.baseline.kind !== 'run' && holders.candidate.kind !== 'run' && !reading.quiet) {
    note(`qrels: ${places.qrels} judges nothing here, as no side is a run file`);
  }
  const named = places.slices === null ? new Map<string, readonly string[]>() : await readSlices(places.slices);
  const wanted = new Set(policy.checks.flatMap((check) => (check.kind === 'measure' ? [check.slice] : [])));
  const how = { measures: measuresOf(policy), named, reading };
  const systems = await judgedSystems(policy, holders);
  const base = await sidesOf(
    holders.baseline,
    systems.map(({ baseline }) => baseline),
    how,
  );
  const candidate = await sidesOf(
    holders.candidate,
    systems.map((each) => each.candidate),
    how,
  );
  return systems.map((system, i) => ({
    system,
    paired: pairSides(base[i], candidate[i], (slice) => wanted.has(slice)),
  }));
}

export async function candidateOf(places: Places): Promise<Holder> {
  return holderOf(places.candidate, 'candidate');
}

/** What a path names, by what is there. */
export async function holderOf(path: string, key: 'baseline' | 'candidate'): Promise<Holder> {
  if (await isFolder(path)) return (await isRun(path)) ? { kind: 'run', path } : { kind: 'root', path };
  const stored = await readStored(path);
  if (stored !== null) return stored;
  if (path === '-' || (await isThere(path))) return { kind: 'run', path };
  throw new TenbinError('missing', {
    what: `The ${key} is not there`,
    value: path,
    fix:
      key === 'baseline'
        ? 'Write the first one with `tenbin gate POLICY --accept --reason TEXT`, or correct the path.'
        : 'Run the systems first, or correct the path.',
  });
}

async function isRun(folder: string): Promise<boolean> {
  return isThere(join(folder, 'run.json'));
}

export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

export function measuresOf({ checks }: Policy): readonly Measure[] {
  const names = checks.flatMap((check) => (check.kind === 'measure' ? [check.measure] : []));
  return [...new Set(names)].map(parseMeasure);
}

export interface HowToRead {
  readonly measures: readonly Measure[];
  readonly named: ReadonlyMap<string, readonly string[]>;
  readonly reading: Reading;
}

/** Systems of one side, restricted to the policy's tasks; a run file is one whatever its name. */
export async function sidesOf(
  holder: Holder,
  systems: readonly (string | null)[],
  { measures, named, reading }: HowToRead,
): Promise<readonly Side[]> {
  const { policy, places, quiet } = reading;
  if (holder.kind === 'run') {
    if (places.qrels === null) throw noQrels(holder.path);
    const side = await fileSide({ run: holder.path, qrels: places.qrels, named }, measures, reading);
    return systems.map(() => side);
  }
  const ids = systems.filter((id) => id !== null);
  if (holder.kind !== 'root') return ids.map((id) => selected(storedSide(holder, id, measures), policy.tasks));
  const runs = { root: holder.path, systems: ids, tasks: policy.tasks, by: querySlicers(policy), named };
  return rootSides(runs, measures, quiet);
}

/** The tasks of a file that the policy's selectors name. */
function selected(side: Side, selectors: readonly string[]): Side {
  if (selectors.length === 0) return side;
  const facts = side.tasks.map((task) => ({
    task,
    id: task.id,
    suite: sliceValue(task.slices, 'suite'),
    language: sliceValue(task.slices, 'language'),
    domain: sliceValue(task.slices, 'domain'),
  }));
  return { ...side, tasks: selectTasks(selectors, facts, taskGroups).map(({ task }) => task) };
}

function sliceValue(slices: readonly string[], key: string): string {
  return slices.find((slice) => slice.startsWith(`${key}:`))?.slice(key.length + 1) ?? '';
}

function noQrels(path: string): TenbinError {
  return new TenbinError('usage', {
    what: 'A run file is judged by qrels, and the policy names none',
    value: path,
    fix: 'Add the key `qrels`; a folder `out/`, a board or a baseline needs none.',
  });
}
