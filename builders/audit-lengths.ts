/** Lengths in code points; percentiles by nearest rank. */
export interface Lengths {
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
  readonly max: number;
  readonly mean: number;
}

export function lengthsOf(texts: readonly { readonly text: string }[]): Lengths {
  const sorted = Float64Array.from(texts, ({ text }) => codePoints(text)).sort();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  const sum = sorted.reduce((total, length) => total + length, 0);
  return {
    p5: at(0.05),
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p95: at(0.95),
    max: at(1),
    mean: sum / Math.max(1, sorted.length),
  };
}

function codePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
