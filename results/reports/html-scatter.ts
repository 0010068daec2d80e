import { escape as escapeHtml } from 'html-escaper';
import { bytesText } from '../../core/numbers.js';
import type { FamilyName } from '../../runners/system.js';
import { type Board, own } from '../board-types.js';
import { placeLabels } from './html-labels.js';
import { shownName } from './names.js';
import { completeOf } from './standing.js';

interface Point {
  readonly id: string;
  readonly family: FamilyName;
  readonly bytes: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const frame = { left: 60, right: 940, top: 30, bottom: 430 };

/** Families differ by shape, so that the plot can be read in black and white. */
const shapes: Readonly<Record<FamilyName, string>> = {
  lexical: 'M-4.5 -4.5H4.5V4.5H-4.5Z',
  dense: 'M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z',
  sparse: 'M0 -6L5.5 4.5H-5.5Z',
  'late-interaction': 'M0 -6.5L6.5 0L0 6.5L-6.5 0Z',
  reranker: 'M-5 -5L5 5M5 -5L-5 5',
};

/** Quality against bytes per document, for the complete systems: static, made with the page. */
export function scatter(board: Board): string {
  const points = pointsOf(board);
  if (points.length === 0) return '';
  const name = escapeHtml(shownName(board.primary));
  return `<section aria-labelledby="bytes">
<h2 id="bytes">Quality against bytes</h2>
<p class="how">Micro mean of ${name} over all tasks, with its interval, against bytes per document (log scale). Further up and further left is better. Complete systems only; filters do not change it.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Plot of quality against bytes, scrolls sideways">
${drawing(points, name)}
</div>
</section>`;
}

function pointsOf(board: Board): readonly Point[] {
  return completeOf(board).flatMap(({ id, family, micro, cost }): Point[] => {
    const { value, low, high } = own(micro, board.primary) ?? { value: null, low: null, high: null };
    if (value === null || cost.bytesPerDoc === null) return [];
    return [{ id, family, bytes: cost.bytesPerDoc, value, low: low ?? value, high: high ?? value }];
  });
}

function drawing(points: readonly Point[], name: string): string {
  const horizontal = bytesAxis(points.map(({ bytes }) => bytes));
  const vertical = valueAxis(points.flatMap(({ low, high }) => [low, high]));
  const placed = points.map((point) => ({ ...point, x: horizontal.at(point.bytes), y: vertical.at(point.value) }));
  const labels = placeLabels(
    placed.map(({ id, x, y }) => ({ x, y, text: shownName(id, 36) })),
    frame,
  );
  return `<svg id="scatter" viewBox="0 0 960 480" role="img" aria-label="${name} against bytes per document; the ranking above holds the same numbers">
${vertical.ticks.map(({ at, text }) => `<path class="grid" d="M${frame.left} ${at}H${frame.right}"/><text x="${frame.left - 8}" y="${at}" dy="4" text-anchor="end">${text}</text>`).join('\n')}
${horizontal.ticks.map(({ at, text }) => `<path class="grid" d="M${at} ${frame.top}V${frame.bottom}"/><text x="${at}" y="${frame.bottom + 18}" text-anchor="middle">${text}</text>`).join('\n')}
<text x="${frame.right}" y="${frame.bottom + 38}" text-anchor="end">bytes per document →</text>
<text x="${frame.left - 48}" y="18">↑ ${name}</text>
${legend(points)}
${placed.map(({ x, low, high }) => `<path class="error" d="M${x} ${vertical.at(low)}V${vertical.at(high)}"/>`).join('\n')}
${labels.map(({ leader }) => (leader === null ? '' : `<path class="leader" d="${leader}"/>`)).join('')}
${placed.map(({ family, x, y }) => `<path class="mark" transform="translate(${x} ${y})" d="${shapes[family]}"/>`).join('\n')}
${labels.map(({ x, y, anchor, text }) => `<text class="label" x="${x}" y="${y}" text-anchor="${anchor}">${escapeHtml(text)}</text>`).join('\n')}
</svg>`;
}

interface Axis {
  readonly at: (value: number) => number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** Powers of two, at most nine ticks; systems that store nothing stand one octave before the rest, at a tick of their own. */
function bytesAxis(bytes: readonly number[]): Axis {
  const octaves = bytes.filter((value) => value > 0).map(Math.log2);
  const zero = octaves.length < bytes.length;
  const first = octaves.length === 0 ? 0 : Math.floor(Math.min(...octaves));
  const from = zero ? first - 1 : first;
  const to = Math.max(from + 1, ...octaves.map(Math.ceil));
  const scale = (octave: number) =>
    tenth(frame.left + 20 + ((frame.right - frame.left - 40) * (octave - from)) / (to - from));
  const step = Math.ceil((to - first + 1) / 9);
  const powers = Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, i) => first + i * step);
  const ticks = powers.map((power) => ({ at: scale(power), text: bytesText(2 ** power) }));
  return {
    at: (value) => scale(value > 0 ? Math.log2(value) : from),
    ticks: zero ? [{ at: scale(from), text: '0 B' }, ...ticks] : ticks,
  };
}

/** From the lowest to the highest end of an interval, ticks at steps of 0.05, or of 0.1 or 0.2 where there were many. */
function valueAxis(ends: readonly number[]): Axis {
  const spread = Math.max(...ends) - Math.min(...ends);
  const perUnit = spread > 0.8 ? 5 : spread > 0.35 ? 10 : 20;
  const from = Math.floor(Math.min(...ends) * perUnit);
  const to = Math.max(from + 1, Math.ceil(Math.max(...ends) * perUnit));
  const at = (value: number) =>
    tenth(frame.bottom - ((frame.bottom - frame.top) * (value * perUnit - from)) / (to - from));
  const steps = Array.from({ length: to - from + 1 }, (_, i) => (from + i) / perUnit);
  return { at, ticks: steps.map((value) => ({ at: at(value), text: value.toFixed(2) })) };
}

function legend(points: readonly Point[]): string {
  const families = [...new Set(points.map(({ family }) => family))].sort();
  return families
    .map((family, i) => {
      const x = 200 + i * 130;
      return `<path class="mark" transform="translate(${x} 14)" d="${shapes[family]}"/><text x="${x + 12}" y="18">${family}</text>`;
    })
    .join('\n');
}
