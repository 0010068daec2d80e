import type { Board } from '../board-types.js';
import type { DrawLevel } from '../stats/hierarchical.js';

type Drawn = Pick<Board, 'interval'>;

const drawn: Readonly<Record<DrawLevel, string>> = {
  queries: 'queries drawn in each task',
  tasks: 'tasks drawn in each suite',
  'tasks and queries': 'tasks drawn in each suite and queries in each task',
};

/** What the intervals were made by, in words. */
export function drawnText({ interval }: Drawn): string {
  return drawn[interval.level];
}

/** What is drawn otherwise than at the level of the board. */
export function levelNote({ interval }: Drawn): string {
  return interval.level === 'queries' ? '' : ' For a single task, and for a suite that has one, its queries are drawn.';
}

/** What a difference between two systems has to hold over. */
export function whatSeparates({ interval }: Drawn): DrawLevel {
  return interval.level;
}
