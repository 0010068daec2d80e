import { z } from 'zod';
import { canonicalJson, type Json } from '../../core/canonical.js';
import { sha256 } from '../../core/digest.js';
import type { CacheEntry } from '../system.js';

/**
 * One file of the vector cache: 8 bytes of magic, the header's length (u32, little endian), the header as JSON, zeros up
 * to a multiple of 16, then the arrays in the header's order, each from a multiple of 16, in little endian. The header
 * holds the sha256 of everything after it.
 */
const magic = 'tenbinV1';
const step = 16;
const longestHeader = 1 << 20;

const types = { f32: Float32Array, f64: Float64Array, i32: Int32Array, u8: Uint8Array } as const;
type TypeName = keyof typeof types;
type Arrays = CacheEntry['arrays'];

const headerSchema = z.object({
  schema: z.literal('tenbin/vectors@1'),
  facts: z.record(z.string(), z.json()),
  arrays: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['f32', 'f64', 'i32', 'u8']),
      length: z.int().nonnegative(),
    }),
  ),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type EntryHeader = z.infer<typeof headerSchema>;

export function encodeEntry({ facts, arrays }: CacheEntry): Uint8Array {
  const entries = Object.entries(arrays);
  const payload = new Uint8Array(entries.reduce((size, [, array]) => size + padded(array.byteLength), 0));
  let at = 0;
  for (const [, array] of entries) {
    payload.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += padded(array.byteLength);
  }
  const header: EntryHeader = {
    schema: 'tenbin/vectors@1',
    facts: facts as EntryHeader['facts'],
    arrays: entries.map(([name, array]) => ({ name, type: typeOf(array), length: array.length })),
    sha256: sha256(payload),
  };
  const text = new TextEncoder().encode(canonicalJson(header as Json));
  const start = padded(12 + text.length);
  const file = new Uint8Array(start + payload.length);
  file.set(new TextEncoder().encode(magic));
  new DataView(file.buffer).setUint32(8, text.length, true);
  file.set(text, 12);
  file.set(payload, start);
  return file;
}

/** Why a file cannot be used, as a sentence's end. */
export type Damage = { readonly damage: string };

/** The header of a file from its first bytes (or all of them), and where the arrays start. */
export function decodeHeader(bytes: Uint8Array): { readonly header: EntryHeader; readonly start: number } | Damage {
  if (bytes.length < 12 || new TextDecoder().decode(bytes.subarray(0, 8)) !== magic) {
    return { damage: 'it does not start like a file of the vector cache' };
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true);
  if (length > longestHeader || bytes.length < 12 + length) return { damage: 'its header is cut off' };
  const parsed = headerSchema.safeParse(jsonOf(bytes.subarray(12, 12 + length)));
  return parsed.success ? { header: parsed.data, start: padded(12 + length) } : { damage: 'its header is malformed' };
}

/** The entry, its digest checked; the arrays are copies. */
export function decodeEntry(bytes: Uint8Array): CacheEntry | Damage {
  const found = decodeHeader(bytes);
  if ('damage' in found) return found;
  const { header, start } = found;
  const size = header.arrays.reduce((sum, { type, length }) => sum + padded(length * types[type].BYTES_PER_ELEMENT), 0);
  if (bytes.length !== start + size) return { damage: `it has ${bytes.length} bytes and should have ${start + size}` };
  if (sha256(bytes.subarray(start)) !== header.sha256) return { damage: 'its digest is another' };
  const arrays: Record<string, Arrays[string]> = {};
  let at = start;
  for (const { name, type, length } of header.arrays) {
    const end = at + length * types[type].BYTES_PER_ELEMENT;
    // Not `slice`, which gives a view where the bytes are a Buffer.
    arrays[name] = new types[type](new Uint8Array(bytes.subarray(at, end)).buffer);
    at += padded(end - at);
  }
  return { facts: header.facts as CacheEntry['facts'], arrays };
}

function typeOf(array: Arrays[string]): TypeName {
  if (array instanceof Float32Array) return 'f32';
  if (array instanceof Float64Array) return 'f64';
  return array instanceof Int32Array ? 'i32' : 'u8';
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

function padded(length: number): number {
  return Math.ceil(length / step) * step;
}
