import { join } from 'node:path';
import { groupBy } from '../../core/group.js';
import { type QueryId, taskId } from '../../core/ids.js';
import { boardCost } from '../../results/board-cost.js';
import { flatCosts, taskSlices } from '../../results/board-side.js';
import { deepestCutoff } from '../../results/cutoff.js';
import type { Side, SideTask } from '../../results/sides.js';
import { type Slicer, slicerFor } from '../../results/slices.js';
import { taskResults } from '../../results/task-results.js';
import type { Measure } from '../../results/types.js';
import { readRun, runPath } from '../../runners/store.js';
import type { Run } from '../../runners/types.js';
import { readNanoSet } from '../../tasks/store.js';
import type { Manifest, NanoSet } from '../../tasks/types.js';
import { selectBuilt } from '../catalog.js';
import { note } from '../output.js';

export interface SystemRuns {
  /** An `out/` folder. */
  readonly root: string;
  /** Canonical ids. */
  readonly systems: readonly string[];
  /** Selectors; none means every built task. */
  readonly tasks: readonly string[];
  /** Names of slices that hang on the query: `query-length`, `meta.FIELD`. */
  readonly by: readonly string[];
  /** Slices of the user's, by query. */
  readonly named: ReadonlyMap<string, readonly string[]>;
}

/**
 * Systems on every built task of which they have a complete run, in the order of the systems; what is left out is said,
 * with its reason. A task is read once for all of them.
 */
export async function rootSides(
  runs: SystemRuns,
  measures: readonly Measure[],
  quiet?: boolean,
): Promise<readonly Side[]> {
  const slicers = runs.by.map(slicerFor);
  const { built, unbuilt } = await selectBuilt(runs.root, runs.tasks);
  const say = (line: string) => quiet || note(`left out  ${line}`);
  for (const { id, reason } of unbuilt) if (runs.tasks.length > 0) say(`${id}: ${reason}`);
  const sides = runs.systems.map((system) => ({ system, tasks: [] as SideTask[] }));
  for (const manifest of built) {
    const id = taskId(`${manifest.suite}/${manifest.task}`);
    const read = once(() => readNanoSet(runs.root, id));
    for (const { system, tasks } of sides) {
      const run = await readRun(join(runs.root, runPath(id, system)));
      const why = whyNot(run, manifest, measures);
      if (run === null || why !== null) say(`${id}: ${system} has ${why}`);
      else tasks.push(sideTask({ nano: await read(), run, slicers }, runs, measures));
    }
  }
  return sides.map(({ system, tasks }) => ({
    label: `${system} in ${runs.root}`,
    unit: 'query',
    decimals: null,
    tasks,
  }));
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

function whyNot(run: Run | null, manifest: Manifest, measures: readonly Measure[]): string | null {
  if (run === null) return 'no complete run';
  if (run.task.digest !== manifest.digest) return 'a run of another build of it: run it again';
  const { depth } = run.conditions;
  const cutoff = Math.min(deepestCutoff(measures.map(({ name }) => name)), manifest.counts.kept.docs);
  if (typeof depth !== 'number' || depth >= cutoff) return null;
  return `a run that is ${depth} documents deep, less than the cut-off of ${cutoff}: run it again with --depth ${cutoff}`;
}

interface OnTask {
  readonly nano: NanoSet;
  readonly run: Run;
  readonly slicers: readonly Slicer[];
}

function sideTask({ nano, run, slicers }: OnTask, { named }: SystemRuns, measures: readonly Measure[]): SideTask {
  const { task: id, manifest, judged, queries } = nano;
  const results = taskResults(run, { judged, manifest }, measures);
  const { suite, language, domain } = manifest;
  const facts = { id, suite, language, domain };
  const slicesOf = slicing(nano, slicers);
  const texts = new Map<string, string>(queries.map(({ id: query, text }) => [query, text]));
  return {
    id,
    slices: taskSlices(facts),
    digest: manifest.digest,
    queries: [...judged.keys()].map((query) => ({
      id: query,
      text: texts.get(query) ?? null,
      slices: [...slicesOf(query, facts), ...(named.get(query) ?? [])],
    })),
    values: results.values,
    costs: new Map(flatCosts(boardCost(new Map([[id, results]])))),
  };
}

type TaskFacts = Parameters<typeof taskSlices>[0];

/** The slices of a query by its text, its judgements and its meta. */
function slicing({ queries, docs, judged }: NanoSet, slicers: readonly Slicer[]) {
  if (slicers.length === 0) return () => [];
  const known = new Map([...groupBy(queries, ({ id }) => id)].map(([id, [query]]) => [id, query]));
  const lengths = new Map(docs.map(({ id, text }) => [id, text.length]));
  return (id: QueryId, task: TaskFacts): readonly string[] => {
    const positives = [...(judged.get(id) ?? [])].filter(([doc, grade]) => grade > 0 && lengths.has(doc));
    const facts = {
      ...task,
      task: task.id,
      text: known.get(id)?.text ?? '',
      meta: known.get(id)?.meta ?? {},
      positiveLengths: positives.map(([doc]) => lengths.get(doc) ?? 0),
    };
    return slicers.map((slicer) => slicer(facts)).filter((slice) => slice !== null);
  };
}
