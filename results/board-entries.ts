import type { Summaries } from './board-aggregate.js';
import { boardCost } from './board-cost.js';
import { importedEstimates, originOfMeans, originOfRuns } from './board-imported.js';
import type { Estimates, TasksById } from './board-means.js';
import type { BoardInput, BoardSystem, ImportedSystem, SystemResults } from './board-types.js';

/** A system before it is ranked. */
export interface Entry {
  readonly facts: Pick<BoardSystem, 'id' | 'family' | 'imported' | 'missing' | 'safeguarded' | 'cost'>;
  /** The tasks that it has results on. */
  readonly tasks: readonly string[];
  /** By measure. */
  readonly estimates: ReadonlyMap<string, Estimates>;
  /** Of the primary measure; null where it is undefined. */
  readonly micro: number | null;
  readonly macro: number | null;
  /** The bootstrap distribution behind `micro`; null where there is none, and the system is not ranked. */
  readonly draws: Float64Array | null;
}

export function entriesOf({ tasks, systems, primary }: BoardInput, summaries: Summaries): readonly Entry[] {
  return systems.map((system) => {
    const estimates = summaries.get(system.id) ?? new Map();
    return {
      facts: {
        ...head(system, originOfRuns(system)),
        missing: missingOf(tasks, (id) => system.tasks.has(id)),
        safeguarded: [...system.tasks.values()].some((task) => task.safeguarded === true),
        cost: boardCost(system.tasks),
      },
      tasks: [...system.tasks.keys()],
      estimates,
      ...primaryMeans(estimates.get(primary)),
      draws: estimates.get(primary)?.microDraws ?? null,
    };
  });
}

export function importedEntries(input: BoardInput, tasks: TasksById): readonly Entry[] {
  const { imported = [], measures, primary } = input;
  return imported.map((system) => {
    const estimates = importedEstimates(system, tasks, measures);
    return {
      facts: {
        ...head(system, originOfMeans(system)),
        missing: missingOf(input.tasks, (id) => system.tasks.get(id)?.values.has(primary) === true),
        safeguarded: false,
        cost: boardCost(new Map()),
      },
      tasks: [...system.tasks.keys()],
      estimates,
      ...primaryMeans(estimates.get(primary)),
      draws: null,
    };
  });
}

function head({ id, family }: SystemResults | ImportedSystem, imported: BoardSystem['imported']) {
  return { id, family, ...(imported && { imported }) };
}

function missingOf(tasks: BoardInput['tasks'], has: (id: string) => boolean): readonly string[] {
  return tasks.map(({ id }) => id).filter((id) => !has(id));
}

function primaryMeans(estimates: Estimates | undefined): Pick<Entry, 'micro' | 'macro'> {
  return { micro: estimates?.micro.value ?? null, macro: estimates?.macro.value ?? null };
}
