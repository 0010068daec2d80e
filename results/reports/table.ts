import Table from 'cli-table3';
import { TenbinError } from '../../core/errors.js';
import { bytesText, fixed } from '../../core/numbers.js';
import type { Plugin } from '../../core/registry.js';
import { type Board, type BoardSystem, own } from '../board-types.js';
import { drawnText } from './drawn-text.js';
import { shownName } from './names.js';
import { emptySentence, type Report } from './report.js';
import {
  completeOf,
  countText,
  incompleteOf,
  intervalText,
  markNotes,
  rankText,
  systemName,
  valueText,
} from './standing.js';

/** Shown beside the primary measure where the board has it: what a reranker could still find. */
const companion = 'R@100';

export const table: Plugin<Report> = {
  name: 'table',
  summary: 'The leaderboard for a terminal, at most 110 columns wide; `table@color` prints headings in bold.',
  bind: (argument) => {
    if (argument !== undefined && argument !== 'color') {
      throw new TenbinError('usage', {
        what: 'The table takes no argument but `color`',
        value: argument,
        fix: 'Write `table` or `table@color`.',
      });
    }
    return { fileName: 'board.txt', render: (board) => render(board, argument === 'color' ? bold : (text) => text) };
  },
};

/** Written here and not left to cli-table3, which asks the environment whether it may: the same call gives the same bytes. */
const bold = (text: string): string => `\u001b[1m${text}\u001b[22m`;

function render(board: Board, heading: (text: string) => string): string {
  if (board.systems.length === 0) return `${emptySentence}\n`;
  const columns = columnsOf(board);
  const grid = new Table({
    head: columns.map(({ head }) => heading(head)),
    colAligns: columns.map(({ align }) => align),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 2 },
    chars: frame,
  });
  const rows = (systems: readonly BoardSystem[]) => systems.map((system) => columns.map(({ cell }) => cell(system)));
  grid.push(...rows(completeOf(board)));
  const incomplete = incompleteOf(board);
  if (incomplete.length > 0) {
    const note = `── not ranked: a task is missing ${'─'.repeat(20)}`;
    grid.push([{ content: note, colSpan: columns.length, hAlign: 'left' }], ...rows(incomplete));
  }
  const lines = grid.toString().split('\n');
  return `${[...lines, '', ...notes(board)].map((line) => line.trimEnd()).join('\n')}\n`;
}

interface Column {
  readonly head: string;
  readonly align: 'left' | 'right';
  readonly cell: (system: BoardSystem) => string;
}

function columnsOf(board: Board): readonly Column[] {
  const { primary } = board;
  const hasCompanion = primary !== companion && board.measures.includes(companion);
  const extra: Column = {
    head: companion,
    align: 'right',
    cell: ({ micro }) => valueText(own(micro, companion)),
  };
  return [
    { head: '#', align: 'right', cell: (system) => rankText(board, system, 'micro') },
    { head: 'system', align: 'left', cell: (system) => systemName(system, 38) },
    { head: `${shownName(primary, 20)} micro`, align: 'left', cell: ({ micro }) => intervalText(own(micro, primary)) },
    { head: 'macro', align: 'right', cell: ({ macro }) => valueText(own(macro, primary)) },
    ...(hasCompanion ? [extra] : []),
    {
      head: 'bytes/doc',
      align: 'right',
      cell: ({ cost }) => (cost.bytesPerDoc === null ? '–' : bytesText(cost.bytesPerDoc)),
    },
    { head: 'FLOPs/q', align: 'right', cell: ({ cost }) => countText(cost.flopsPerQuery) },
    { head: 'p50 ms*', align: 'right', cell: ({ cost }) => fixed(cost.latencyMs.p50, 2) },
  ];
}

/** No rules and no frame: blanks keep columns apart, and a line can be copied whole. */
const frame = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '' },
  ...{ 'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '' },
};

function notes(board: Board): readonly string[] {
  const lacking = incompleteOf(board).map(
    ({ id, missing }) => `${shownName(id, 40)} lacks ${missing.length} of ${board.tasks.length} tasks.`,
  );
  const tasks = board.tasks.length === 1 ? '1 task' : `${board.tasks.length} tasks, each equal`;
  const counts = `${tasks}; [low, high]: 95 % bootstrap, ${drawnText(board)}.`;
  const times = '* of a batch run, queries encoded before it; `tenbin latency` measures serving.';
  return [...lacking, ...markNotes(board), counts, times];
}
