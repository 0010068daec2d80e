import { escape as escapeHtml } from 'html-escaper';
import { byCodePoint } from '../../core/order.js';
import { costText } from '../pareto/cost-text.js';
import type { Pareto, ParetoPoint } from '../pareto/pareto.js';
import type { Status } from '../pareto/types.js';
import { type Axis, type CostAxis, costAxis, tenth, valueAxis } from './html-axis.js';
import { type Frame, fittingLabels, type Label, placeLabels } from './html-labels.js';
import { markAt, statusWords } from './html-marks.js';
import { shownName } from './names.js';

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** What stands inside the svg element: title, description, axes, frontier, points, labels, legend. */
  readonly content: string;
  /** Of title and description, for `aria-labelledby`. */
  readonly labelledBy: string;
}

const width = 960;
const lowest = 400;

/** With more points, naming each would make a plot of many screens, at a comparison for each pair of labels. */
export const mostLabelled = 200;
export const crowdRule = `of a plot of more than ${mostLabelled} points, names stand only where they fit, at ${mostLabelled} points of the frontier at most.`;

interface Layout {
  readonly frame: Frame;
  readonly horizontal: CostAxis;
  readonly vertical: Axis;
  readonly placed: readonly Placed[];
  readonly labels: readonly Label[];
}

interface Placed extends ParetoPoint {
  /** In pixels. */
  readonly at: { readonly x: number; readonly y: number };
}

/**
 * Quality against cost with the frontier as a step: what is best at a cost stays so until something better begins. The same points
 * give the same bytes. `id` is an id of the document that no other element has. At least one point.
 */
export function drawing(pareto: Pareto, id: string): Drawing {
  const layout = laidOut(pareto, lowest);
  const { frame, horizontal, vertical, placed, labels } = layout;
  const lines = [
    ...describing(pareto, id),
    ...axes(layout, pareto),
    ...placed.map(({ at, low, high, y }) => errorBar(at.x, [vertical.at(low ?? y), vertical.at(high ?? y)])),
    frontierLine(placed, frame),
    ...labels.flatMap(({ leader }) => (leader === null ? [] : [`<path class="leader" d="${leader}"/>`])),
    // The frontier last: of points at one place it is the one that is seen.
    ...placed.toReversed().map((point) => markAt(point.at, point.family, point.status, titleOf(point, pareto))),
    ...labels.map(labelText),
    ...legend(pareto.points, frame.bottom + 62),
    ...(horizontal.breakAt === null ? [] : [axisBreak(horizontal.breakAt, frame.bottom)]),
  ];
  const labelledBy = `${id}-title ${id}-desc`;
  return { width, height: frame.bottom + 94, content: lines.join('\n'), labelledBy };
}

/** As high as the labels need: the loop ends, since a frame of four lines for each point holds them all. */
function laidOut(pareto: Pareto, height: number): Layout {
  const frame = { left: 72, right: 940, top: 34, bottom: 34 + height };
  const { points, x } = pareto;
  const horizontal = costAxis(
    points.map((point) => point.x),
    x.unit,
    { from: frame.left, to: frame.right },
  );
  const ends = points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]);
  const vertical = valueAxis(ends, { from: frame.bottom, to: frame.top });
  const placed = [...points]
    .sort((a, b) => rank(a.status) - rank(b.status))
    .map((point) => ({ ...point, at: { x: horizontal.at(point.x), y: vertical.at(point.y) } }));
  const lines = segmentsOf(cornersOf(placed), frame);
  const labelled = (some: readonly Placed[]) => some.map((point) => ({ ...point.at, text: labelOf(point) }));
  const labels =
    placed.length > mostLabelled
      ? fittingLabels(labelled(spread(placed)), frame, { marks: placed.map(({ at }) => at), lines })
      : placeLabels(labelled(placed), frame, lines);
  return labels === null ? laidOut(pareto, Math.ceil(height * 1.25)) : { frame, horizontal, vertical, placed, labels };
}

/** Points of the frontier from one end to the other, as many as may be labelled. */
function spread(placed: readonly Placed[]): readonly Placed[] {
  const frontier = placed.filter(({ status }) => status === 'frontier');
  const count = Math.min(frontier.length, mostLabelled);
  return Array.from({ length: count }, (_, i) => frontier[Math.floor((i * frontier.length) / count)]);
}

/** Labels of the frontier choose their places first. */
const rank = (status: Status): number => Object.keys(statusWords).indexOf(status);

const labelOf = ({ system, safeguarded }: ParetoPoint): string => `${shownName(system, 30)}${safeguarded ? ' †' : ''}`;

