import type { GradedList, TieValue } from '../types.js';
import { relevantIn } from './relevant.js';
import { between, same, zero } from './value.js';

/** A group of ties with relevant documents that count, and where it stands. */
interface Group {
  readonly start: number;
  readonly size: number;
  readonly relevant: number;
  /** Relevant documents in the groups above. */
  readonly above: number;
  /** Which of the group's own relevant documents is the first that counts, from 1. */
  readonly first: number;
}

/**
 * The best precision at the rank of the c-th relevant document or of a later one; 0 where fewer were retrieved. Each of
 * these precisions falls with the rank, so the extremes put the relevant documents of every group first, or last.
 */
export function interpolatedPrecision(list: GradedList, c: number, level: number): TieValue {
  const groups = countingGroups(list, Math.max(1, c), level);
  if (groups.length === 0) return zero;
  const max = Math.max(...groups.map((group) => bestOf(group, 0)));
  const min = Math.max(...groups.map((group) => bestOf(group, group.size - group.relevant)));
  if (min === max) return same(max);
  const open = groups.filter((group) => bestOf(group, 0) > min);
  return between(min, expectedMaximum(open, min, max), max);
}

function countingGroups(list: GradedList, c: number, level: number): readonly Group[] {
  const groups: Group[] = [];
  let start = 0;
  let above = 0;
  for (const end of list.groupEnds) {
    const relevant = relevantIn(list, start, end, level);
    const first = Math.max(1, c - above);
    if (first <= relevant) groups.push({ start, size: end - start, relevant, above, first });
    above += relevant;
    start = end;
  }
  return groups;
}

/** The best precision of the group when its relevant documents stand together, `others` places down. */
function bestOf({ start, relevant, above, first }: Group, others: number): number {
  let best = 0;
  for (let t = first; t <= relevant; t++) best = Math.max(best, (above + t) / (start + others + t));
  return best;
}

/** Beyond so many different precisions a grid stands for them. */
const exactValues = 4096;
const gridSteps = 512;

/**
 * The mean of the largest of the groups' best precisions, as the integral of P(it is above x) from min to max. The groups
 * are ordered independently, so P(not above x) is a product. Exact up to 4,096 possible values; beyond, the trapezoid rule
 * on 512 steps, whose error is at most (max − min) / 1024 since the function falls.
 */
function expectedMaximum(groups: readonly Group[], min: number, max: number): number {
  const count = groups.reduce((sum, { size, relevant }) => sum + size * relevant, 0);
  const exact = count <= exactValues;
  const values = exact ? valuesBetween(groups, min, max) : gridBetween(min, max);
  let sum = min;
  let below = chanceAbove(groups, min);
  for (let i = 1; i < values.length; i++) {
    const next = i === values.length - 1 ? 0 : chanceAbove(groups, values[i]);
    sum += (values[i] - values[i - 1]) * (exact ? below : (below + next) / 2);
    below = next;
  }
  return sum;
}

/** Every precision that a group can give from min to max, ascending. */
function valuesBetween(groups: readonly Group[], min: number, max: number): readonly number[] {
  const values = new Set([min, max]);
  for (const { start, size, relevant, above, first } of groups) {
    for (let t = first; t <= relevant; t++) {
      for (let place = t; place <= size - relevant + t; place++) {
        const value = (above + t) / (start + place);
        if (value > min && value < max) values.add(value);
      }
    }
  }
  return [...values].sort((a, b) => a - b);
}

function gridBetween(min: number, max: number): readonly number[] {
  return Array.from({ length: gridSteps + 1 }, (_, i) => min + ((max - min) * i) / gridSteps);
}

function chanceAbove(groups: readonly Group[], x: number): number {
  return 1 - groups.reduce((product, group) => product * chanceNotAbove(group, x), 1);
}

/**
 * The chance that no precision of the group is above x: place by place, how likely it is that so many relevant documents
 * have come and none of them too early. Ends where none can be too early any more.
 */
function chanceNotAbove({ start, size, relevant, above, first }: Group, x: number): number {
  const chances = new Float64Array(relevant + 1);
  chances[0] = 1;
  for (let place = 1; place <= size && (above + relevant) / (start + place) > x; place++) {
    for (let t = Math.min(place, relevant); t >= 1; t--) {
      const comes = (relevant - t + 1) / (size - place + 1);
      const tooEarly = t >= first && (above + t) / (start + place) > x;
      chances[t] = chances[t] * stays(relevant - t, size - place + 1) + (tooEarly ? 0 : chances[t - 1] * comes);
    }
    chances[0] *= stays(relevant, size - place + 1);
  }
  return chances.reduce((sum, chance) => sum + chance, 0);
}

/** The chance that the next place, one of `left`, holds none of the relevant documents that are still to come. */
function stays(relevant: number, left: number): number {
  return Math.max(0, 1 - relevant / left);
}
