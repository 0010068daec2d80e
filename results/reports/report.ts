import type { Board } from '../board-types.js';

/** One form of the board. Rendering is pure: the same board gives the same bytes. */
export interface Report {
  /** Its file below `out/board/`. */
  readonly fileName: string;
  readonly render: (board: Board) => string;
}

/** What a report for people says where there is nothing to show. */
export const emptySentence = 'No system has been run on these tasks yet.';
