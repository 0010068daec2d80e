import { escape as escapeHtml } from 'html-escaper';
import type { Board } from '../board-types.js';
import { costKey } from '../pareto/cost-keys.js';
import { type Pareto, paretoOf } from '../pareto/pareto.js';
import { noPrices } from '../pareto/usd.js';
import { drawing } from './html-plot.js';
import { breakable } from './html-text.js';
import { shownName } from './names.js';

/** The id of the section, and the cost that it is about. */
const sections = [
  { id: 'bytes', heading: 'Quality against bytes', key: 'bytesPerDoc' },
  { id: 'flops', heading: 'Quality against FLOPs', key: 'flopsPerQuery' },
  { id: 'latency', heading: 'Quality against latency', key: 'latencyMs.p95' },
] as const;

/** Quality against each cost that some system has, with the frontier: static, made with the page. */
export function scatters(board: Board): string {
  return sections
    .flatMap((section) => {
      if (!board.systems.some(({ cost }) => hasCost(cost, section.key))) return [];
      const x = costKey(section.key, board.systems, noPrices);
      const pareto = paretoOf(board, { x, y: board.primary });
      return pareto.points.length === 0 ? [] : [sectionOf(pareto, section)];
    })
    .join('\n');
}

function hasCost(cost: Board['systems'][number]['cost'], key: (typeof sections)[number]['key']): boolean {
  return (key === 'latencyMs.p95' ? cost.latencyMs.p95 : cost[key]) !== null;
}

function sectionOf(pareto: Pareto, { id, heading }: (typeof sections)[number]): string {
  const { width, height, content, labelledBy } = drawing(pareto, `plot-${id}`);
  const name = escapeHtml(shownName(pareto.y.measure));
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
<p class="how">Micro mean of ${name} over all tasks, with its interval, against ${escapeHtml(pareto.x.title)}. ${better(pareto)} The dashed line is the frontier: no system is as cheap and as good as one on it and better in one of the two. Filters do not change it. ${timed(pareto)}${sentence(pareto)}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${heading}, scrolls sideways">
<svg class="plot" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${labelledBy}">
${content}
</svg>
</div>
${leftOut(pareto)}</section>`;
}

function better({ y }: Pareto): string {
  return y.better === 'more' ? 'Further up and further left is better.' : 'Further down and further left is better.';
}

/** What a user waits for is another time than that of a query among all. */
function timed({ x }: Pareto): string {
  return x.unit === 'ms'
    ? 'Times are of a batch run, without encoding the query; <code>tenbin latency</code> measures serving. '
    : '';
}

const sentence = ({ summary }: Pareto): string => escapeHtml(shownName(summary.sentence, 300));

function leftOut({ leftOut: all }: Pareto): string {
  if (all.length === 0) return '';
  const items = all.map(
    ({ system, reason }) => `<li>${breakable(shownName(system))}: ${escapeHtml(shownName(reason, 120))}</li>`,
  );
  return `<details><summary>${all.length} left out</summary><ul>${items.join('')}</ul></details>\n`;
}
