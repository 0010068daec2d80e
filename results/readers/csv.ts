import { broken } from './faults.js';

/** A line with a tab is separated by tabs, any other by commas. */
export function separatorOf(line: string): ',' | '\t' {
  return line.includes('\t') ? '\t' : ',';
}

/** The fields of a line; quotes around one may hold the separator, and a doubled quote is one (RFC 4180). */
export function csvFields(line: string, separator: ',' | '\t', where: string): readonly string[] {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (!text.includes('"')) return text.split(separator).map((field) => field.trim());
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const { field, next } = text[at] === '"' ? quoted(text, at, where) : plain(text, at, separator);
    fields.push(field);
    if (next >= text.length) return fields;
    if (text[next] !== separator) {
      throw broken('Something follows a closing quote', where, 'Double the quotes inside a field.');
    }
    at = next + 1;
    if (at === text.length) return [...fields, ''];
  }
}

interface Field {
  readonly field: string;
  /** Where the separator or the end is. */
  readonly next: number;
}

function plain(text: string, at: number, separator: string): Field {
  const end = text.indexOf(separator, at);
  const next = end < 0 ? text.length : end;
  return { field: text.slice(at, next).trim(), next };
}

function quoted(text: string, at: number, where: string): Field {
  let close = text.indexOf('"', at + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) throw broken('A quote is not closed on its line', where, 'A field ends on the line where it begins.');
  return { field: text.slice(at + 1, close).replaceAll('""', '"'), next: close + 1 };
}
