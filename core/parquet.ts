import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { compressors } from 'hyparquet-compressors';
import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { reasonOf, TenbinError } from './errors.js';

/** Column types of our files, as formats.md names them. */
export type ColumnType = 'string' | 'int32' | 'double' | 'list<string>' | 'list<double>';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly values: readonly unknown[];
  /** A column with nulls; the others are REQUIRED. */
  readonly optional?: true;
}

type SchemaElement = NonNullable<Parameters<typeof parquetWrite>[0]['schema']>[number];

/** Rows of one group: readers and the hub's viewer load a group at a time. */
const rowGroupSize = 64_000;

/**
 * An Apache Parquet file (snappy) from columns of equal length. Lists are the 3-level form that pyarrow, DuckDB and the
 * hub read; the schema is explicit because the writer would otherwise turn lists into JSON strings.
 */
export function encodeParquet(columns: readonly Column[]): Uint8Array {
  const writer = new ByteWriter();
  parquetWrite({
    writer,
    columnData: columns.map(({ name, type, values }) => ({ name, data: [...values], ...encodingOf(type) })),
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(schemaOf)],
    codec: 'SNAPPY',
    rowGroupSize,
    createdBy: 'tenbin',
  });
  return new Uint8Array(writer.getBuffer());
}

/** Scores hardly repeat, and ranges of ids or scores help no reader: looking for both costs a third of the writing. */
function encodingOf(type: ColumnType) {
  return type === 'list<double>'
    ? ({ encoding: 'PLAIN', statistics: false } as const)
    : { statistics: type === 'int32' };
}

function schemaOf({ name, type, optional }: Column): SchemaElement[] {
  const repetition_type = optional ? 'OPTIONAL' : 'REQUIRED';
  if (type === 'int32') return [{ name, type: 'INT32', repetition_type }];
  if (type === 'double') return [{ name, type: 'DOUBLE', repetition_type }];
  if (type === 'string') return [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type }];
  const element: SchemaElement =
    type === 'list<string>'
      ? { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' }
      : { name: 'element', type: 'DOUBLE', repetition_type: 'REQUIRED' };
  return [
    { name, converted_type: 'LIST', repetition_type, num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    element,
  ];
}

/** hyparquet's own decoder drops a leading U+FEFF, which would change a text. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const parsers = {
  ...DEFAULT_PARSERS,
  stringFromBytes: (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : utf8.decode(bytes)),
};

/** The rows of a Parquet file as plain objects. `where` names the file in the error of a damaged one. */
export async function decodeParquet(bytes: Uint8Array, where: string): Promise<Record<string, unknown>[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  try {
    const metadata = parquetMetadata(file);
    return await parquetReadObjects({ file, metadata, compressors, parsers });
  } catch (cause) {
    throw new TenbinError('damaged', {
      what: `This is not a whole Parquet file (${reasonOf(cause)})`,
      value: where,
      fix: 'It was cut off or overwritten: fetch or build it again.',
      cause,
    });
  }
}
