import { own, type Ratio } from '../board-types.js';
import { kindOfMeasure } from '../measures/parse.js';
import { alongFrontier, standings } from './dominance.js';
import { type Gain, gainsAlong } from './gains.js';
import { type PointChoice, pointsOf } from './points.js';
import { type Summary, summaryOf } from './summary.js';
import type { Better, CostUnit, ParetoBoard, ParetoSystem, PlainPoint, Standing, Status } from './types.js';

/** formats.md §11. Types and not interfaces, so that they are assignable to `Json`. */
export type ParetoPoint = {
  readonly system: string;
  readonly x: number;
  readonly y: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly status: Status;
  readonly by?: string;
  readonly family: PlainPoint['family'];
  readonly safeguarded: boolean;
  /** Of `y`, as on the board: null without FLOPs or with none. */
  readonly RPP: Ratio | null;
  readonly QPP: Ratio | null;
};

export type Pareto = {
  readonly x: { readonly key: string; readonly unit: CostUnit; readonly title: string };
  readonly y: { readonly measure: string; readonly better: Better };
  /** Cheapest first, of equally dear ones the best. */
  readonly points: readonly ParetoPoint[];
  /** Between neighbours of the frontier. */
  readonly gains: readonly Gain[];
  readonly leftOut: readonly { readonly system: string; readonly reason: string }[];
  readonly summary: Summary;
};

/** Quality against cost: which systems nothing beats, and what beats the others. */
export function paretoOf(board: ParetoBoard, choice: PointChoice): Pareto {
  const { points, leftOut } = pointsOf(board, choice);
  const better = betterOf(choice.y);
  const standing = standings(points, better);
  const byId = new Map(board.systems.map((system) => [system.id, system]));
  const frontier = alongFrontier(points, better);
  const { key, unit, title } = choice.x;
  return {
    x: { key, unit, title },
    y: { measure: choice.y, better },
    points: points
      .map((point, i) => ({ ...pointRow(point, standing[i]), ...ratiosOf(byId.get(point.system), choice.y) }))
      .sort((a, b) => a.x - b.x || (better === 'more' ? b.y - a.y : a.y - b.y)),
    gains: gainsAlong(frontier, unit),
    leftOut: leftOut.map(({ system, reason }) => ({ system, reason })),
    summary: summaryOf({ points, standing, frontier, better }, choice),
  };
}

/** By the definition of the measure; a measure of a measure, such as RPP(nDCG@10), is the better the larger. */
export function betterOf(measure: string): Better {
  return kindOfMeasure(measure)?.better ?? 'more';
}

function pointRow({ system, x, y, low, high, family, safeguarded }: PlainPoint, { status, by }: Standing) {
  return { system, x, y, low, high, status, ...(by === null ? {} : { by }), family, safeguarded };
}

function ratiosOf(system: ParetoSystem | undefined, measure: string) {
  const cost = system?.cost ?? {};
  const rpp = 'RPP' in cost && isRecord(cost.RPP) ? own(cost.RPP, measure) : null;
  return { RPP: ratioIn(rpp), QPP: ratioIn('QPP' in cost ? cost.QPP : null) };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function ratioIn(value: unknown): Ratio | null {
  if (!isRecord(value)) return null;
  const { meanOfRatios, ratioOfMeans } = value;
  if (typeof ratioOfMeans !== 'number') return null;
  return { meanOfRatios: typeof meanOfRatios === 'number' ? meanOfRatios : null, ratioOfMeans };
}
