import { byCodePoint } from '../../core/order.js';
import { own } from '../board-types.js';
import { type Condition, excess, fits } from './budget.js';
import { betterOf } from './pareto.js';
import type { LeftOut, ParetoBoard, ParetoSystem } from './types.js';

/** A type and not an interface, so that it is assignable to `Json`. */
export type Advised = {
  readonly system: string;
  readonly y: number;
  readonly low: number | null;
  readonly high: number | null;
  /** What the budget limits, by the names of the board. */
  readonly costs: Readonly<Record<string, number>>;
};

/** What does not fit, and by how much. */
export type Nearest = Advised & {
  readonly exceeds: readonly { readonly key: string; readonly value: number; readonly limit: number }[];
};

export interface Advice {
  /** Best first, of equally good ones the cheapest by the first condition. */
  readonly fitting: readonly Advised[];
  /** Known costs that do not fit, the one that misses by the least share first. */
  readonly over: readonly Nearest[];
  readonly leftOut: readonly LeftOut[];
}

interface AdviceChoice {
  readonly y: string;
  readonly conditions: readonly Condition[];
  readonly safeguarded: 'with' | 'without';
  /** Ids; all when nothing is said. */
  readonly systems?: readonly string[];
}

/** Every complete system of the board, by whether it fits the budget. A cost that is not known fits no limit. */
export function adviceOf(board: ParetoBoard, choice: AdviceChoice): Advice {
  const { y, conditions, safeguarded, systems } = choice;
  const chosen = systems === undefined ? null : new Set(systems);
  const leftOut: LeftOut[] = [];
  const fitting: Advised[] = [];
  const over: Nearest[] = [];
  for (const system of board.systems) {
    if (chosen !== null && !chosen.has(system.id)) continue;
    const made = advisedOf(system, { y, conditions, safeguarded });
    if (typeof made === 'string') leftOut.push({ system: system.id, reason: made });
    else if (conditions.every((one) => fits(system, one) === true)) fitting.push(made);
    else over.push({ ...made, exceeds: exceeded(system, conditions) });
  }
  const order = goodFirst(choice);
  const missBy = ({ costs }: Nearest) => Math.max(...conditions.map((one) => excess(costs[one.cost.key], one)));
  return {
    fitting: fitting.sort(order),
    // Two that miss by infinity differ by NaN, which is as false as 0.
    over: over.sort((a, b) => missBy(a) - missBy(b) || order(a, b)),
    leftOut,
  };
}

function goodFirst({ y, conditions: [first] }: AdviceChoice): (a: Advised, b: Advised) => number {
  const sign = betterOf(y) === 'more' ? -1 : 1;
  const key = first.cost.key;
  return (a, b) => sign * (a.y - b.y) || a.costs[key] - b.costs[key] || byCodePoint(a.system, b.system);
}

function advisedOf(
  system: ParetoSystem,
  { y, conditions, safeguarded }: Omit<AdviceChoice, 'systems'>,
): Advised | string {
  if (!system.complete) return 'it lacks tasks of the board';
  if (system.safeguarded && safeguarded === 'without') return 'its candidates hold positives that the safeguard put in';
  const { value, low, high } = own(system.micro, y) ?? { value: null, low: null, high: null };
  if (value === null) return `it has no ${y}`;
  const costs = conditions.map(({ cost }) => [cost.key, cost.of(system)] as const);
  const unknown = costs.filter(([, cost]) => cost === null).map(([key]) => key);
  if (unknown.length > 0) return `its ${unknown.join(', ')} is not known`;
  const negative = costs.filter(([, cost]) => cost !== null && cost < 0).map(([key]) => key);
  if (negative.length > 0) return `its ${negative.join(', ')} is below 0`;
  return {
    system: system.id,
    y: value,
    low,
    high,
    costs: Object.fromEntries(costs.map(([key, cost]) => [key, cost ?? 0])),
  };
}

function exceeded(system: ParetoSystem, conditions: readonly Condition[]): Nearest['exceeds'] {
  return conditions.flatMap((one) => {
    const value = one.cost.of(system);
    return value === null || fits(system, one) === true ? [] : [{ key: one.cost.key, value, limit: one.limit }];
  });
}
