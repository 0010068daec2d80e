import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { TenbinError } from '../../../../core/errors.js';

/** What a field holds: a varint, a float or a double as a number; everything else as a view of the bytes. */
export type FieldValue = number | Uint8Array;

const decoder = new TextDecoder();

/** Walks over the fields of one message in their order. Whole numbers beyond 2^53 are rounded: no size is as large. */
export function forEachField(message: Uint8Array, visit: (field: number, value: FieldValue) => void): void {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    visit(field, readValue(reader, wire, field));
  }
}

function readValue(reader: BinaryReader, wire: WireType, field: number): FieldValue {
  if (wire === WireType.Varint) return Number(reader.int64());
  if (wire === WireType.LengthDelimited) return reader.bytes();
  if (wire === WireType.Bit32) return reader.float();
  if (wire === WireType.Bit64) return reader.double();
  return reader.skip(wire, field);
}

export function bytesIn(value: FieldValue): Uint8Array {
  if (typeof value === 'number') throw notOnnx('a message was expected where a number stands');
  return value;
}

export function textIn(value: FieldValue): string {
  return decoder.decode(bytesIn(value));
}

export function numberIn(value: FieldValue): number {
  if (typeof value !== 'number') throw notOnnx('a number was expected where a message stands');
  return value;
}

/** Repeated whole numbers come one by one, or packed into one field. */
export function pushWhole(list: number[], value: FieldValue): void {
  if (typeof value === 'number') {
    list.push(value);
    return;
  }
  const reader = new BinaryReader(value);
  while (reader.pos < reader.len) list.push(Number(reader.int64()));
}

/** Repeated floats (4 bytes each) or doubles (8), one by one or packed. */
export function pushReal(list: number[], value: FieldValue, bytesEach: 4 | 8): void {
  if (typeof value === 'number') {
    list.push(value);
    return;
  }
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  for (let at = 0; at + bytesEach <= value.length; at += bytesEach) {
    list.push(bytesEach === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true));
  }
}

export function notOnnx(why: string, cause?: unknown): TenbinError {
  return new TenbinError('malformed', {
    what: 'The file is no ONNX graph',
    value: why,
    fix: 'Name the .onnx file of a model, whole and as it was exported.',
    cause,
  });
}
