import { keyedHash } from '../core/keyed-hash.js';
import { byCodePoint } from '../core/order.js';
import type { BoardInput, BoardTask, Estimate, QueryValues } from './board-types.js';
import { bootstrapMeans, percentileInterval } from './stats/bootstrap.js';

/** What is known of one system under one measure. */
export interface Summary {
  readonly micro: Estimate;
  readonly macro: Estimate;
  readonly suites: ReadonlyMap<string, Estimate>;
  readonly tasks: ReadonlyMap<string, Estimate>;
  /** The bootstrap distribution of the micro mean: paired between systems that have the same tasks. */
  readonly microDraws: Float64Array;
}

/** A mean, its bounds over ties, and its bootstrap distribution. */
interface Mean {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly draws: Float64Array;
}

/** The means that a larger mean is made of, added up; it is filled while the tasks go by, so no task's draws are kept. */
interface Tally {
  count: number;
  value: number;
  min: number;
  max: number;
  readonly draws: Float64Array;
}

/** A summary in the making. */
interface Draft {
  readonly system: string;
  readonly measure: string;
  readonly micro: Tally;
  readonly macro: Tally;
  readonly suites: Map<string, Estimate>;
  readonly tasks: Map<string, Estimate>;
}

export const undefinedEstimate: Estimate = { value: null, low: null, high: null, min: null, max: null, n: 0 };

/** Summaries by system and measure. Tasks are resampled and added in one fixed order, whatever order they came in. */
export function summarize(input: BoardInput): ReadonlyMap<string, ReadonlyMap<string, Summary>> {
  const drafts = input.systems.flatMap(({ id }) =>
    input.measures.map((measure) => draft(id, measure, input.resamples)),
  );
  const suites = [...new Set(input.tasks.map(({ suite }) => suite))].sort(byCodePoint);
  for (const suite of suites) addSuite(input, suite, drafts);
  const bySystem = new Map(input.systems.map(({ id }) => [id, new Map<string, Summary>()]));
  for (const each of drafts) bySystem.get(each.system)?.set(each.measure, finish(each));
  return bySystem;
}

function addSuite(input: BoardInput, suite: string, drafts: readonly Draft[]): void {
  const tasks = input.tasks.filter((task) => task.suite === suite).sort((a, b) => byCodePoint(a.id, b.id));
  const tallies = new Map(drafts.map((each) => [each, tally(input.resamples)]));
  for (const task of tasks) {
    for (const [each, mean] of taskMeans(input, task, drafts)) {
      each.tasks.set(task.id, estimate(mean, task.queries));
      add(each.micro, mean);
      const ofSuite = tallies.get(each);
      if (ofSuite !== undefined) add(ofSuite, mean);
    }
  }
  for (const [each, ofSuite] of tallies) {
    if (ofSuite.count === 0) continue;
    const mean = meanOf(ofSuite);
    each.suites.set(suite, estimate(mean, ofSuite.count));
    add(each.macro, mean);
  }
}

/** The mean over a task's queries for every draft that has it, all resampled together. */
function taskMeans(input: BoardInput, task: BoardTask, drafts: readonly Draft[]): [Draft, Mean][] {
  const results = new Map(input.systems.map((system) => [system.id, system.tasks.get(task.id)]));
  const present = drafts.flatMap((each): { each: Draft; values: QueryValues }[] => {
    const values = results.get(each.system)?.values.get(each.measure);
    return values === undefined || task.queries === 0 ? [] : [{ each, values }];
  });
  const seed = keyedHash(`bootstrap ${input.seed}`, task.id);
  const plan = { resamples: input.resamples, seed };
  const draws = bootstrapMeans(
    present.map(({ values }) => values.expected),
    plan,
  );
  return present.map(({ each, values: { expected, min, max } }, i) => [
    each,
    { value: meanOver(expected), min: meanOver(min), max: meanOver(max), draws: draws[i] },
  ]);
}

function meanOver(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const tally = (resamples: number): Tally => ({
  count: 0,
  value: 0,
  min: 0,
  max: 0,
  draws: new Float64Array(resamples),
});

function draft(system: string, measure: string, resamples: number): Draft {
  const tallies = { micro: tally(resamples), macro: tally(resamples) };
  return { system, measure, ...tallies, suites: new Map(), tasks: new Map() };
}

function add(to: Tally, mean: Mean): void {
  to.count++;
  to.value += mean.value;
  to.min += mean.min;
  to.max += mean.max;
  for (let i = 0; i < to.draws.length; i++) to.draws[i] += mean.draws[i];
}

function meanOf({ count, value, min, max, draws }: Tally): Mean {
  return { value: value / count, min: min / count, max: max / count, draws: draws.map((sum) => sum / count) };
}

function estimate({ value, min, max, draws }: Mean, n: number): Estimate {
  return { value, ...percentileInterval(draws), min, max, n };
}

function finish({ micro, macro, suites, tasks }: Draft): Summary {
  const none = micro.count === 0;
  const mean = meanOf(micro);
  return {
    micro: none ? undefinedEstimate : estimate(mean, micro.count),
    macro: none ? undefinedEstimate : estimate(meanOf(macro), macro.count),
    suites,
    tasks,
    microDraws: mean.draws,
  };
}
