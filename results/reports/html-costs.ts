import { escape as escapeHtml } from 'html-escaper';
import type { Board, BoardSystem } from '../board-types.js';
import { allCostColumns, type CostColumn } from './html-cost.js';
import { breakable } from './html-text.js';
import { systemName } from './standing.js';

/** Every cost of every system: static, made with the page. */
export function costTable(board: Board): string {
  const columns = allCostColumns(board);
  if (columns.length === 0) return '';
  const heads = columns.map(({ head }) => `<th scope="col"><span>${breakable(head)}</span></th>`).join('');
  return `<section aria-labelledby="costs">
<h2 id="costs">Costs</h2>
<p class="how">Means over all tasks, each equal; filters do not change them. FLOPs are of matrix products, a multiply-add being two, and look-ups are free: systems that search words count postings and need none. RPP is quality and QPP queries per PetaFLOP (arXiv 2507.06223).</p>
<div class="scroll" tabindex="0" role="region" aria-label="Costs, scrolls sideways">
<table id="costs-table">
<thead><tr><th scope="col" class="text">system</th>${heads}</tr></thead>
<tbody>
${board.systems.map((system) => costRow(system, columns)).join('\n')}
</tbody>
</table>
</div>
</section>`;
}

function costRow(system: BoardSystem, columns: readonly CostColumn[]): string {
  return `<tr><th scope="row">${breakable(systemName(system))}</th>${columns.map((column) => costCell(system, column)).join('')}</tr>`;
}

/** The number, or a dash that says why there is none. */
export function costCell(system: BoardSystem, { of, text, why }: CostColumn): string {
  const value = of(system);
  if (value === null) return `<td class="cost" title="${escapeHtml(why(system))}">–</td>`;
  return `<td class="cost">${escapeHtml(text(value))}</td>`;
}
