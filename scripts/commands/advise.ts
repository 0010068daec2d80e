import type { Command } from 'commander';
import { printable } from '../../core/errors.js';
import { fixed } from '../../core/numbers.js';
import { type Advice, type Advised, adviceOf, type Nearest } from '../../results/pareto/advise.js';
import { type Condition, parseBudget } from '../../results/pareto/budget.js';
import { costText } from '../../results/pareto/cost-text.js';
import type { Difference } from '../../results/pareto/difference.js';
import { type CommonOptions, withCommon, withExamples } from '../options.js';
import { printJson, printText, textTable } from '../output.js';
import { type BoardFile, measureOf, readBoardFile, systemsOf } from '../pareto/board-file.js';
import { type ChoosingOptions, notePools, pricesOf, withChoosing } from '../pareto/choosing.js';
import { differenceOnBoard } from '../pareto/pair-best.js';
import type { RegisterCommand } from './command.js';

interface AdviseOptions extends CommonOptions, ChoosingOptions {
  readonly budget: string;
}

export const registerAdvise: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('advise')
    .description('The best system of a board within a budget, the runner-up, and how sure their difference is.')
    .argument('[board]', 'a board.json (default: <out>/board/board.json)')
    .requiredOption(
      '--budget <conditions>',
      'such as "bytesPerDoc<=128, flopsPerQuery<=5G, p95<20ms": all of them hold',
    );
  withChoosing(command);
  withCommon(command);
  withExamples(command, [
    'tenbin advise --budget "bytesPerDoc<=128, flopsPerQuery<=5G"',
    'tenbin advise out/board/board.json --budget "indexBytes<1Mi" --y R@100 --format json',
  ]);
  command.action(async (path: string | undefined, options: AdviseOptions) =>
    onExit(await adviseCommand(path, options)),
  );
};

async function adviseCommand(path: string | undefined, options: AdviseOptions): Promise<number> {
  const { out, format, quiet, withSafeguarded } = options;
  const file = await readBoardFile(path, out);
  const conditions = parseBudget(options.budget, file.board.systems, pricesOf(options));
  const systems = await systemsOf(file, options.systems, out);
  const y = measureOf(file.board, options.y);
  const safeguarded = withSafeguarded === true ? 'with' : 'without';
  const advice = adviceOf(file.board, { y, conditions, safeguarded, ...(systems !== undefined && { systems }) });
  const found = await foundOf(file, advice, { y, out, ...(quiet !== undefined && { quiet }) });
  if (format === 'json') printJson(found);
  else printText(textOf(found, conditions));
  if (!quiet) notePools([found.best, found.runnerUp].flatMap((one) => (one === null ? [] : [one.system])));
  return found.best === null ? 1 : 0;
}

/** formats.md §11. A type and not an interface, so that it is assignable to `Json`. */
type Found = {
  readonly measure: string;
  readonly best: Advised | null;
  readonly runnerUp: Advised | null;
  readonly difference: Difference | null;
  /** How many systems fit. */
  readonly fitting: number;
  /** What comes nearest where nothing fits. */
  readonly nearest: Nearest | null;
  readonly sentence: string;
  readonly leftOut: readonly { readonly system: string; readonly reason: string }[];
};

async function foundOf(
  file: BoardFile,
  { fitting, over, leftOut }: Advice,
  { y, out, quiet }: { readonly y: string; readonly out: string; readonly quiet?: boolean },
): Promise<Found> {
  const [best, runnerUp] = [fitting[0] ?? null, fitting[1] ?? null];
  const nearest = best === null ? (over[0] ?? null) : null;
  const reading = { out, ...(quiet !== undefined && { quiet }) };
  const difference =
    best === null || runnerUp === null ? null : await differenceOnBoard(file, { best, runnerUp, measure: y }, reading);
  const sentence = best === null ? missed(nearest) : chosen({ best, runnerUp, difference }, y);
  const rest = leftOut.map(({ system, reason }) => ({ system, reason }));
  return { measure: y, best, runnerUp, difference, fitting: fitting.length, nearest, sentence, leftOut: rest };
}

/** Enough digits to see by how much a limit is missed. */
const short = (value: number): number => Number(value.toPrecision(6));

function missed(nearest: Nearest | null): string {
  if (nearest === null) return 'Nothing fits, and no system has all of the costs that the budget names.';
  const misses = nearest.exceeds.map(
    ({ key, value, limit }) => `${printable(key)} is ${short(value)} against a limit of ${short(limit)}`,
  );
  return `Nothing fits. ${printable(nearest.system)} comes nearest: its ${misses.join(', its ')}.`;
}

function chosen(
  { best, runnerUp, difference }: Pick<Found, 'runnerUp' | 'difference'> & { readonly best: Advised },
  y: string,
): string {
  const first = `${printable(best.system)} is the best within the budget`;
  if (runnerUp === null) return `${first}, and the only one that fits.`;
  const second = `${first}, before ${printable(runnerUp.system)}`;
  if (difference === null) return `${second}; nothing is known of their difference.`;
  const { value, low, high, unit, n, sure } = difference;
  if (low === null || high === null)
    return `${second} by ${fixed(value)} ${printable(y)}; of one task there is no interval.`;
  const units = `${n} ${unit === 'query' ? 'queries' : 'tasks'}`;
  return `${second} by ${fixed(value)} ${printable(y)} [${fixed(low)}, ${fixed(high)}] over ${units}: ${sure ? 'surely better' : 'within error, either may be the better one'}.`;
}

function textOf(
  { measure, best, runnerUp, nearest, sentence, leftOut }: Found,
  conditions: readonly Condition[],
): string {
  const named = [
    ['best', best],
    ['runner-up', runnerUp],
    ['nearest', nearest],
  ] as const;
  const rows = named.flatMap(([name, one]) =>
    one === null
      ? []
      : [
          [
            ...[name, printable(one.system), fixed(one.y)],
            ...conditions.map(({ cost }) => costText(one.costs[cost.key], cost.unit)),
          ],
        ],
  );
  const table = textTable(
    ['', 'system', printable(measure), ...conditions.map(({ cost }) => printable(cost.key))],
    rows,
  );
  const reasons = leftOut.map(({ system, reason }) => `  ${printable(system)}: ${printable(reason)}`);
  return [
    ...(rows.length === 0 ? [] : [table, '']),
    sentence,
    ...(reasons.length === 0 ? [] : ['', 'Left out:', ...reasons]),
  ].join('\n');
}
