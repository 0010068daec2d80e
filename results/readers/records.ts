import type { Judgements } from '../../tasks/types.js';
import { idText, numberOf, type RowColumns, rowColumns } from './columns.js';
import { csvFields, separatorOf } from './csv.js';
import { broken, type Content } from './faults.js';
import { numberAt } from './number.js';
import {
  addGrade,
  addRowAt,
  checkedGrade,
  checkedScore,
  type GradesByQuery,
  judgementsOf,
  type Rankings,
  type RowsByQuery,
  rankingsOf,
  rowsOf,
} from './rows.js';
import { textPieces, wholeText } from './text.js';

/** One row of a file that has a row per document. `at` is its line, or its number in an array of JSON. */
interface Row {
  readonly query: string;
  readonly doc: string;
  readonly value: number | undefined;
  readonly shown: string;
  readonly at: number;
}

type Rows = (bytes: Uint8Array, where: string, content: Content) => Iterable<Row>;

/** ir_measures' rows as JSON: an array of objects, or an object per line. */
export const jsonRecords = readers(jsonRows);
/** The same under a header line, between commas or tabs. */
export const tableRecords = readers(tableRows);

interface Readers {
  readonly run: (bytes: Uint8Array, where: string) => Rankings;
  readonly qrels: (bytes: Uint8Array, where: string) => Judgements;
}

function readers(rows: Rows): Readers {
  return {
    run: (bytes, where) => {
      const queries: RowsByQuery = new Map();
      for (const { query, doc, value, shown, at } of rows(bytes, where, 'run')) {
        addRowAt(rowsOf(queries, query), doc, checkedScore(value, shown, `${where}:${at}`), at);
      }
      return rankingsOf(queries, where, (run, row) => `${where}:${run.at[row]}`);
    },
    qrels: (bytes, where) => {
      const judged: GradesByQuery = new Map();
      for (const { query, doc, value, shown, at } of rows(bytes, where, 'qrels')) {
        const here = `${where}:${at}`;
        addGrade(judged, query, { doc, grade: checkedGrade(value, shown, here), where: () => here });
      }
      return judgementsOf(judged, where);
    },
  };
}

function* jsonRows(bytes: Uint8Array, where: string, content: Content): Generator<Row> {
  const text = wholeText(bytes, where);
  const items = text.trimStart().startsWith('[') ? arrayItems(text, where) : lineItems(text, where);
  for (const { item, at } of items) {
    const here = `${where}:${at}`;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      throw broken('This is no record of a query, a document and a number', here, 'Write an object per document.');
    }
    const fields = new Map<string, unknown>(Object.entries(item));
    const columns = rowColumns([...fields.keys()], content, here);
    const value = fields.get(columns.value);
    yield {
      query: idText(fields.get(columns.query), here),
      doc: idText(fields.get(columns.doc), here),
      value: numberOf(value),
      shown: String(value),
      at,
    };
  }
}

interface Item {
  readonly item: unknown;
  readonly at: number;
}

function arrayItems(text: string, where: string): readonly Item[] {
  const items = parsed(text, where);
  return Array.isArray(items) ? items.map((item, i) => ({ item, at: i + 1 })) : [];
}

function* lineItems(text: string, where: string): Generator<Item> {
  let at = 0;
  for (const line of text.split('\n')) {
    at++;
    if (line.trim() !== '') yield { item: parsed(line, `${where}:${at}`), at };
  }
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const isNaNValue = /:\s*-?(NaN|Infinity)\s*[,}]/.test(text);
    throw broken(
      isNaNValue ? 'A record holds NaN or Infinity, which JSON has no word for' : 'This is no JSON',
      where,
      'Write a whole record per line, or one array of records, with numbers as scores.',
    );
  }
}

function* tableRows(bytes: Uint8Array, where: string, content: Content): Generator<Row> {
  let at = 0;
  let header: Header | undefined;
  for (const text of textPieces(bytes, where)) {
    for (const line of text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n')) {
      at++;
      if (line.trim() === '') continue;
      const here = `${where}:${at}`;
      if (header === undefined) header = headerOf(line, content, here);
      else yield { ...rowOf(csvFields(line, header.separator, here), header, here), at };
    }
  }
}

interface Header {
  readonly separator: ',' | '\t';
  readonly names: readonly string[];
  readonly columns: RowColumns;
}

function headerOf(line: string, content: Content, where: string): Header {
  const separator = separatorOf(line);
  const names = csvFields(line, separator, where);
  return { separator, names, columns: rowColumns(names, content, where) };
}

function rowOf(fields: readonly string[], { names, columns }: Header, where: string): Omit<Row, 'at'> {
  if (fields.length !== names.length) {
    const what = `The header names ${names.length} columns, and this line has ${fields.length}`;
    throw broken(what, where, 'Mend or remove the line.');
  }
  const [query, doc, shown] = [columns.query, columns.doc, columns.value].map((name) => fields[names.indexOf(name)]);
  return { query, doc, value: numberAt(shown, 0, shown.length), shown };
}
