/** The number formats that a score may be rounded to, to show which ties a lower precision makes. */
export const scorePrecisions = ['f64', 'f32', 'bf16', 'fp16'] as const;
export type ScorePrecision = (typeof scorePrecisions)[number];

interface FloatFormat {
  readonly significandBits: number;
  readonly minExponent: number;
  readonly max: number;
}

/** IEEE 754 binary16, and bfloat16 (the upper half of a binary32). Subnormals are kept. */
const bf16: FloatFormat = { significandBits: 8, minExponent: -126, max: (2 - 2 ** -7) * 2 ** 127 };
const fp16: FloatFormat = { significandBits: 11, minExponent: -14, max: 65504 };

/** Rounds to the nearest value of a format, halves to even; NaN and infinities stay, what is too large becomes infinite. */
export function roundTo(value: number, precision: ScorePrecision): number {
  if (precision === 'f64') return value;
  if (precision === 'f32') return Math.fround(value);
  return roundToFormat(value, precision === 'bf16' ? bf16 : fp16);
}

function roundToFormat(value: number, { significandBits, minExponent, max }: FloatFormat): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  const size = Math.abs(value);
  const exponent = Math.max(exponentOf(size), minExponent);
  // Scaling by a power of two is exact here, so the one rounding is that to the format.
  const unit = 2 ** (exponent - significandBits + 1);
  const rounded = roundHalfEven(size / unit) * unit;
  return Math.sign(value) * (rounded > max ? Number.POSITIVE_INFINITY : rounded);
}

function roundHalfEven(value: number): number {
  const down = Math.floor(value);
  return value - down === 0.5 ? down + (down % 2) : Math.round(value);
}

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);

/** The exponent from the bits: a logarithm would be off by one beside powers of two. Little-endian, as all of Node's. */
function exponentOf(value: number): number {
  float[0] = value;
  return ((words[1] >>> 20) & 0x7ff) - 1023;
}
