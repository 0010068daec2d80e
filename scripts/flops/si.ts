const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'] as const;

/** Four digits and a prefix of the SI: 22347251712 → `22.35 G`. Below 1000 the number as it is. */
export function siText(value: number): string {
  if (value < 1000) return String(value);
  // Rounded first: 999,999 is 1.000 M, not 1000 k.
  const [digits = '', exponent = '0'] = value.toExponential(3).split('e');
  const power = Math.min(prefixes.length - 1, Math.floor(Number(exponent) / 3));
  const scaled = Number(digits) * 10 ** (Number(exponent) - 3 * power);
  return `${scaled.toPrecision(4)} ${prefixes[power]}`;
}
