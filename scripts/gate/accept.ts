import { basename, dirname, extname, join } from 'node:path';
import { sha256 } from '../../core/digest.js';
import { TenbinError } from '../../core/errors.js';
import { type Baseline, baselineOf, baselineSide } from '../../results/baseline.js';
import { baselineText } from '../../results/baseline-text.js';
import { parseMeasure } from '../../results/measures/parse.js';
import type { Side } from '../../results/sides.js';
import type { Measure } from '../../results/types.js';
import { readIfThere, writeAtomic } from '../../tasks/files.js';
import { note } from '../output.js';
import { readSlices } from '../sides/query-table.js';
import { isFolder, readStored } from '../sides/stored.js';
import { candidateOf, isThere, measuresOf, type Reading, sidesOf } from './sides.js';
import { type Holder, type JudgedSystem, judgedSystems } from './systems.js';

export type Accepted = {
  readonly path: string;
  readonly digest: string;
  readonly reason: string;
  /** The digest of what it may take the place of; null where that was nothing or a folder. */
  readonly replaces: string | null;
  /** Tasks of the old baseline, per system, that the new one does not look at any more. */
  readonly lost: readonly { readonly system: string; readonly tasks: readonly string[] }[];
};

/**
 * Writes the candidate as a baseline: where the policy expects one if nothing is there, else beside the old one. Systems
 * of the old baseline that the policy does not name stand in it as they were, and its measures are kept up. A candidate
 * without tasks is `refused`: a baseline of it would let everything pass.
 */
export async function accept(reading: Reading, reason: string): Promise<Accepted> {
  const { policy, places, quiet } = reading;
  const old = await oldBaseline(places.baseline);
  const holder = await candidateOf(places);
  const named = places.slices === null ? new Map<string, readonly string[]>() : await readSlices(places.slices);
  const measures = [...new Set([...measuresOf(policy).map(({ name }) => name), ...(old?.measures ?? [])])].map(
    parseMeasure,
  );
  const sides = new Map<string, Side>();
  for (const { id } of old?.systems ?? []) if (old !== null) sides.set(id, baselineSide(old, id, places.baseline));
  const systems = await judgedSystems(policy, { baseline: holder, candidate: holder });
  const ids = systems.map(({ candidate }) => candidate);
  const read = await sidesOf(holder, ids, { measures, named, reading });
  ids.forEach((id, i) => {
    requireValues(read[i], measures);
    sides.set(id ?? nameOf(holder), read[i]);
  });
  const isFirst = !(await isThere(places.baseline));
  const replaces = old?.digest ?? (await digestOfFile(places.baseline));
  const baseline = baselineOf(sides, { reason, replaces });
  const lost = old === null ? [] : losses(old, baseline);
  // Said even where notes are unwanted: less is guarded from now on.
  for (const { system, tasks } of lost) note(`${system}: the new baseline lacks ${tasks.join(', ')}`);
  if (!quiet) for (const line of renamed(systems)) note(line);
  const path = isFirst ? places.baseline : besides(places.baseline, baseline.digest);
  await writeAtomic(path, baselineText(baseline));
  return { path, digest: baseline.digest, reason, replaces, lost };
}

function requireValues({ label, tasks }: Side, measures: readonly Measure[]): void {
  const absent = measures.filter(({ name }) => !tasks.every(({ values }) => values.has(name)));
  if (tasks.length > 0 && absent.length === 0) return;
  throw new TenbinError('refused', {
    what:
      tasks.length === 0
        ? 'The candidate has no task, and a baseline of nothing would let everything pass'
        : `The candidate lacks ${absent.map(({ name }) => name).join(', ')} on a task`,
    value: label,
    fix: 'Run its systems first (`tenbin run`), or correct the policy’s candidate and tasks.',
  });
}

/** A policy may hold one system against another: what is accepted stands under its own name. */
function renamed(systems: readonly JudgedSystem[]): readonly string[] {
  return systems.flatMap(({ baseline, candidate }) =>
    baseline === null || candidate === null || baseline === candidate
      ? []
      : [`The new baseline holds ${candidate}: let the key \`system.baseline\` name it instead of ${baseline}.`],
  );
}

async function oldBaseline(path: string): Promise<Baseline | null> {
  const stored = await readStored(path);
  return stored?.kind === 'baseline' ? stored.baseline : null;
}

/** Of a board or a run file that was the baseline so far; a folder has none. */
async function digestOfFile(path: string): Promise<string | null> {
  const bytes = (await isFolder(path)) ? null : await readIfThere(path);
  return bytes === null ? null : sha256(bytes);
}

function besides(path: string, digest: string): string {
  // What was accepted before has a digest in its name already.
  const name = basename(path, extname(path)).replace(/\.[0-9a-f]{12}$/, '');
  return join(dirname(path), `${name}.${digest.slice(0, 12)}.json`);
}

/** A run file is a system without a name of its own. */
function nameOf({ path }: Holder): string {
  return basename(path, extname(path));
}

function losses(old: Baseline, now: Baseline): Accepted['lost'] {
  return old.systems.flatMap(({ id, tasks }) => {
    const there = new Set(now.systems.find((system) => system.id === id)?.tasks.map((task) => task.id));
    const lost = tasks.filter((task) => !there.has(task.id)).map((task) => task.id);
    return lost.length === 0 ? [] : [{ system: id, tasks: lost }];
  });
}
