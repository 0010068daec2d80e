import { fixed } from '../../core/numbers.js';
import { byCodePoint } from '../../core/order.js';
import type { FamilyName } from '../../runners/system.js';
import { type Board, type BoardSystem, type ByMeasure, type Estimate, own } from '../board-types.js';
import { compact } from '../pareto/cost-text.js';
import { shownName } from './names.js';

export type Mean = 'micro' | 'macro';

/** `2`, or `2=` where others share the rank, or a dash without one. */
export function rankText(board: Board, system: BoardSystem, mean: Mean): string {
  if (system.rank === null) return '–';
  const rank = system.rank[mean];
  const shared = board.systems.filter((other) => other.rank?.[mean] === rank).length > 1;
  return `${rank}${shared ? '=' : ''}`;
}

/** A system's name, with a † where safeguard rows helped it and a ‡ where it is from elsewhere. */
export function systemName({ id, safeguarded, imported }: BoardSystem, limit?: number): string {
  return [shownName(id, limit), ...(safeguarded ? ['†'] : []), ...(imported ? ['‡'] : [])].join(' ');
}

/** What the marks mean, on boards that have them. Formats come from files: a report escapes a note as it does a name. */
export function markNotes({ systems }: Board): readonly string[] {
  const helped = systems.some(({ safeguarded }) => safeguarded);
  const [runs, means] = [formatsOf(systems, 'runs'), formatsOf(systems, 'means')];
  return [
    ...(helped
      ? ['† its candidates hold positives that the safeguard put in: not comparable with systems that search for them.']
      : []),
    ...(runs === ''
      ? []
      : [`‡ imported (${runs}): runs from elsewhere, scored and ranked here; their cost is unknown.`]),
    ...(means === '' ? [] : [`‡ imported (${means}): means from elsewhere, without interval, rank and group.`]),
  ];
}

function formatsOf(systems: readonly BoardSystem[], as: 'runs' | 'means'): string {
  const formats = systems.flatMap(({ imported }) => (imported?.as === as ? [imported.format] : []));
  return shownName([...new Set(formats)].sort(byCodePoint).join(', '), 40);
}

export const completeOf = (board: Board): readonly BoardSystem[] => board.systems.filter(({ complete }) => complete);
export const incompleteOf = (board: Board): readonly BoardSystem[] => board.systems.filter(({ complete }) => !complete);

/** The suites of a board, in the order of its tasks. */
export function suitesOf(board: Board): readonly string[] {
  return [...new Set(board.tasks.map(({ suite }) => suite))];
}

export function familiesOf(board: Board): readonly FamilyName[] {
  return [...new Set(board.systems.map(({ family }) => family))].sort(byCodePoint);
}

export function valueText(estimate: Estimate | undefined, digits = 3): string {
  return fixed(estimate?.value ?? null, digits);
}

/** `0.310 [0.290, 0.330]`. */
export function intervalText(estimate: Estimate | undefined, digits = 3): string {
  const { value, low, high } = estimate ?? { value: null, low: null, high: null };
  if (value === null) return '–';
  return low === null || high === null
    ? fixed(value, digits)
    : `${fixed(value, digits)} [${fixed(low, digits)}, ${fixed(high, digits)}]`;
}

/** The estimate of a measure in a suite or task that the system may lack. */
export function estimateIn(
  record: Readonly<Record<string, ByMeasure>>,
  name: string,
  measure: string,
): Estimate | undefined {
  const byMeasure = own(record, name);
  return byMeasure === undefined ? undefined : own(byMeasure, measure);
}

/** Whether the order inside ties changes the number, as seen at the digits that are shown. */
export function hasTieRange({ min, max }: Estimate, digits = 3): boolean {
  return min !== null && max !== null && fixed(min, digits) !== fixed(max, digits);
}

/** A count with an SI prefix. */
export function countText(value: number | null): string {
  return value === null ? '–' : compact(value);
}
