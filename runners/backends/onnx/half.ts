/** The float32 of every float16 bit pattern (IEEE 754 binary16); 256 kB, made once. */
let table: Float32Array | null = null;

/** float16 as ONNX Runtime gives it in Node 20, bit patterns in a Uint16Array, as float32: exact. */
export function fromHalf(bits: Uint16Array): Float32Array {
  table ??= Float32Array.from({ length: 65_536 }, (_, pattern) => singleOf(pattern));
  const out = new Float32Array(bits.length);
  for (let i = 0; i < bits.length; i++) out[i] = table[bits[i]];
  return out;
}

function singleOf(pattern: number): number {
  const sign = pattern & 0x8000 ? -1 : 1;
  const exponent = (pattern >> 10) & 0x1f;
  const fraction = pattern & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
