/**
 * The fields of one line, as positions in the text. One such record is filled again and again: a run of a million lines
 * would otherwise make a million arrays.
 */
export interface Fields {
  /** How many the line has, also where it is more than are kept. */
  count: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Where the next line begins. */
  next: number;
}

const kept = 8;

export function emptyFields(): Fields {
  return { count: 0, starts: new Int32Array(kept), ends: new Int32Array(kept), next: 0 };
}

const newline = 10;

/** Splits the line that begins at `from` at runs of ASCII white space, as C's isspace: other blanks belong to ids. */
export function scanFields(text: string, from: number, fields: Fields): void {
  const { starts, ends } = fields;
  const length = text.length;
  let count = 0;
  let i = from;
  for (;;) {
    while (i < length && isBlank(text.charCodeAt(i))) i++;
    if (i >= length || text.charCodeAt(i) === newline) break;
    if (count < kept) starts[count] = i;
    while (i < length && isInside(text.charCodeAt(i))) i++;
    if (count < kept) ends[count] = i;
    count++;
  }
  fields.count = count;
  fields.next = i + 1;
}

/** The same at tabs alone, for tsv: ids may hold blanks, blanks around a field are not part of it. */
export function scanTabs(text: string, from: number, fields: Fields): void {
  const end = lineEnd(text, from);
  let count = 0;
  let start = from;
  fields.next = end + 1;
  while (start <= end) {
    const tab = text.indexOf('\t', start);
    const stop = tab < 0 || tab > end ? end : tab;
    if (count < kept) trim(text, { start, stop, count }, fields);
    count++;
    start = stop + 1;
  }
  fields.count = count === 1 && fields.starts[0] === fields.ends[0] ? 0 : count;
}

function trim(text: string, at: { start: number; stop: number; count: number }, fields: Fields): void {
  let { start, stop } = at;
  while (start < stop && isBlank(text.charCodeAt(start))) start++;
  while (stop > start && isBlank(text.charCodeAt(stop - 1))) stop--;
  fields.starts[at.count] = start;
  fields.ends[at.count] = stop;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Blank, tab, vertical tab, form feed, carriage return; a newline is not one of them. */
function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9 || (unit >= 11 && unit <= 13);
}

function isInside(unit: number): boolean {
  return unit > 32 || (unit !== newline && !isBlank(unit));
}

export function field(text: string, fields: Fields, index: number): string {
  return text.slice(fields.starts[index], fields.ends[index]);
}

/** Whether the field is exactly this text, without making a string of it; a loop is faster than startsWith for ids. */
export function isField(text: string, fields: Fields, index: number, expected: string): boolean {
  const start = fields.starts[index];
  if (fields.ends[index] - start !== expected.length) return false;
  for (let i = 0; i < expected.length; i++) if (text.charCodeAt(start + i) !== expected.charCodeAt(i)) return false;
  return true;
}

/**
 * trec_eval 10 skips lines that begin with `#`. Here a line is a comment where its first column is `#` alone, or begins with
 * it and the columns do not fit. A query may be called `#1`.
 */
export function isComment(text: string, { count, starts, ends }: Fields, columns: 'four' | 'six'): boolean {
  if (text.charCodeAt(starts[0]) !== 35) return false;
  return ends[0] - starts[0] === 1 || (columns === 'six' ? count < 6 : count !== 4);
}
