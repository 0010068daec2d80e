/**
 * A number as C's printf writes it with `%.<digits>f`: the exact binary value, and halves to even. JavaScript rounds the
 * exact value too and differs only in halves, which are odd multiples of 2^-(digits + 1): anything else that ends in a 5
 * is not a binary fraction.
 */
export function printfFixed(value: number, digits: 2 | 4): string {
  const halves = value * 2 ** (digits + 1);
  if (!Number.isInteger(halves) || halves % 2 === 0) return value.toFixed(digits);
  // A half has few binary digits, so that this product is exact.
  const below = Math.floor(value * 10 ** digits);
  return ((below % 2 === 0 ? below : below + 1) / 10 ** digits).toFixed(digits);
}
