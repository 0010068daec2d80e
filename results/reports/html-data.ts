import { byCodePoint } from '../../core/order.js';
import { type Board, type BoardSystem, type ByMeasure, type Estimate, own } from '../board-types.js';
import { costColumns } from './html-cost.js';
import { familiesOf, suitesOf } from './standing.js';

/** [value, low, high, min, max, n]; the value at full precision, since ranks hang on it, the rest as it is drawn. */
type Cell = readonly [number, number | null, number | null, number, number, number | null];

/**
 * The page's data: arrays by position, so that no name is a key. Inside a script element the text ends at `</script`
 * and comments at `<!--`, old engines take U+2028 for a line end, and U+202E turns source text around: all are escaped.
 */
export function island(board: Board): string {
  const suites = suitesOf(board);
  const families = familiesOf(board);
  const names = board.systems.map(({ id }) => id).sort(byCodePoint);
  const columns = costColumns(board);
  const data = {
    measures: board.measures,
    primary: board.measures.indexOf(board.primary),
    suites,
    families,
    tasks: board.tasks.map(({ id, suite }) => ({ id, suite: suites.indexOf(suite) })),
    systems: board.systems.map((system) => ({
      id: system.id,
      place: names.indexOf(system.id),
      family: families.indexOf(system.family),
      group: system.group,
      // Imported means stand where their value puts them and take no rank.
      ranked: system.imported?.as !== 'means',
      costs: columns.map(({ of }) => of(system)),
      ...cells(board, system, suites),
    })),
  };
  return JSON.stringify(data).replace(/[<>&\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeUnits);
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

function cells(board: Board, system: BoardSystem, suites: readonly string[]) {
  const all = (values: ByMeasure | undefined) =>
    values === undefined ? null : board.measures.map((measure) => cell(own(values, measure)));
  return {
    micro: all(system.micro),
    macro: all(system.macro),
    suites: suites.map((suite) => all(own(system.suites, suite))),
    tasks: board.tasks.map(({ id }) => all(own(system.tasks, id))),
  };
}

function cell(estimate: Estimate | undefined): Cell | null {
  if (estimate === undefined || estimate.value === null) return null;
  const { value, low, high, min, max, n } = estimate;
  return [value, round(low), round(high), round(min) ?? value, round(max) ?? value, n];
}

function round(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e5) / 1e5;
}
