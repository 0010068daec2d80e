import { z } from 'zod';
import { TenbinError } from '../../../core/errors.js';
import { fromHalf } from './half.js';

export interface StoredTensor {
  readonly shape: readonly number[];
  /** Row-major; made when it is first read, which throws `refused` for a format that is not read. */
  readonly values: Float32Array;
}

const entry = z.object({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});
interface Format {
  /** Of one number. */
  readonly bytes: number;
  readonly read: (data: ArrayBuffer) => Float32Array;
}

const formats: ReadonlyMap<string, Format> = new Map([
  ['F32', { bytes: 4, read: (data) => new Float32Array(data) }],
  ['F16', { bytes: 2, read: (data) => fromHalf(new Uint16Array(data)) }],
  // bfloat16 is the upper half of a float32.
  [
    'BF16',
    { bytes: 2, read: (data) => new Float32Array(Uint32Array.from(new Uint16Array(data), (w) => w << 16).buffer) },
  ],
] satisfies [string, Format][]);

const headerSchema = z.record(z.string(), z.unknown());

/** Bytes of a header that is believed: the format allows 100 MB, a layer needs a few hundred. */
const headerLimit = 1 << 20;

/**
 * Reads a small safetensors file: 8 bytes with the header's length, the header in JSON, then the tensors. Floating-point
 * formats of 16 and 32 bits are read; a tensor in another one matters only to who asks for its values.
 */
export function readSafetensors(name: string, bytes: Uint8Array): ReadonlyMap<string, StoredTensor> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length < 8 ? Number.POSITIVE_INFINITY : Number(view.getBigUint64(0, true));
  if (length > headerLimit || 8 + length > bytes.length) throw damaged(name, 'its header is longer than the file');
  const header = headerOf(name, bytes.subarray(8, 8 + length));
  const data = bytes.subarray(8 + length);
  const tensors = new Map<string, StoredTensor>();
  for (const [key, value] of header) {
    if (key === '__metadata__') continue;
    const parsed = entry.safeParse(value);
    if (!parsed.success) throw damaged(name, `the entry ${key} is malformed`);
    tensors.set(key, tensorOf(name, key, parsed.data, data));
  }
  return tensors;
}

function tensorOf(
  name: string,
  key: string,
  { dtype, shape, data_offsets: [from, to] }: z.infer<typeof entry>,
  data: Uint8Array,
): StoredTensor {
  if (to > data.length || from > to) throw damaged(name, `the tensor ${key} lies outside of the file`);
  const format = formats.get(dtype);
  const found = (to - from) / (format?.bytes ?? 1);
  const count = shape.reduce((product, size) => product * size, 1);
  if (format !== undefined && found !== count) {
    throw damaged(name, `the tensor ${key} has ${found} values, not ${count}`);
  }
  let made: Float32Array | null = null;
  return {
    shape,
    get values() {
      if (format === undefined) throw otherFormat(name, key, dtype);
      // A copy, at offset 0 of a buffer of its own, so that it can be seen as wider numbers.
      made ??= format.read(new Uint8Array(data.subarray(from, to)).buffer);
      return made;
    },
  };
}

function headerOf(name: string, bytes: Uint8Array): (readonly [string, unknown])[] {
  try {
    return Object.entries(headerSchema.parse(JSON.parse(new TextDecoder().decode(bytes))));
  } catch {
    throw damaged(name, 'its header is no JSON object');
  }
}

function damaged(name: string, why: string): TenbinError {
  const fix = 'Get the file again from where the model came from.';
  return new TenbinError('damaged', { what: `The safetensors file cannot be read: ${why}`, value: name, fix });
}

function otherFormat(name: string, key: string, dtype: string): TenbinError {
  return new TenbinError('refused', {
    what: `The safetensors file cannot be read: the tensor ${key} is of type ${dtype}`,
    value: name,
    fix: `Convert it to one of ${[...formats.keys()].join(', ')}.`,
  });
}
