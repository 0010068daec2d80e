import { z } from 'zod';
import { TenbinError } from '../../../core/errors.js';
import { fromHalf } from './half.js';

export interface StoredTensor {
  readonly shape: readonly number[];
  /** Row-major. */
  readonly values: Float32Array;
}

const entry = z.object({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});
const headerSchema = z.record(z.string(), z.unknown());

/** Bytes of a header that is believed: the format allows 100 MB, a layer needs a few hundred. */
const headerLimit = 1 << 20;

/**
 * Reads a small safetensors file: 8 bytes with the header's length, the header in JSON, then the tensors. Floating-point
 * formats of 16 and 32 bits are read, others left out.
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
    const {
      dtype,
      shape,
      data_offsets: [from, to],
    } = parsed.data;
    const values = to > data.length || from > to ? null : valuesOf(dtype, new Uint8Array(data.subarray(from, to)));
    const count = shape.reduce((product, size) => product * size, 1);
    if (values === null) throw damaged(name, `the tensor ${key} lies outside of the file or is of type ${dtype}`);
    if (values.length !== count) throw damaged(name, `the tensor ${key} has ${values.length} values, not ${count}`);
    tensors.set(key, { shape, values });
  }
  return tensors;
}

function headerOf(name: string, bytes: Uint8Array): (readonly [string, unknown])[] {
  try {
    return Object.entries(headerSchema.parse(JSON.parse(new TextDecoder().decode(bytes))));
  } catch {
    throw damaged(name, 'its header is no JSON object');
  }
}

/** `bytes` is a copy, at offset 0 of a buffer of its own, so that it can be seen as wider numbers. */
function valuesOf(dtype: string, bytes: Uint8Array): Float32Array | null {
  if (bytes.length % (dtype === 'F32' ? 4 : 2) !== 0) return null;
  if (dtype === 'F32') return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const words = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  if (dtype === 'F16') return fromHalf(words);
  // bfloat16 is the upper half of a float32.
  if (dtype === 'BF16') return new Float32Array(Uint32Array.from(words, (word) => word << 16).buffer);
  return null;
}

function damaged(name: string, why: string): TenbinError {
  const fix = 'Get the file again from where the model came from.';
  return new TenbinError('damaged', { what: `The safetensors file cannot be read: ${why}`, value: name, fix });
}
