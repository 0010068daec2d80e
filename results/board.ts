import { groupBy } from '../core/group.js';
import { byCodePoint } from '../core/order.js';
import { summarize } from './board-aggregate.js';
import { checkBoardInput } from './board-check.js';
import { type Entry, entriesOf, importedEntries } from './board-entries.js';
import { type Estimates, type TasksById, tasksById, undefinedEstimate } from './board-means.js';
import { competitionRanks, separableGroups } from './board-rank.js';
import type { Board, BoardInput, BoardSystem, BoardTask, ByMeasure, Estimate } from './board-types.js';
import { type DrawLevel, keepsTasks } from './stats/hierarchical.js';

/** What the bootstrap of a board draws when nothing is said. */
export const defaultLevel: DrawLevel = 'tasks and queries';

type Standing = Pick<BoardSystem, 'rank' | 'group'>;
const unranked: Standing = { rank: null, group: null };

/**
 * Measures of many runs, aggregated. Intervals are percentiles of a hierarchical bootstrap, with the same draws for all
 * systems that have the same tasks. The same results give the same board, whatever the order of tasks and systems.
 * Throws `malformed` and `not-finite` for input that does not fit together.
 */
export function buildBoard(given: BoardInput): Board {
  checkBoardInput(given);
  const input = { ...given, tasks: [...given.tasks].sort((a, b) => byCodePoint(a.id, b.id)) };
  const { tasks, primary, measures, resamples, seed } = input;
  const meant = tasksById(tasks);
  const level = levelDrawn(meant, given.level ?? defaultLevel);
  const summaries = summarize(input, meant, level);
  const entries = [...entriesOf(input, summaries), ...importedEntries(input, meant)].sort(boardOrder);
  const standings = rankAll(entries);
  return {
    schema: 'tenbin/board@1',
    primary,
    measures,
    interval: { method: 'percentile', confidence: 0.95, level, resamples, seed },
    tasks: tasks.map(plainTask),
    systems: entries.map((entry) => boardSystem(entry, measures, standings.get(entry) ?? unranked)),
  };
}

/** Where every suite has one task, only queries are drawn, whatever was asked for. */
function levelDrawn(tasks: TasksById, asked: DrawLevel): DrawLevel {
  const suites = [...groupBy(tasks.values(), ({ suite }) => suite).values()];
  return suites.every(({ length }) => keepsTasks(asked, length)) ? 'queries' : asked;
}

/** Complete before incomplete, the better micro mean first, undefined last, then by id. */
function boardOrder(a: Entry, b: Entry): number {
  const lacks = Number(a.facts.missing.length > 0) - Number(b.facts.missing.length > 0);
  const [x, y] = [a.micro ?? Number.NEGATIVE_INFINITY, b.micro ?? Number.NEGATIVE_INFINITY];
  return lacks || (x === y ? 0 : y - x) || byCodePoint(a.facts.id, b.facts.id);
}

/** `entries` stand in the order of the board. */
function rankAll(entries: readonly Entry[]): ReadonlyMap<Entry, Standing> {
  const ranked = entries.flatMap((entry) => {
    const { facts, micro, macro, draws } = entry;
    const isRanked = facts.missing.length === 0 && micro !== null && macro !== null && draws !== null;
    return isRanked ? [{ entry, id: facts.id, micro, macro, draws }] : [];
  });
  const micro = competitionRanks(ranked.map((one) => one.micro));
  const macro = competitionRanks(ranked.map((one) => one.macro));
  const groups = separableGroups(ranked);
  return new Map(
    ranked.map(({ entry, id }, i) => {
      const rank = { micro: micro[i], macro: macro[i] };
      return [entry, { rank, group: groups.get(id) ?? null }];
    }),
  );
}

function boardSystem({ facts, tasks, estimates }: Entry, measures: readonly string[], standing: Standing): BoardSystem {
  const pick = (of: (found: Estimates) => Estimate | undefined): ByMeasure =>
    Object.fromEntries(
      measures.map((measure) => {
        const found = estimates.get(measure);
        return [measure, (found && of(found)) ?? undefinedEstimate];
      }),
    );
  const byName = (names: Iterable<string>, of: (found: Estimates, name: string) => Estimate | undefined) =>
    Object.fromEntries([...names].sort(byCodePoint).map((name) => [name, pick((found) => of(found, name))] as const));
  const suites = new Set([...estimates.values()].flatMap((found) => [...found.suites.keys()]));
  const { id, family, imported, missing, safeguarded, cost } = facts;
  return {
    id,
    family,
    ...(imported && { imported }),
    complete: missing.length === 0,
    missing,
    safeguarded,
    ...standing,
    micro: pick((found) => found.micro),
    macro: pick((found) => found.macro),
    suites: byName(suites, (found, name) => found.suites.get(name)),
    tasks: byName(tasks, (found, name) => found.tasks.get(name)),
    cost,
  };
}

/** Only the fields of a task, should the caller's objects hold more. */
function plainTask(task: BoardTask): BoardTask {
  const { id, suite, language, documentLanguage, domain, queries, docs, digest } = task;
  const optional = documentLanguage === undefined ? {} : { documentLanguage };
  return { id, suite, language, ...optional, domain, queries, docs, digest };
}
