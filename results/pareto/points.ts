import { own } from '../board-types.js';
import type { CostKey, LeftOut, ParetoBoard, ParetoSystem, PlainPoint } from './types.js';

export interface PointChoice {
  readonly x: CostKey;
  /** A measure of the board. */
  readonly y: string;
  /** Ids of systems; all when nothing is said. */
  readonly systems?: readonly string[];
  /** What to do with systems that safeguard rows helped; left out when nothing is said. */
  readonly safeguarded?: 'with' | 'without';
}

interface Points {
  readonly points: readonly PlainPoint[];
  readonly leftOut: readonly LeftOut[];
}

/** The chosen systems as points in the order of the board, and those that cannot be one, each with its reason. */
export function pointsOf(board: ParetoBoard, choice: PointChoice): Points {
  const points: PlainPoint[] = [];
  const leftOut: LeftOut[] = [];
  const chosen = choice.systems === undefined ? null : new Set(choice.systems);
  for (const system of board.systems) {
    if (chosen !== null && !chosen.has(system.id)) continue;
    const made = pointOf(system, board, choice);
    if (typeof made === 'string') leftOut.push({ system: system.id, reason: made });
    else points.push(made);
  }
  return { points, leftOut };
}

function pointOf(system: ParetoSystem, board: ParetoBoard, { x: cost, y: measure, safeguarded }: PointChoice) {
  const { id, family, missing, micro } = system;
  if (!system.complete) return `it lacks ${missing.length} of ${board.tasks.length} tasks`;
  if (system.safeguarded && safeguarded !== 'with') {
    return 'its candidates hold positives that the safeguard put in';
  }
  const { value, low, high } = own(micro, measure) ?? { value: null, low: null, high: null };
  if (value === null) return `it has no ${measure}`;
  const x = cost.of(system);
  if (x === null)
    return system.imported === undefined ? `its ${cost.key} is not known` : 'imported: its cost is unknown';
  if (x < 0) return `its ${cost.key} is below 0`;
  return { system: id, family, safeguarded: system.safeguarded, x, y: value, low, high };
}
