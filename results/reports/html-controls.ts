import { escape as escapeHtml } from 'html-escaper';
import type { Board } from '../board-types.js';
import { shownName } from './names.js';
import { familiesOf, suitesOf } from './standing.js';

/** The form is hidden until the script runs: without one it would do nothing. */
export function controls(board: Board): string {
  const suites = suitesOf(board);
  const families = familiesOf(board);
  return `<form id="controls" class="controls" hidden>
<label>Measure <select id="measure">${options(board.measures, '', board.primary)}</select></label>
<label>Rank by <select id="scope"><option value="micro">micro: every task equal</option><option value="macro">macro: every suite equal</option>
<optgroup label="One suite">${options(suites, 'suite:')}</optgroup>
<optgroup label="One task">${options(
    board.tasks.map(({ id }) => id),
    'task:',
  )}</optgroup></select></label>
<label>System contains <input id="text" type="search" autocomplete="off" spellcheck="false"></label>
<button type="reset">Show all</button>
${checkboxes('Suites', 'suite', suites)}
${checkboxes('Families', 'family', families)}
</form>`;
}

function options(names: readonly string[], prefix: string, selected?: string): string {
  return names
    .map((name, i) => {
      const mark = name === selected ? ' selected' : '';
      return `<option value="${prefix}${i}"${mark}>${escapeHtml(shownName(name))}</option>`;
    })
    .join('');
}

function checkboxes(legend: string, name: string, values: readonly string[]): string {
  const boxes = values.map(
    (value, i) =>
      `<label><input type="checkbox" name="${name}" value="${i}" checked> ${escapeHtml(shownName(value))}</label>`,
  );
  return `<fieldset><legend>${legend}</legend>${boxes.join('')}</fieldset>`;
}
