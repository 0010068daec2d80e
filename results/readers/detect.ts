import { gunzipSync } from 'node:zlib';
import { reasonOf, TenbinError } from '../../core/errors.js';
import { areRowColumns } from './columns.js';
import { separatorOf } from './csv.js';
import { broken } from './faults.js';
import { emptyFields, field, scanTabs } from './fields.js';

/**
 * How a file is written: `trec` has columns between blanks, of either content; `records` a JSON object per document, `table`
 * a line per document under a header.
 */
export type Format = 'trec' | 'beir' | 'json' | 'records' | 'table' | 'parquet';

/** A run of ten million lines takes half of it; a bomb would take all memory. */
const mostUnzippedBytes = 2 ** 31;
/** Twice zipped happens; a file that unzips to itself exists. */
const mostLayers = 4;

/** The bytes under gzip, if there is one; gzip in gzip is taken off too. Refused beyond 2 GiB or four layers. */
export function unzipped(bytes: Uint8Array, where: string): Uint8Array {
  let plain = bytes;
  for (let layer = 0; plain[0] === 0x1f && plain[1] === 0x8b; layer++) {
    if (layer === mostLayers) throw broken(`This is gzip in more than ${mostLayers} layers`, where, unzipFix);
    plain = oneLayer(plain, where);
  }
  return plain;
}

const unzipFix = 'Unzip it yourself and look at what it is.';

function oneLayer(bytes: Uint8Array, where: string): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: mostUnzippedBytes });
  } catch (cause) {
    if (cause instanceof RangeError) throw broken('This gzip file holds more than 2 GiB', where, unzipFix);
    throw new TenbinError('damaged', {
      what: `This gzip file cannot be read to its end (${reasonOf(cause)})`,
      value: where,
      fix: 'It was cut off or changed: fetch or compress it again.',
      cause,
    });
  }
}

const magics: readonly (readonly [name: string, magic: readonly number[]])[] = [
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['lz4', [0x04, 0x22, 0x4d, 0x18]],
  ['UTF-16', [0xff, 0xfe]],
  ['UTF-16', [0xfe, 0xff]],
];

/** The format by content; the name of the file says nothing. Text is looked at up to its first line with anything in it. */
export function detectFormat(bytes: Uint8Array, where: string): Format {
  if (startsWith(bytes, [0x50, 0x41, 0x52, 0x31])) return 'parquet';
  const other = magics.find(([, magic]) => startsWith(bytes, magic));
  if (other !== undefined) {
    throw new TenbinError('malformed', {
      what: `This file is in ${other[0]}, which is not read here`,
      value: where,
      fix: otherFixes.get(other[0]) ?? 'Give it as UTF-8 text, as Parquet, or either under gzip.',
    });
  }
  return textFormat(firstLine(bytes));
}

const otherFixes: ReadonlyMap<string, string> = new Map([
  [
    'lz4',
    'ranx writes its runs so: `Run.from_file("a.lz4").save("a.json")` gives one that is read; else use `lz4 -d`.',
  ],
  ['xz', 'Unpack it: `xz -dk FILE`.'],
  ['zstd', 'Unpack it: `zstd -d FILE`.'],
  ['bzip2', 'Unpack it: `bunzip2 -k FILE`.'],
]);

function textFormat(line: string): Format {
  const text = line.replace(/^\ufeff/, '').trim();
  if (text.startsWith('[')) return 'records';
  if (text.startsWith('{')) return hasRecordKey(text) ? 'records' : 'json';
  if (areRowColumns(csvNames(text)) && !hasBeirHeader(text)) return 'table';
  return hasBeirHeader(text) ? 'beir' : 'trec';
}

/** A column of ids with a text or number: in `{"query": {"document": number}}` an object stands there. */
function hasRecordKey(text: string): boolean {
  if (/^\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{/.test(text)) return false;
  return /[{,]\s*"(query-id|query_id|q_id|qid|doc_id|docno|docid)"\s*:\s*["\d-]/.test(text);
}

function csvNames(line: string): readonly string[] {
  return line.split(separatorOf(line)).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

/** The first line that is not blank; ids of 10 kB fit in what is looked at. */
function firstLine(bytes: Uint8Array): string {
  const head = new TextDecoder().decode(bytes.subarray(0, 1 << 16));
  return head.split('\n').find((line) => line.trim() !== '') ?? '';
}

/** Three columns between tabs under their names: `query-id corpus-id score`. With `doc_id` it is a table of either content. */
function hasBeirHeader(line: string): boolean {
  const fields = emptyFields();
  scanTabs(line, 0, fields);
  const isTable = /^(doc_id|docno|docid)$/.test(field(line, fields, 1));
  return fields.count === 3 && !isTable && /^(score|relevance|rel|grade|label)$/i.test(field(line, fields, 2));
}
