import type { SourceQrel } from '../types.js';
import type { Problem } from './records.js';

/**
 * The fields of a line of tab-separated values. A field in double quotes is taken out of them, with a doubled quote for
 * one of its own, as Python's csv module writes ids that hold tabs or quotes; a quote elsewhere is a character.
 */
export function tsvFields(line: string): readonly string[] {
  if (!line.includes('"')) return line.split('\t');
  const field = /(?:"((?:[^"]|"")*)"(?=\t|$)|([^\t]*))(\t|$)/gy;
  const fields: string[] = [];
  for (let match = field.exec(line); match !== null; match = field.exec(line)) {
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') break;
  }
  return fields;
}

/** `query-id`, `corpus-id` and `score`, as BEIR has them. A first line of their names is no judgement. */
export function readQrelsTsv(line: string, at: string, number: number): SourceQrel | Problem | undefined {
  const fields = tsvFields(line);
  const [query = '', doc = '', grade = ''] = fields.map((field, i) => (i === 2 ? field.trim() : field));
  if (fields.length !== 3) return { problem: `it has ${fields.length} fields between tabs and wants 3` };
  if (number === 1 && isHeader(query, grade)) return undefined;
  if (query === '' || doc === '') return { problem: 'an id is empty' };
  return { query, doc, grade, at };
}

/** A topic of a TREC topics file: an id, a tab, and all the rest is text. */
export function splitAtTab(line: string): readonly [string, string] | undefined {
  const tab = line.indexOf('\t');
  return tab < 0 ? undefined : [line.slice(0, tab), line.slice(tab + 1)];
}

const idColumn = /^(?:(?:query|topic|q)?[-_ ]?(?:id|num|number)|query|topic)$/i;

/** Whether the first and last field name their columns. A judgement is never taken for that: its grade is a number. */
export function isHeader(first: string, last: string): boolean {
  return idColumn.test(first.trim()) && /^[a-z_-]+$/i.test(last.trim());
}
