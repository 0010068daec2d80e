import { bytesIn, forEachField, notOnnx, numberIn, pushReal, pushWhole, textIn } from './fields.js';
import { elementTypes, type OnnxTensor } from './model.js';

/** Field numbers of TensorProto and SparseTensorProto (onnx.proto). */
const field = { dims: 1, type: 2, floats: 4, int32s: 5, int64s: 7, name: 8, raw: 9, doubles: 10, uint64s: 11 } as const;
const sparse = { values: 1, dims: 3 } as const;
/** No operator makes sense of more axes; ONNX Runtime has none with more than eight. */
const mostAxes = 64;

export function readTensor(message: Uint8Array): OnnxTensor {
  const dims: number[] = [];
  const numbers: number[] = [];
  let [name, type, raw]: [string, number, Uint8Array | null] = ['', 0, null];
  forEachField(message, (at, value) => {
    if (at === field.dims) pushWhole(dims, value);
    else if (at === field.type) type = numberIn(value);
    else if (at === field.name) name = textIn(value);
    else if (at === field.raw) raw = bytesIn(value);
    else if (at === field.floats) pushReal(numbers, value, 4);
    else if (at === field.doubles) pushReal(numbers, value, 8);
    else if (at === field.int32s || at === field.int64s || at === field.uint64s) pushWhole(numbers, value);
  });
  return { name, type, dims: sizesOf(dims, name), raw, numbers };
}

/** Only its shape is needed: a sparse weight multiplies as a dense one does. */
export function readSparseTensor(message: Uint8Array): OnnxTensor {
  const dims: number[] = [];
  let values: OnnxTensor | null = null;
  forEachField(message, (at, value) => {
    if (at === sparse.dims) pushWhole(dims, value);
    else if (at === sparse.values) values = readTensor(bytesIn(value));
  });
  const { name, type } = values ?? { name: '', type: 0 };
  return { name, type, dims: sizesOf(dims, name), raw: null, numbers: [] };
}

function sizesOf(dims: readonly number[], name: string): readonly number[] {
  if (dims.length > mostAxes) throw notOnnx(`tensor ${name} has ${dims.length} axes`);
  const wrong = dims.find((size) => !Number.isSafeInteger(size) || size < 0);
  if (wrong !== undefined) throw notOnnx(`tensor ${name} has an axis of ${wrong}`);
  return dims;
}

const readers: ReadonlyMap<number, { readonly bytes: number; readonly at: (view: DataView, at: number) => number }> =
  new Map([
    [elementTypes.float, { bytes: 4, at: (view: DataView, at: number) => view.getFloat32(at, true) }],
    [elementTypes.double, { bytes: 8, at: (view: DataView, at: number) => view.getFloat64(at, true) }],
    [elementTypes.uint8, { bytes: 1, at: (view: DataView, at: number) => view.getUint8(at) }],
    [elementTypes.bool, { bytes: 1, at: (view: DataView, at: number) => view.getUint8(at) }],
    [elementTypes.int8, { bytes: 1, at: (view: DataView, at: number) => view.getInt8(at) }],
    [elementTypes.uint16, { bytes: 2, at: (view: DataView, at: number) => view.getUint16(at, true) }],
    [elementTypes.int16, { bytes: 2, at: (view: DataView, at: number) => view.getInt16(at, true) }],
    [elementTypes.int32, { bytes: 4, at: (view: DataView, at: number) => view.getInt32(at, true) }],
    [elementTypes.uint32, { bytes: 4, at: (view: DataView, at: number) => view.getUint32(at, true) }],
    [elementTypes.int64, { bytes: 8, at: (view: DataView, at: number) => Number(view.getBigInt64(at, true)) }],
    [elementTypes.uint64, { bytes: 8, at: (view: DataView, at: number) => Number(view.getBigUint64(at, true)) }],
  ]);

/** The numbers of a small constant. Null where they lie in another file, or are of a type that no shape is made of. */
export function numbersOf({ type, raw, numbers }: OnnxTensor, elements: number): readonly number[] | null {
  if (raw === null) return numbers.length === elements ? numbers : null;
  const reader = readers.get(type);
  if (reader === undefined || raw.length < elements * reader.bytes) return null;
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  return Array.from({ length: elements }, (_, i) => reader.at(view, i * reader.bytes));
}
