import type { Judgements } from '../../tasks/types.js';
import { decodeBeirQrels } from './beir-qrels.js';
import { detectFormat, type Format, unzipped } from './detect.js';
import { swapped } from './faults.js';
import { decodeJsonQrels, decodeJsonRun } from './json.js';
import { jsonRecords, tableRecords } from './records.js';
import type { Rankings } from './rows.js';
import { decodeTrecQrels } from './trec-qrels.js';
import { decodeTrecRun } from './trec-run.js';

export type { Format } from './detect.js';
export type { Rankings } from './rows.js';

export interface RunFile {
  /** How the file was written, for people: `TREC run, gzip`. */
  readonly format: string;
  /** Rows in the order of the file: scores need not descend. */
  readonly rankings: Rankings;
  /** The tag of a TREC run's last line. */
  readonly tag?: string;
}

export interface QrelsFile {
  readonly format: string;
  readonly judged: Judgements;
}

/**
 * A run from the bytes of a file: TREC, JSON `{"query": {"document": score}}`, records in JSON, a table under a header, or
 * Parquet, any of them under gzip, told by its content. `where` is the file's name for errors, which name the line. Strict: see `malformed`.
 */
export async function decodeRun(bytes: Uint8Array, where: string): Promise<RunFile> {
  const plain = unzipped(bytes, where);
  const format = detectFormat(plain, where);
  if (format === 'beir') throw swapped('run', where);
  const name = formatText(format, 'run', plain !== bytes);
  if (format === 'trec') return { format: name, ...decodeTrecRun(plain, where) };
  const decode = { json: decodeJsonRun, records: jsonRecords.run, table: tableRecords.run, parquet: parquet.run }[
    format
  ];
  return { format: name, rankings: await decode(plain, where) };
}

/** Judgements from the bytes of a file: TREC, BEIR's tsv, JSON, records, a table or Parquet. */
export async function decodeQrels(bytes: Uint8Array, where: string): Promise<QrelsFile> {
  const plain = unzipped(bytes, where);
  const format = detectFormat(plain, where);
  const decode = {
    trec: decodeTrecQrels,
    beir: decodeBeirQrels,
    json: decodeJsonQrels,
    records: jsonRecords.qrels,
    table: tableRecords.qrels,
    parquet: parquet.qrels,
  }[format];
  return { format: formatText(format, 'qrels', plain !== bytes), judged: await decode(plain, where) };
}

/** Loaded where a file needs it: text, which most files are, reads without it. */
const parquet = {
  run: async (bytes: Uint8Array, where: string) => (await import('./parquet.js')).decodeParquetRun(bytes, where),
  qrels: async (bytes: Uint8Array, where: string) => (await import('./parquet.js')).decodeParquetQrels(bytes, where),
};

const formatNames: Readonly<Record<Format, string>> = {
  trec: 'TREC',
  beir: 'BEIR',
  json: 'JSON',
  records: 'JSON records',
  table: 'table',
  parquet: 'Parquet',
};

function formatText(format: Format, content: 'run' | 'qrels', zipped: boolean): string {
  return `${formatNames[format]} ${content}${zipped ? ', gzip' : ''}`;
}
