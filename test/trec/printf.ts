/** What C's printf prints with `%.<digits>f`, from the bits of the double in whole numbers: exact, halves to even. */
export function printfOracle(value: number, digits: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  const shift = Math.max(exponent, 1) - 1075;
  const scaled = mantissa * 10n ** BigInt(digits);
  const rounded = shift >= 0 ? scaled << BigInt(shift) : halfToEven(scaled, 1n << BigInt(-shift));
  const text = rounded.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function halfToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  if (twice === denominator) return quotient + (quotient & 1n);
  return twice > denominator ? quotient + 1n : quotient;
}
