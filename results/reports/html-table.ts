import { escape as escapeHtml } from 'html-escaper';
import { type Board, type BoardSystem, type Estimate, own } from '../board-types.js';
import { estimateCell, scaleOf, scaleText } from './html-bar.js';
import { costColumns } from './html-cost.js';
import { costCell } from './html-costs.js';
import { breakable } from './html-text.js';
import { shownName } from './names.js';
import { completeOf, estimateIn, incompleteOf, rankText, suitesOf, systemName } from './standing.js';

interface Column {
  /** What the script sorts and redraws it by. */
  readonly key: string;
  readonly head: string;
  readonly attributes?: string;
  /** The ends of the bars in it, for columns that have bars. */
  readonly scale?: string;
  readonly cell: (system: BoardSystem) => string;
}

/** The leaderboard as it stands without a script: by micro mean of the primary measure over all tasks. */
export function leaderboard(board: Board): string {
  const columns = columnsOf(board);
  const incomplete = incompleteOf(board);
  const rows = (systems: readonly BoardSystem[]) => systems.map((system) => row(board, system, columns)).join('\n');
  return `<section aria-labelledby="ranking">
<h2 id="ranking">Ranking</h2>
<p id="shown" role="status"></p>
<div class="scroll" tabindex="0" role="region" aria-label="Ranking, scrolls sideways">
<table id="board">
<caption><span id="measure-name">${escapeHtml(shownName(board.primary))}</span> per system</caption>
<thead><tr>
${columns.map(heading).join('\n')}
</tr></thead>
<tbody id="ranked">
${rows(completeOf(board))}
</tbody>
<tbody id="unranked"${incomplete.length === 0 ? ' hidden' : ''}>
<tr class="divider"><td colspan="${columns.length}">Not ranked: a task is missing. Their means are over what they have.</td></tr>
${rows(incomplete)}
</tbody>
</table>
</div>
</section>`;
}

function columnsOf(board: Board): readonly Column[] {
  const { primary } = board;
  const text = ' class="text"';
  const undrawn = estimateCell(undefined, { from: 0, to: 1 }, ' hidden');
  const suites = suitesOf(board).map((suite, i) =>
    scoreColumn(board, `suite:${i}`, shownName(suite, 30), ({ suites }) => estimateIn(suites, suite, primary)),
  );
  return [
    {
      ...{ key: 'rank', head: 'rank', attributes: ' aria-sort="ascending"' },
      cell: (system) => `<td class="rank">${rankText(board, system, 'micro')}</td>`,
    },
    { key: 'system', head: 'system', attributes: text, cell: (system) => systemCell(board, system) },
    { key: 'task', head: 'task', attributes: ' hidden', scale: '', cell: () => undrawn },
    scoreColumn(board, 'micro', 'micro', ({ micro }) => own(micro, primary)),
    scoreColumn(board, 'macro', 'macro', ({ macro }) => own(macro, primary)),
    { key: 'group', head: 'group', cell: ({ group }) => `<td class="group">${group ?? '–'}</td>` },
    {
      ...{ key: 'family', head: 'family', attributes: text },
      cell: ({ family }) => `<td class="text">${breakable(family)}</td>`,
    },
    ...costs(board),
    ...suites,
  ];
}

function scoreColumn(
  board: Board,
  key: string,
  head: string,
  of: (system: BoardSystem) => Estimate | undefined,
): Column {
  const scale = scaleOf(board.systems.map(of));
  return { key, head, scale: scaleText(scale), cell: (system) => estimateCell(of(system), scale) };
}

function costs(board: Board): Column[] {
  return costColumns(board).map((column, i) => ({
    key: `cost:${i}`,
    head: column.head,
    cell: (system) => costCell(system, column),
  }));
}

function heading({ key, head, attributes = '', scale }: Column): string {
  const ends = scale === undefined ? '' : `<small class="scale">${scale}</small>`;
  const button = `<button type="button">${breakable(head)}</button>`;
  return `<th scope="col" data-key="${key}"${attributes}>${button}${ends}</th>`;
}

function row(board: Board, system: BoardSystem, columns: readonly Column[]): string {
  const cells = columns.map(({ cell }) => cell(system)).join('');
  return `<tr data-system="${board.systems.indexOf(system)}">${cells}</tr>`;
}

/** An imported system is marked by its format, an incomplete one by how much it lacks; which files and tasks on demand. */
function systemCell(board: Board, system: BoardSystem): string {
  const { missing, imported } = system;
  const origin = imported === undefined ? '' : onDemand(`imported: ${shownName(imported.format, 30)}`, imported.files);
  const lacks = missing.length === 0 ? '' : onDemand(`lacks ${missing.length} of ${board.tasks.length} tasks`, missing);
  return `<th scope="row">${breakable(systemName(system))}${origin}${lacks}</th>`;
}

function onDemand(summary: string, names: readonly string[]): string {
  const items = names.map((name) => `<li>${breakable(shownName(name))}</li>`).join('');
  return `<details><summary>${breakable(summary)}</summary><ul>${items}</ul></details>`;
}
