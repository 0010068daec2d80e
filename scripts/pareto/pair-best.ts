import { reasonOf, TenbinError } from '../../core/errors.js';
import { taskId } from '../../core/ids.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { pairSides } from '../../results/pair.js';
import type { Advised } from '../../results/pareto/advise.js';
import { type Difference, differenceOf } from '../../results/pareto/difference.js';
import type { Paired, Side } from '../../results/sides.js';
import type { Measure } from '../../results/types.js';
import { runPath } from '../../runners/store.js';
import { note } from '../output.js';
import { runFolderOf } from '../read-input.js';
import { rootSides } from '../sides/root-side.js';
import { storedSide } from '../sides/stored.js';
import type { BoardFile } from './board-file.js';

interface Two {
  readonly best: Advised;
  readonly runnerUp: Advised;
  readonly measure: string;
}

interface Reading {
  readonly out: string;
  readonly quiet?: boolean;
}

/** The difference of two systems of a board, query by query where the runs it was made of lie below the root, else task by task. */
export async function differenceOnBoard(file: BoardFile, two: Two, reading: Reading): Promise<Difference | null> {
  const measure = parseMeasure(two.measure);
  const paired = (await pairedRuns(file, two, { ...reading, measure })) ?? pairedMeans(file, two, measure);
  const suites = new Map(file.board.tasks.map(({ id, suite }) => [id, suite]));
  const { interval } = file.board;
  return differenceOf({ paired, measure: measure.name, interval, suiteOf: (task) => suites.get(task) ?? task });
}

function pairedMeans({ stored }: BoardFile, { best, runnerUp }: Two, measure: Measure): Paired {
  return pairSides(storedSide(stored, runnerUp.system, [measure]), storedSide(stored, best.system, [measure]));
}

/** Null, and said why, where the runs are not those that the board was made of. */
async function pairedRuns(
  file: BoardFile,
  two: Two,
  { out, quiet, measure }: Reading & { readonly measure: Measure },
): Promise<Paired | null> {
  const { best, runnerUp } = two;
  const tasks = file.board.tasks.map(({ id }) => id);
  for (const system of [best.system, runnerUp.system]) {
    for (const task of tasks) if ((await runFolderOf(runPath(taskId(task), system), out)) === null) return null;
  }
  const say = (line: string) => quiet || note(`paired by task and not by query: ${line}`);
  try {
    const request = { root: out, systems: [runnerUp.system, best.system], tasks, by: [], named: new Map() };
    const [left, right] = await rootSides(request, [measure], quiet);
    const held =
      isOfBoard(left, file, { system: runnerUp.system, measure }) &&
      isOfBoard(right, file, { system: best.system, measure });
    if (held) return pairSides(left, right);
    say(`the runs in ${out} are not those of the board`);
    return null;
  } catch (error) {
    if (!(error instanceof TenbinError)) throw error;
    say(reasonOf(error));
    return null;
  }
}

/** Whether a side has every task of the board in the same build, with the same mean up to the order of additions. */
function isOfBoard(
  side: Side,
  { stored }: BoardFile,
  { system, measure }: { readonly system: string; readonly measure: Measure },
): boolean {
  const { name } = measure;
  const means = new Map(storedSide(stored, system, [measure]).tasks.map((task) => [task.id, task]));
  return (
    side.tasks.length === means.size &&
    side.tasks.every(({ id, digest, values }) => {
      const column = values.get(name)?.expected;
      const held = means.get(id);
      const mean = held?.values.get(name)?.expected[0];
      if (column === undefined || mean === undefined || held?.digest !== digest) return false;
      return Math.abs(column.reduce((sum, value) => sum + value, 0) / column.length - mean) <= 1e-9;
    })
  );
}
