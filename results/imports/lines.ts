import { TenbinError } from '../../core/errors.js';
import { numberAt } from '../readers/number.js';
import { type Entry, gather, meanOrNull } from './gather.js';
import { type ForeignResults, nameless } from './types.js';

/** A line of an evaluation program; `query` is null in a summary without the word `all`. */
interface Line {
  readonly query: string | null;
  readonly measure: string;
  readonly value: string;
  readonly at: number;
}

export type LineFormat = 'ir_measures' | 'trec_eval';

/**
 * What ir_measures and trec_eval print, told apart by where `all` or the measures stand: `measure value`,
 * `query measure value`, or trec_eval's `measure query value`, all between tabs. Null where it is neither.
 */
export function lineFormat(text: string, renamed: ReadonlyMap<string, string>): LineFormat | null {
  const rows = rowsIn(text);
  const widths = new Set(rows.map(({ fields }) => fields.length));
  const [width = 0] = widths;
  if (widths.size !== 1 || width < 2 || width > 3) return null;
  const isMeasure = (name: string) => renamed.has(name) || meanOrNull(name) !== null;
  // The first lines tell, and a name that is none costs a search for the nearest.
  const votes = (column: number) => rows.slice(0, voters).filter(({ fields }) => isMeasure(fields[column])).length;
  if (width === 2) return votes(0) > 0 ? 'ir_measures' : null;
  const all = (column: number) => rows.some(({ fields }) => fields[column] === 'all');
  if (all(1) === all(0)) return votes(0) === votes(1) ? null : votes(1) > votes(0) ? 'ir_measures' : 'trec_eval';
  return all(0) ? 'ir_measures' : 'trec_eval';
}

const voters = 40;

/** The summary's values where there is one, else the means of the queries' values. */
export function decodeLines(
  text: string,
  format: LineFormat,
  { where, renamed }: { readonly where: string; readonly renamed: ReadonlyMap<string, string> },
): ForeignResults {
  const lines = rowsIn(text).map((row) => lineOf(row, format));
  const queries = new Map<string, number[]>();
  const summary: Entry[] = [];
  let told: number | null = null;
  for (const line of lines) {
    const value = numberOf(line, where);
    if (line.query !== null && line.query !== 'all') addValue(queries, line.measure, value);
    else if (line.measure === 'num_q' || line.measure === 'NumQ') told = value;
    else summary.push([line.measure, value]);
  }
  const counted = Math.max(0, ...[...queries.values()].map((values) => values.length));
  const n = told ?? (counted === 0 ? null : counted);
  const entries = summary.length > 0 ? summary : [...queries].map(([name, values]): Entry => [name, meanOf(values)]);
  const { measures, notes } = gather(entries, { where, counterpart: (name) => name, renamed, n });
  const dropped = counted === 0 ? [] : ['the values of the queries are not kept'];
  return { ...nameless, part: null, measures, notes: [...notes, ...dropped] };
}

export function addValue(columns: Map<string, number[]>, name: string, value: number): void {
  const known = columns.get(name);
  if (known === undefined) columns.set(name, [value]);
  else known.push(value);
}

interface Row {
  readonly fields: readonly string[];
  readonly at: number;
}

function rowsIn(text: string): Row[] {
  return text
    .split('\n')
    .map((line, i) => ({
      fields: line
        .replace(/\r$/, '')
        .split('\t')
        .map((field) => field.trimEnd()),
      at: i + 1,
    }))
    .filter(({ fields }) => fields.some((field) => field !== ''));
}

function lineOf({ fields, at }: Row, format: LineFormat): Line {
  const [first, second, third] = fields;
  if (fields.length === 2) return { query: null, measure: first, value: second, at };
  return format === 'ir_measures'
    ? { query: first, measure: second, value: third, at }
    : { query: second, measure: first, value: third, at };
}

/** trec_eval's `runid` has a name for a value: NaN, which is left out by name like any number that is none. */
function numberOf({ value, measure, at }: Line, where: string): number {
  const number = numberAt(value, 0, value.length);
  if (number !== undefined) return number;
  if (measure === 'runid' || measure === 'relstring') return Number.NaN;
  throw new TenbinError('malformed', {
    what: 'A value is not a number',
    value: `${where}:${at}: \`${value}\``,
    fix: 'Give the output as the program printed it.',
  });
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
