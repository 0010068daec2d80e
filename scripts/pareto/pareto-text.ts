import { printable } from '../../core/errors.js';
import { fixed } from '../../core/numbers.js';
import type { Ratio } from '../../results/board-types.js';
import { compact, costText } from '../../results/pareto/cost-text.js';
import type { Pareto, ParetoPoint } from '../../results/pareto/pareto.js';
import { textTable } from '../output.js';

/** The points, the steps of the frontier, what dominates how many, and what is left out. */
export function paretoText(pareto: Pareto): string {
  const { points, summary } = pareto;
  const blocks = [
    points.length === 0 ? [] : [pointTable(pareto)],
    [printable(summary.sentence)],
    gainLines(pareto),
    dominatorLines(pareto),
    leftOutLines(pareto),
  ];
  return blocks.flatMap((lines) => (lines.length === 0 ? [] : [lines.join('\n')])).join('\n\n');
}

function pointTable({ x, y, points }: Pareto): string {
  const ratios = points.some(({ RPP, QPP }) => RPP !== null || QPP !== null);
  const columns: readonly (readonly [head: string, cell: (point: ParetoPoint) => string])[] = [
    ['system', ({ system, safeguarded }) => `${printable(system)}${safeguarded ? ' †' : ''}`],
    [x.key, (point) => costText(point.x, x.unit)],
    [y.measure, (point) => fixed(point.y)],
    ['interval', ({ low, high }) => (low === null || high === null ? '–' : `[${fixed(low)}, ${fixed(high)}]`)],
    ['', ({ status }) => words[status]],
    ['by', ({ by }) => (by === undefined ? '' : printable(by))],
    ...(ratios ? ratioColumns(y.measure) : []),
  ];
  const rows = points.map((point) => columns.map(([, cell]) => cell(point)));
  return textTable(
    columns.map(([head]) => printable(head)),
    rows,
  );
}

const words = { frontier: 'frontier', dominated: 'dominated', dominatedWithinError: 'within error' } as const;

/** Undefined with no FLOPs: a dash, never infinity. */
function ratioColumns(measure: string) {
  const text = (ratio: Ratio | null, key: keyof Ratio) => {
    const value = ratio?.[key] ?? null;
    return value === null ? '–' : compact(value);
  };
  return [
    [`RPP(${measure}), mean of ratios`, ({ RPP }: ParetoPoint) => text(RPP, 'meanOfRatios')],
    ['ratio of means', ({ RPP }: ParetoPoint) => text(RPP, 'ratioOfMeans')],
    ['QPP, mean of ratios', ({ QPP }: ParetoPoint) => text(QPP, 'meanOfRatios')],
    ['ratio of means', ({ QPP }: ParetoPoint) => text(QPP, 'ratioOfMeans')],
  ] as const;
}

function gainLines({ gains, x, y }: Pareto): readonly string[] {
  if (gains.length === 0) return [];
  const lines = gains.map(({ from, to, additionalX, additionalY, gain, per }) => {
    const rate = gain === null ? '' : `, ${Number(gain.toPrecision(3))} for each further ${per}`;
    return `  ${printable(from)} → ${printable(to)}: ${signed(additionalY)} for ${costText(additionalX, x.unit)} more${rate}`;
  });
  return [`${printable(y.measure)} along the frontier:`, ...lines];
}

const signed = (value: number): string => `${value > 0 ? '+' : ''}${fixed(value)}`;

/** Counts: the table names the strongest dominator of each, the JSON all that each dominates. */
function dominatorLines({ summary }: Pareto): readonly string[] {
  const lines = summary.dominators.map(({ system, surely, withinError }) => {
    const total = surely.length + withinError.length;
    return `  ${printable(system)}: ${total}, ${surely.length} of them surely`;
  });
  return lines.length === 0 ? [] : ['How many each system of the frontier dominates:', ...lines];
}

function leftOutLines({ leftOut }: Pareto): readonly string[] {
  if (leftOut.length === 0) return [];
  return ['Left out:', ...leftOut.map(({ system, reason }) => `  ${printable(system)}: ${printable(reason)}`)];
}
