import { bytesText } from '../../core/numbers.js';
import { compact } from '../pareto/cost-text.js';
import type { CostUnit } from '../pareto/types.js';

interface Tick {
  readonly at: number;
  readonly text: string;
}

export interface Axis {
  readonly at: (value: number) => number;
  readonly ticks: readonly Tick[];
}

export interface CostAxis extends Axis {
  /** Where the logarithm begins, when a tick for 0 stands before it. */
  readonly breakAt: number | null;
}

interface Ends {
  readonly from: number;
  readonly to: number;
}

export const tenth = (value: number): number => Math.round(value * 10) / 10;

/** Of any number of values: as arguments of a call they would overflow its stack. */
const endsOf = (values: readonly number[]): readonly [number, number] => [
  values.reduce((least, value) => Math.min(least, value)),
  values.reduce((most, value) => Math.max(most, value)),
];

/** At most so many ticks fit beside each other. */
const most = 9;

/** What is smaller is drawn as nothing: near the ends of float64 there is no mark around a number. */
const smallest = 1e-300;

/** Marks of a log axis by number, ascending: exact values, so that a tick is what it says. */
const marks = {
  octaves: (i: number) => 2 ** i,
  decades: (i: number) => Number(`1e${i}`),
  steps: (i: number) => Number(`${[1, 2, 5][((i % 3) + 3) % 3]}e${Math.floor(i / 3)}`),
};

/**
 * The logarithm of a cost between the marks around it: powers of two for bytes, else of ten, with 2 and 5 between them where all is
 * within two decades. What costs nothing stands before the rest, at a tick of its own behind a break.
 */
export function costAxis(values: readonly number[], unit: CostUnit, { from: left, to: right }: Ends): CostAxis {
  const positive = values.filter((value) => value >= smallest);
  const hasZero = positive.length < values.length;
  const [least, greatest] = positive.length === 0 ? [1, 1] : endsOf(positive);
  const mark = unit === 'bytes' ? marks.octaves : greatest / least > 100 ? marks.decades : marks.steps;
  const first = lastMarkUpTo(least, mark);
  const last = Math.max(first + 1, firstMarkFrom(greatest, mark));
  const start = left + (hasZero ? 90 : 20);
  const [low, high] = [Math.log(mark(first)), Math.log(mark(last))];
  const at = (value: number): number =>
    value < smallest ? left + 20 : tenth(start + ((right - 20 - start) * (Math.log(value) - low)) / (high - low));
  const step = Math.ceil((last - first + 1) / most);
  const shown = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => mark(first + i * step));
  const ticks = shown.map((value) => ({ at: at(value), text: tickText(value, unit) }));
  return {
    at,
    ticks: hasZero ? [{ at: at(0), text: tickText(0, unit) }, ...ticks] : ticks,
    breakAt: hasZero ? left + 55 : null,
  };
}

function tickText(value: number, unit: CostUnit): string {
  if (unit === 'bytes') return bytesText(value);
  return value < 1 ? String(value) : compact(value);
}

type Mark = (i: number) => number;

function lastMarkUpTo(value: number, mark: Mark): number {
  let i = near(value, mark);
  while (mark(i) > value) i--;
  while (mark(i + 1) <= value) i++;
  return i;
}

function firstMarkFrom(value: number, mark: Mark): number {
  const i = lastMarkUpTo(value, mark);
  return mark(i) === value ? i : i + 1;
}

/** A guess that is off by a mark or two at most. */
function near(value: number, mark: Mark): number {
  return Math.floor((Math.log(value) - Math.log(mark(0))) / (Math.log(mark(3)) - Math.log(mark(0)))) * 3;
}

/** From the lowest to the highest of all ends, at round steps; `from` is the larger pixel, as y grows downwards. */
export function valueAxis(ends: readonly number[], { from: bottom, to: top }: Ends): Axis {
  const [low, high] = endsOf(ends);
  const step = roundStep(Math.max((high - low) / (most - 1), Math.max(Math.abs(low), Math.abs(high)) / 100));
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  const at = (value: number) => tenth(bottom - ((bottom - top) * (value / step - first)) / (last - first));
  const digits = step >= 1 ? 0 : Math.max(2, Math.min(20, Math.ceil(-Math.log10(step) - 1e-9)));
  const values = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  return { at, ticks: values.map((value) => ({ at: at(value), text: value.toFixed(digits) })) };
}

/** The first of 1, 2, 5, 10, … that is no less, over all powers of ten. */
function roundStep(least: number): number {
  if (least < smallest) return 0.05;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((digit) => digit * power >= least) ?? 10);
}
