import { join } from 'node:path';
import { TenbinError } from '../core/errors.js';
import { type QueryId, type TaskId, taskId } from '../core/ids.js';
import type { ComparedQuery, CompareRequest } from '../results/compare.js';
import { scoreRun } from '../results/score.js';
import { type SliceFacts, type Slicer, slicerFor } from '../results/slices.js';
import type { Measure, TieColumns } from '../results/types.js';
import { readRun, runPath } from '../runners/store.js';
import { readNanoSet } from '../tasks/store.js';
import type { Manifest, NanoSet } from '../tasks/types.js';
import { selectBuilt } from './catalog.js';
import { readSlices } from './compared-files.js';
import { note } from './output.js';

type Sides = Omit<CompareRequest, 'options'>;

interface Systems {
  /** Canonical ids. */
  readonly base: string;
  readonly candidate: string;
  readonly tasks: readonly string[];
  readonly by: readonly string[];
  readonly slices?: string;
}

/** Two systems on every built task of which both have a run; queries of all tasks together. */
export async function comparedSystems(
  systems: Systems,
  measures: readonly Measure[],
  { out: root, quiet }: { readonly out: string; readonly quiet?: boolean },
): Promise<Sides> {
  const slicers = systems.by.map(slicerFor);
  const named = systems.slices === undefined ? null : await readSlices(systems.slices);
  const { built, unbuilt } = await selectBuilt(root, systems.tasks);
  const say = (line: string) => quiet || note(`left out  ${line}`);
  for (const { id, reason } of unbuilt) if (systems.tasks.length > 0) say(`${id}: ${reason}`);
  const parts: Sides[] = [];
  for (const manifest of built) {
    const id = taskId(`${manifest.suite}/${manifest.task}`);
    const part = await onTask(root, id, systems, measures);
    if (typeof part === 'string') say(`${id}: ${part}`);
    else
      parts.push({
        ...part.sides,
        queries: part.sides.queries.map((query) => sliced(query, part.nano, { manifest, slicers, named })),
      });
  }
  if (parts.length === 0) throw nothingInCommon(systems);
  return joined(parts);
}

async function onTask(root: string, id: TaskId, { base, candidate }: Systems, measures: readonly Measure[]) {
  const [a, b] = [await readRun(join(root, runPath(id, base))), await readRun(join(root, runPath(id, candidate)))];
  if (a === null || b === null) return `there is no complete run of ${a === null ? base : candidate}`;
  const nano = await readNanoSet(root, id);
  if (a.task.digest !== nano.manifest.digest || b.task.digest !== nano.manifest.digest) {
    return 'a run is of another build of it; run it again';
  }
  const score = (rankings: typeof a.rankings) => scoreRun({ rankings, judged: nano.judged, measures, run: id });
  const [ofBase, ofCandidate] = [score(a.rankings), score(b.rankings)];
  const texts = new Map(nano.queries.map(({ id: query, text }) => [query as string, text]));
  const queries = ofBase.queries.map(
    (query): ComparedQuery => ({ id: query, text: texts.get(query) ?? null, task: id, slices: [] }),
  );
  return { nano, sides: { queries, base: ofBase.values, candidate: ofCandidate.values } };
}

interface Slicing {
  readonly manifest: Manifest;
  readonly slicers: readonly Slicer[];
  readonly named: ReadonlyMap<string, readonly string[]> | null;
}

function sliced(query: ComparedQuery, nano: NanoSet, { manifest, slicers, named }: Slicing): ComparedQuery {
  const facts = factsOf(query, nano, manifest);
  const slices = slicers.map((slicer) => slicer(facts)).filter((slice) => slice !== null);
  return { ...query, slices: [...slices, ...(named?.get(query.id) ?? [])] };
}

function factsOf({ id, text }: ComparedQuery, { queries, docs, judged }: NanoSet, manifest: Manifest): SliceFacts {
  const { suite, task, language, domain } = manifest;
  const grades = judged.get(id as QueryId);
  const positiveLengths = docs.filter((doc) => (grades?.get(doc.id) ?? 0) > 0).map((doc) => doc.text.length);
  const meta = queries.find((query) => query.id === id)?.meta ?? {};
  return { suite, task: `${suite}/${task}`, language, domain, text: text ?? '', meta, positiveLengths };
}

/** Queries of several tasks one after the other. */
function joined(parts: readonly Sides[]): Sides {
  const side = (of: 'base' | 'candidate') => {
    const names = [...parts[0][of].keys()];
    return new Map(names.map((name) => [name, columnsOf(parts.map((part) => part[of].get(name) as TieColumns))]));
  };
  return { queries: parts.flatMap(({ queries }) => queries), base: side('base'), candidate: side('candidate') };
}

function columnsOf(columns: readonly TieColumns[]): TieColumns {
  const together = (key: keyof TieColumns) => Float64Array.from(columns.flatMap((column) => [...column[key]]));
  return { expected: together('expected'), min: together('min'), max: together('max') };
}

function nothingInCommon({ base, candidate }: Systems): TenbinError {
  return new TenbinError('missing', {
    what: 'There is no task on which both systems have a complete run',
    value: `${base} and ${candidate}`,
    fix: `Run them first: \`tenbin run --systems "${base}, ${candidate}" --tasks …\`.`,
  });
}
