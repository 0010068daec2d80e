/** Numbers for people: fixed digits, no minus before what rounds to 0, and a dash for what is undefined. */
export function fixed(value: number | null, digits = 4): string {
  return value === null ? '–' : value.toFixed(digits).replace(/^-(?=[0.]*$)/, '');
}

/** Bytes with a binary unit: 1536 → `1.5 KiB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? Math.round(value * 10) / 10 : value.toFixed(1)} ${units[power]}`;
}

/** Milliseconds for people: `0.42 ms`, `1.3 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(2) : Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
