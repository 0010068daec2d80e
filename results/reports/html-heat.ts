import { escape as escapeHtml } from 'html-escaper';
import { fixed } from '../../core/numbers.js';
import type { Board, BoardTask } from '../board-types.js';
import { breakable } from './html-text.js';
import { shownName } from './names.js';
import { estimateIn, systemName } from './standing.js';

/** Tasks × systems: the shade is the value from 0 to 1, the best of each task is bold. */
export function heatTable(board: Board): string {
  const heads = board.systems.map(
    (system, i) => `<th scope="col" data-system="${i}"><span>${escapeHtml(systemName(system, 32))}</span></th>`,
  );
  return `<section aria-labelledby="tasks">
<h2 id="tasks">Per task</h2>
<p class="how">The stronger the shade, the higher the value, on one scale from 0 to 1; the best of each task is bold.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Values per task, scrolls sideways">
<table id="heat">
<thead><tr><th scope="col">task</th><th scope="col">language</th><th scope="col">queries</th><th scope="col">docs</th>${heads.join('')}</tr></thead>
<tbody>
${board.tasks.map((task, i) => taskRow(board, task, i)).join('\n')}
</tbody>
</table>
</div>
</section>`;
}

function taskRow(board: Board, task: BoardTask, place: number): string {
  const { language, documentLanguage } = task;
  const languages = documentLanguage === undefined ? language : `${language} → ${documentLanguage}`;
  const values = board.systems.map(({ tasks }) => estimateIn(tasks, task.id, board.primary)?.value ?? null);
  const best = Math.max(...values.map((value) => value ?? Number.NEGATIVE_INFINITY));
  const cells = values.map((value, i) => {
    const mark = value !== null && best - value <= 1e-12 ? ' class="best"' : '';
    const shade = Math.min(1, Math.max(0, value ?? 0)).toFixed(3);
    return `<td data-system="${i}"${mark} style="--v:${shade}">${fixed(value, 3)}</td>`;
  });
  return `<tr data-task="${place}"><th scope="row">${breakable(shownName(task.id))}</th><td class="text">${escapeHtml(shownName(languages))}</td><td>${task.queries}</td><td>${task.docs}</td>${cells.join('')}</tr>`;
}
