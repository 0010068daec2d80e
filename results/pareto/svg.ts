import { drawing } from '../reports/html-plot.js';
import { wellFormed } from '../reports/html-text.js';
import type { Pareto } from './pareto.js';

/** Black, white and grey: nothing is told by colour alone. */
const style = `text { fill: #333; font: 11px "Helvetica Neue", Helvetica, Arial, sans-serif; }
.label { fill: #000; font: 10.5px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; paint-order: stroke; stroke: #fff; stroke-width: 3px; stroke-linejoin: round; }
.grid { stroke: #ddd; stroke-width: .6; }
.error { stroke: #999; stroke-width: 1.2; }
.leader { stroke: #777; stroke-width: .6; stroke-dasharray: 2 2; fill: none; }
.frontier { stroke: #000; stroke-width: 1.4; stroke-dasharray: 6 3; fill: none; }
.break { stroke: #000; stroke-width: 1; }
.mark { fill: #fff; stroke: #000; stroke-width: 1.4; }
.filled, .half { fill: #000; }`;

/** A file of its own, valid XML; it fetches nothing. Null where there is no point to draw. */
export function paretoSvg(pareto: Pareto): string | null {
  if (pareto.points.length === 0) return null;
  const { width, height, content, labelledBy } = drawing(pareto, 'pareto');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${labelledBy}">
<style>${style}</style>
<rect width="${width}" height="${height}" fill="#fff"/>
${wellFormed(content)}
</svg>
`;
}
