import { groupBy } from '../core/group.js';
import { byCodePoint } from '../core/order.js';
import type { BoardTask, Estimate } from './board-types.js';
import type { Interval } from './stats/bootstrap.js';

/** The tasks that means are over, by id. */
export type TasksById = ReadonlyMap<string, BoardTask>;

/** The mean over the queries of a task, or over such means, and its bounds over ties. */
export type Point = { readonly value: number; readonly min: number; readonly max: number };

/** What is known of one system under one measure. */
export interface Estimates {
  readonly micro: Estimate;
  readonly macro: Estimate;
  readonly suites: ReadonlyMap<string, Estimate>;
  readonly tasks: ReadonlyMap<string, Estimate>;
}

/** What stands beside the means; what is not there is undefined. */
export interface Beside {
  readonly micro?: Interval;
  readonly macro?: Interval;
  readonly suites: ReadonlyMap<string, Interval>;
  readonly tasks: ReadonlyMap<string, Interval>;
  /** Over how many queries the mean of a task is. */
  readonly queries: (task: string) => number | null;
}

export const undefinedEstimate: Estimate = { value: null, low: null, high: null, min: null, max: null, n: 0 };

/** In one order whatever order they came in: suite after suite. A task without queries has no mean. */
export function tasksById(tasks: readonly BoardTask[]): TasksById {
  const sorted = tasks
    .filter(({ queries }) => queries > 0)
    .sort((a, b) => byCodePoint(a.suite, b.suite) || byCodePoint(a.id, b.id));
  return new Map(sorted.map((task) => [task.id, task]));
}

/** Micro, macro and suite means of the tasks that are there, at least one, in the order of `tasksById`. */
export function estimatesOf(points: ReadonlyMap<string, Point>, tasks: TasksById, beside: Beside): Estimates {
  const bySuite = groupBy(points, ([id]) => tasks.get(id)?.suite ?? '');
  const means = new Map([...bySuite].map(([suite, members]) => [suite, meanPoint(members.map(([, point]) => point))]));
  const ofSuites = [...bySuite].map(
    ([suite, { length }]) => [suite, estimate(means.get(suite), beside.suites.get(suite), length)] as const,
  );
  const ofTasks = [...points].map(
    ([id, point]) => [id, estimate(point, beside.tasks.get(id), beside.queries(id))] as const,
  );
  return {
    micro: estimate(meanPoint([...points.values()]), beside.micro, points.size),
    macro: estimate(meanPoint([...means.values()]), beside.macro, means.size),
    suites: new Map(ofSuites),
    tasks: new Map(ofTasks),
  };
}

/** Bounds over ties come from rankings, as intervals do: where there are none, both are undefined. */
function estimate(point: Point | undefined, interval: Interval | undefined, n: number | null): Estimate {
  if (point === undefined) return undefinedEstimate;
  const { value, min, max } = point;
  if (interval === undefined) return { ...undefinedEstimate, value, n };
  return { value, low: interval.low, high: interval.high, min, max, n };
}

function meanPoint(points: readonly Point[]): Point {
  const over = (part: keyof Point) => points.reduce((sum, point) => sum + point[part], 0) / points.length;
  return { value: over('value'), min: over('min'), max: over('max') };
}
