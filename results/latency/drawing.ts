import { escape as escapeHtml } from 'html-escaper';
import { wellFormed } from '../reports/html-text.js';
import { shownName } from '../reports/names.js';
import { type LatencyEntry, type LatencyReport, type LatencyStage, latencyStages } from './report.js';
import { leastOf, totalText, usersText } from './tables.js';

const frame = { left: 20, axisLeft: 300, axisRight: 620, barLeft: 680, barRight: 980, top: 78, row: 46 } as const;
const longestName = 44;

/** Patterns, not colours, so that it can be read in black and white: what stands still is light, what works is dark. */
const fills: Readonly<Record<LatencyStage, string>> = {
  queue: '<rect width="8" height="8" fill="#fff"/><circle cx="2" cy="2" r="1" fill="#000"/>',
  tokenize: '<rect width="8" height="8" fill="#fff"/><path d="M0 4H8" stroke="#000"/>',
  encode: '<rect width="8" height="8" fill="#000"/>',
  search:
    '<rect width="8" height="8" fill="#fff"/><path d="M-2 2L2 -2M0 8L8 0M6 10L10 6" stroke="#000" stroke-width="2"/>',
  rescore: '<rect width="8" height="8" fill="#fff"/><path d="M0 4H8M4 0V8" stroke="#000"/>',
  rerank: '<rect width="8" height="8" fill="#777"/>',
  sort: '<rect width="8" height="8" fill="#fff"/><path d="M4 0V8" stroke="#000"/>',
  other: '<rect width="8" height="8" fill="#fff"/>',
};

/** Percentiles on a logarithmic axis, and beside them what the mean request is made of. Static; the same for the same samples. */
export function latencyDrawing({ systems, task, conditions }: LatencyReport): string {
  const axis = axisOf(systems);
  const height = frame.top + systems.length * frame.row + 50;
  const there = latencyStages.filter((stage) => systems.some((entry) => entry.stages[stage] !== undefined));
  const title = `Latency on ${escapeHtml(shownName(task))}`;
  const least = leastOf(conditions);
  return wellFormed(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 ${height}" font-family="sans-serif" font-size="12" role="img" aria-label="${title}">
<defs>${there.map((stage) => `<pattern id="${stage}" width="8" height="8" patternUnits="userSpaceOnUse">${fills[stage]}</pattern>`).join('')}</defs>
<rect width="1000" height="${height}" fill="#fff"/>
<text x="${frame.left}" y="24" font-size="15">${title}</text>
${legend(there)}
${axis.ticks.map(({ at, text }) => `<path d="M${at} ${frame.top}V${height - 44}" stroke="#bbb"/><text x="${at}" y="${height - 28}" text-anchor="middle">${text}</text>`).join('\n')}
<text x="${frame.axisLeft}" y="${height - 8}">ms from arrival to answer, logarithmic: square p50 (bar: its 95 % interval), diamond p95, cross p99</text>
${systems.map((entry, i) => row(entry, frame.top + i * frame.row + frame.row / 2, { at: axis.at, least })).join('\n')}
</svg>
`);
}

function legend(there: readonly LatencyStage[]): string {
  return there
    .map((stage, i) => {
      const [x, y] = [frame.barLeft + (i % 4) * 78, 34 + Math.floor(i / 4) * 18];
      return `<rect x="${x}" y="${y}" width="12" height="12" fill="url(#${stage})" stroke="#000"/><text x="${x + 16}" y="${y + 10}">${stage}</text>`;
    })
    .join('');
}

interface Scale {
  readonly at: (ms: number) => number;
  /** Below it nothing is a number, in ms. */
  readonly least: number;
}

function row(entry: LatencyEntry, y: number, { at, least }: Scale): string {
  const { p50, p95, p99, intervals } = entry.total;
  const name = shownName(entry.system, longestName);
  const { low, high } = intervals.p50 ?? { low: null, high: null };
  const marks = [
    // From the left edge where its lower end is below the clock.
    high === null
      ? ''
      : `<path d="M${low === null ? frame.axisLeft : at(low)} ${y}H${at(high)}" stroke="#000" stroke-width="3"/>`,
    p50 === null || p99 === null ? '' : `<path d="M${at(p50)} ${y}H${at(p99)}" stroke="#000"/>`,
    p50 === null ? '' : `<rect x="${tenth(at(p50) - 4)}" y="${y - 4}" width="8" height="8" fill="#000"/>`,
    p95 === null ? '' : `<path d="M${at(p95)} ${y - 6}l6 6l-6 6l-6 -6Z" fill="#fff" stroke="#000"/>`,
    p99 === null ? '' : `<path d="M${tenth(at(p99) - 4)} ${y - 4}l8 8m0 -8l-8 8" stroke="#000" stroke-width="1.5"/>`,
  ];
  return `<text x="${frame.left}" y="${y - 2}">${escapeHtml(name)}</text><text x="${frame.left}" y="${y + 13}" fill="#555">${escapeHtml(usersText(entry))} users, p50 ${escapeHtml(totalText(entry, 'p50', least))}${p50 === null ? '' : ' ms'}</text>
${marks.join('')}
${bar(entry, y)}`;
}

function bar({ stages }: LatencyEntry, y: number): string {
  const width = frame.barRight - frame.barLeft;
  let from = 0;
  const pieces = latencyStages.flatMap((stage) => {
    const share = stages[stage]?.share ?? 0;
    const x = frame.barLeft + width * from;
    from += share;
    // Thinner than a line it would look like one that is there.
    return width * share < 0.5
      ? []
      : [
          `<rect x="${tenth(x)}" y="${y - 10}" width="${tenth(width * share)}" height="20" fill="url(#${stage})" stroke="#000"/>`,
        ];
  });
  return pieces.join('');
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** Powers of ten around everything that is drawn. */
function axisOf(systems: readonly LatencyEntry[]) {
  const drawn = systems.flatMap(({ total }) =>
    [total.p50, total.p95, total.p99, total.intervals.p50?.low, total.intervals.p50?.high].flatMap((ms) =>
      typeof ms === 'number' && ms > 0 ? [Math.log10(ms)] : [],
    ),
  );
  const from = Math.floor(drawn.reduce((least, power) => Math.min(least, power), drawn[0] ?? 0));
  const to = Math.max(from + 1, Math.ceil(drawn.reduce((most, power) => Math.max(most, power), from + 1)));
  const at = (ms: number) =>
    tenth(frame.axisLeft + ((frame.axisRight - frame.axisLeft) * (Math.log10(ms) - from)) / (to - from));
  const ticks = Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
  return { at, ticks: ticks.map((ms) => ({ at: at(ms), text: String(Number(ms.toPrecision(3))) })) };
}
