import { groupBy } from '../core/group.js';
import { type Estimates, estimatesOf, type Point, type TasksById } from './board-means.js';
import type { BoardInput, QueryValues } from './board-types.js';
import { type Interval, percentileInterval } from './stats/bootstrap.js';
import { type DrawLevel, hierarchicalBootstrap, type MeanDraws } from './stats/hierarchical.js';

export interface Summary extends Estimates {
  /** The bootstrap distribution of the micro mean: paired between systems that have the same tasks. */
  readonly microDraws: Float64Array;
}

/** One system under one measure. */
interface Draft {
  readonly system: string;
  readonly measure: string;
  /** Of the tasks that it has, in the order of the board's. */
  readonly values: ReadonlyMap<string, QueryValues>;
}

/** The distributions of a draft's means, those that are too many to keep as intervals. */
interface Drawn extends MeanDraws {
  readonly suites: Map<string, Interval>;
  readonly tasks: Map<string, Interval>;
}

/** By system and measure; a measure that no run of the system has is not there. */
export type Summaries = ReadonlyMap<string, ReadonlyMap<string, Summary>>;

/** `tasks` are those of `tasksById`: they are resampled and added in that order, whatever order they came in. */
export function summarize(input: BoardInput, tasks: TasksById, level: DrawLevel): Summaries {
  const summaries = new Map(input.systems.map(({ id }) => [id, new Map<string, Summary>()]));
  // What has the same tasks sees the same draws: they are made once for all of it.
  const alike = groupBy(draftsOf(input, tasks), ({ values }) => JSON.stringify([...values.keys()]));
  for (const drafts of alike.values()) {
    const drawn = drawsOf(drafts, tasks, { ...input, level });
    drafts.forEach((draft, i) => {
      summaries.get(draft.system)?.set(draft.measure, summaryOf(draft, tasks, drawn[i]));
    });
  }
  return summaries;
}

function draftsOf({ systems, measures }: BoardInput, tasks: TasksById): readonly Draft[] {
  return systems.flatMap((system) =>
    measures.flatMap((measure) => {
      const values = [...tasks.keys()].flatMap((id): [string, QueryValues][] => {
        const found = system.tasks.get(id)?.values.get(measure);
        return found === undefined ? [] : [[id, found]];
      });
      return values.length === 0 ? [] : [{ system: system.id, measure, values: new Map(values) }];
    }),
  );
}

interface Plan {
  readonly seed: number;
  readonly resamples: number;
  readonly level: DrawLevel;
}

function drawsOf(drafts: readonly Draft[], tasks: TasksById, { seed, resamples, level }: Plan): readonly Drawn[] {
  const series = [...drafts[0].values.keys()].map((id) => ({
    id,
    suite: tasks.get(id)?.suite ?? '',
    values: drafts.map(({ values }) => values.get(id)?.expected ?? new Float64Array()),
  }));
  const kept = drafts.map(() => ({ suites: new Map<string, Interval>(), tasks: new Map<string, Interval>() }));
  const keep = (kind: 'suites' | 'tasks') => (name: string, draws: readonly Float64Array[]) => {
    draws.forEach((each, i) => {
      kept[i][kind].set(name, percentileInterval(each));
    });
  };
  const visitor = { onTask: keep('tasks'), onSuite: keep('suites') };
  const means = hierarchicalBootstrap(series, { seed, level }, { from: 0, count: resamples }, visitor);
  return means.map((draws, i) => ({ ...draws, ...kept[i] }));
}

function summaryOf({ values }: Draft, tasks: TasksById, drawn: Drawn): Summary {
  const points = new Map([...values].map(([id, series]) => [id, pointOf(series)]));
  const estimates = estimatesOf(points, tasks, {
    ...drawn,
    micro: percentileInterval(drawn.micro),
    macro: percentileInterval(drawn.macro),
    queries: (id) => tasks.get(id)?.queries ?? null,
  });
  return { ...estimates, microDraws: drawn.micro };
}

function pointOf({ expected, min, max }: QueryValues): Point {
  return { value: meanOver(expected), min: meanOver(min), max: meanOver(max) };
}

function meanOver(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
