import { byCodePoint } from '../../core/order.js';
import type { Judgements } from '../../tasks/types.js';
import type { Scores } from '../score.js';
import type { Measure } from '../types.js';
import type { TrecLine } from './measures.js';
import { printfFixed } from './number.js';
import { countsOfRows, undefinedRows, undefinedText } from './undefined-rows.js';

export interface TrecLayout {
  readonly lines: readonly TrecLine[];
  /** Of `judged` in topic order: see `inTopicOrder`. */
  readonly scores: Scores;
  /** The tag of the run file's last line. */
  readonly tag: string;
  readonly topics: 'all' | 'retrieved';
  readonly documents: 'all' | 'judged';
  readonly perQuery: 'shown' | 'left-out';
  readonly summary: 'shown' | 'left-out';
}

/**
 * Judgements with the topics in trec_eval's order: by the bytes of their ids, and never as numbers. It is the order of its
 * lines for queries, and that in which it adds them up, so that the last digit of a mean is the same.
 */
export function inTopicOrder(judged: Judgements): Judgements {
  return new Map([...judged].sort(([a], [b]) => byCodePoint(a, b)));
}

/** The measures that the lines need, each once. */
export function measuresOf(lines: readonly TrecLine[]): readonly Measure[] {
  const own = lines.flatMap(({ measure, completeSummary }) => [measure ?? [], completeSummary ?? []].flat());
  const counts = lines.some(({ recalls }) => recalls !== undefined) ? countsOfRows : [];
  return [...new Map([...own, ...counts].map((measure) => [measure.name, measure])).values()];
}

/** trec_eval's output, byte for byte: name padded to 22, query or `all`, and the value, between tabs. */
export function trecText(layout: TrecLayout): string {
  const columns = layout.lines.map((line) => columnOf(line, layout));
  const perQuery = columns.filter(({ line }) => line.shown === 'everywhere');
  const rows = layout.perQuery === 'shown' ? layout.scores.queries : [];
  const text = rows.flatMap((query, row) => perQuery.map(({ line, ofRow }) => printed(line, query, ofRow(row))));
  if (layout.summary === 'shown') for (const { line, ofAll } of columns) text.push(printed(line, 'all', ofAll));
  return text.join('');
}

/** A line with its values as text. */
interface Column {
  readonly line: TrecLine;
  readonly ofRow: (row: number) => string;
  readonly ofAll: string;
}

function columnOf(line: TrecLine, { scores, tag, topics, documents }: TrecLayout): Column {
  const { measure, completeSummary, form } = line;
  if (measure === null) return { line, ofRow: () => tag, ofAll: tag };
  const values = scores.values.get(measure.name)?.expected ?? [];
  const summary = topics === 'all' ? (completeSummary ?? measure) : measure;
  const total = scores.totals.get(summary.name)?.expected ?? 0;
  const undefinedAt = documents === 'judged' ? undefinedRows(line, scores) : new Set<number>();
  return {
    line,
    ofRow: (row) => (undefinedAt.has(row) ? undefinedText : numberText(values[row], form)),
    ofAll: undefinedAt.size > 0 ? undefinedText : numberText(total, form),
  };
}

function printed({ name }: TrecLine, query: string, value: string): string {
  return `${name.padEnd(22)}\t${query}\t${value}\n`;
}

/** A count over ties can lie between two whole numbers, in `--ties expected` alone: it is then no count of trec_eval's. */
function numberText(value: number, form: TrecLine['form']): string {
  return form === 'count' && Number.isInteger(value) ? String(value) : printfFixed(value, 4);
}
