import { byCodePoint } from '../core/order.js';
import { type Summary, summarize, undefinedEstimate } from './board-aggregate.js';
import { checkBoardInput } from './board-check.js';
import { boardCost } from './board-cost.js';
import { competitionRanks, separableGroups } from './board-rank.js';
import type { Board, BoardInput, BoardSystem, BoardTask, ByMeasure, Estimate, SystemResults } from './board-types.js';

/** A system before it is ranked. */
interface Entry {
  readonly results: SystemResults;
  readonly missing: readonly string[];
  readonly summaries: ReadonlyMap<string, Summary>;
  /** Of the primary measure; null where it is undefined. */
  readonly micro: number | null;
  readonly macro: number | null;
}

type Standing = Pick<BoardSystem, 'rank' | 'group'>;
const unranked: Standing = { rank: null, group: null };

/**
 * Measures of many runs, aggregated. Intervals are percentile bootstraps over the queries of each task, the same
 * resamples for all systems. The same results give the same board, whatever the order of tasks and systems.
 */
export function buildBoard(input: BoardInput): Board {
  checkBoardInput(input);
  const tasks = [...input.tasks].sort((a, b) => byCodePoint(a.id, b.id));
  const summaries = summarize(input);
  const entries = input.systems.map((results) =>
    entryOf(results, tasks, summaries.get(results.id) ?? new Map(), input),
  );
  const standings = rankAll(entries, input.primary);
  const systems = entries.sort(boardOrder).map((entry) => boardSystem(entry, input.measures, standings));
  return {
    schema: 'tenbin/board@1',
    primary: input.primary,
    measures: input.measures,
    interval: { method: 'percentile', confidence: 0.95, resamples: input.resamples, seed: input.seed },
    tasks: tasks.map(plainTask),
    systems,
  };
}

function entryOf(
  results: SystemResults,
  tasks: readonly BoardTask[],
  summaries: ReadonlyMap<string, Summary>,
  { primary }: BoardInput,
): Entry {
  const missing = tasks.filter(({ id }) => !results.tasks.has(id)).map(({ id }) => id);
  const summary = summaries.get(primary);
  return { results, missing, summaries, micro: summary?.micro.value ?? null, macro: summary?.macro.value ?? null };
}

/** Complete before incomplete, the better micro mean first, undefined last, then by id. */
function boardOrder(a: Entry, b: Entry): number {
  const lacks = Number(a.missing.length > 0) - Number(b.missing.length > 0);
  const [x, y] = [a.micro ?? Number.NEGATIVE_INFINITY, b.micro ?? Number.NEGATIVE_INFINITY];
  return lacks || (x === y ? 0 : y - x) || byCodePoint(a.results.id, b.results.id);
}

function rankAll(entries: readonly Entry[], primary: string): ReadonlyMap<Entry, Standing> {
  const ranked = entries.filter((entry) => entry.missing.length === 0 && entry.micro !== null).sort(boardOrder);
  const micro = competitionRanks(ranked.map((entry) => entry.micro ?? 0));
  const macro = competitionRanks(ranked.map((entry) => entry.macro ?? 0));
  const contenders = ranked.map(({ results, summaries }) => ({
    id: results.id,
    draws: summaries.get(primary)?.microDraws ?? new Float64Array(0),
  }));
  const groups = separableGroups(contenders);
  return new Map(
    ranked.map((entry, i) => {
      const rank = { micro: micro[i], macro: macro[i] };
      return [entry, { rank, group: groups.get(entry.results.id) ?? null }];
    }),
  );
}

function boardSystem(entry: Entry, measures: readonly string[], standings: ReadonlyMap<Entry, Standing>): BoardSystem {
  const { results, missing, summaries } = entry;
  const pick = (of: (summary: Summary) => Estimate | undefined): ByMeasure =>
    Object.fromEntries(
      measures.map((measure) => {
        const summary = summaries.get(measure);
        return [measure, (summary && of(summary)) ?? undefinedEstimate];
      }),
    );
  const suites = new Set([...summaries.values()].flatMap((summary) => [...summary.suites.keys()]));
  const tasks = [...results.tasks.keys()];
  const byName = (names: Iterable<string>, of: (summary: Summary, name: string) => Estimate | undefined) =>
    Object.fromEntries(
      [...names].sort(byCodePoint).map((name) => [name, pick((summary) => of(summary, name))] as const),
    );
  return {
    id: results.id,
    family: results.family,
    complete: missing.length === 0,
    missing,
    safeguarded: [...results.tasks.values()].some((task) => task.safeguarded === true),
    ...(standings.get(entry) ?? unranked),
    micro: pick((summary) => summary.micro),
    macro: pick((summary) => summary.macro),
    suites: byName(suites, (summary, name) => summary.suites.get(name)),
    tasks: byName(tasks, (summary, name) => summary.tasks.get(name)),
    cost: boardCost(results),
  };
}

/** Only the fields of a task, should the caller's objects hold more. */
function plainTask(task: BoardTask): BoardTask {
  const { id, suite, language, documentLanguage, domain, queries, docs, digest } = task;
  const optional = documentLanguage === undefined ? {} : { documentLanguage };
  return { id, suite, language, ...optional, domain, queries, docs, digest };
}