function describing({ y, x, summary, points }: Pareto, id: string): readonly string[] {
  const frontier = points.filter(({ status }) => status === 'frontier');
  const names = frontier.map(({ system }) => shownName(system)).join(', ');
  const rest = points.length > mostLabelled ? `Note: ${crowdRule}` : `The frontier, cheapest first: ${names}.`;
  const sentence = `${shownName(summary.sentence, 300)} ${rest}`;
  return [
    `<title id="${id}-title">${escapeHtml(`${shownName(y.measure)} against ${shownName(x.title)}`)}</title>`,
    `<desc id="${id}-desc">${escapeHtml(sentence)}</desc>`,
  ];
}

function axes({ frame, horizontal, vertical }: Layout, { x, y }: Pareto): readonly string[] {
  const { left, right, top, bottom } = frame;
  const better = y.better === 'more' ? '↑' : '↓';
  return [
    ...vertical.ticks.map(
      ({ at, text }) =>
        `<path class="grid" d="M${left} ${at}H${right}"/><text x="${left - 8}" y="${at}" dy="4" text-anchor="end">${text}</text>`,
    ),
    ...horizontal.ticks.map(
      ({ at, text }) =>
        `<path class="grid" d="M${at} ${top}V${bottom}"/><text x="${at}" y="${bottom + 18}" text-anchor="middle">${text}</text>`,
    ),
    `<text x="${right}" y="${bottom + 38}" text-anchor="end">← better · ${escapeHtml(shownName(x.title))}, log scale</text>`,
    `<text x="12" y="18">${better} better · ${escapeHtml(shownName(y.measure))}, 95 % intervals</text>`,
  ];
}

const errorBar = (x: number, [low, high]: readonly [number, number]): string =>
  low === high ? '' : `<path class="error" d="M${x} ${low}V${high}"/>`;

interface Pixel {
  readonly x: number;
  readonly y: number;
}

function cornersOf(placed: readonly Placed[]): readonly Pixel[] {
  const corners = placed.filter(({ status }) => status === 'frontier').map(({ at }) => at);
  return corners.sort((a, b) => a.x - b.x);
}

/** From its cheapest point to the right edge; equal points are one corner. */
function frontierLine(placed: readonly Placed[], { right }: Frame): string {
  const [first, ...rest] = cornersOf(placed);
  if (first === undefined) return '';
  return `<path class="frontier" d="M${first.x} ${first.y}${rest.map(({ x, y }) => `H${x}V${y}`).join('')}H${right}"/>`;
}

/** The same line as boxes without width, for labels to keep off. */
function segmentsOf(corners: readonly Pixel[], { right }: Frame): readonly Frame[] {
  return corners.flatMap(({ x, y }, i) => {
    const next = corners[i + 1] ?? { x: right, y };
    return [
      { left: x, right: next.x, top: y, bottom: y },
      { left: next.x, right: next.x, top: Math.min(y, next.y), bottom: Math.max(y, next.y) },
    ];
  });
}

function titleOf({ system, x, y, status, by }: ParetoPoint, pareto: Pareto): string {
  const cost = `${costText(x, pareto.x.unit)} (${shownName(pareto.x.title)})`;
  const than = by === undefined ? '' : ` by ${shownName(by)}`;
  return escapeHtml(`${shownName(system, 200)}: ${y.toFixed(4)} at ${cost}, ${statusWords[status]}${than}`);
}

function labelText({ x, y, anchor, text }: Label): string {
  return `<text class="label" x="${x}" y="${y}" text-anchor="${anchor}">${escapeHtml(text)}</text>`;
}

/** What shape and filling mean, as far as they occur. */
function legend(points: readonly ParetoPoint[], y: number): readonly string[] {
  const families = [...new Set(points.map(({ family }) => family))].sort(byCodePoint);
  const present = new Set(points.map(({ status }) => status));
  const states = (['frontier', 'dominatedWithinError', 'dominated'] as const).filter((status) => present.has(status));
  const entry = (mark: string, text: string, at: { readonly x: number; readonly y: number }) =>
    `${mark}<text x="${at.x + 12}" y="${at.y + 4}">${text}</text>`;
  return [
    ...families.map((family, i) => {
      const at = { x: 78 + i * 160, y };
      return entry(markAt(at, family, 'dominated'), family, at);
    }),
    ...states.map((status, i) => {
      const at = { x: 78 + i * 160, y: y + 20 };
      return entry(markAt(at, families[0], status), statusWords[status], at);
    }),
  ];
}

function axisBreak(x: number, bottom: number): string {
  return `<path class="break" d="M${tenth(x - 4)} ${bottom + 5}L${tenth(x)} ${bottom - 5}M${tenth(x + 2)} ${bottom + 5}L${tenth(x + 6)} ${bottom - 5}"/>`;
}
