import { closest, distance } from 'fastest-levenshtein';
import { TenbinError } from './errors.js';

/** The error for a name that is not known: the nearest one is suggested when it is near enough to be meant. */
export function unknownName(kind: string, name: string, known: readonly string[], listing: string): TenbinError {
  const near = nearest(name, known);
  const suggestion = near === undefined ? '' : `Did you mean \`${near}\`? `;
  return new TenbinError('unknown-name', {
    what: `Unknown ${kind}`,
    value: `\`${name}\``,
    fix: `${suggestion}\`${listing}\` lists all.`,
  });
}

export function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0 || name.length > 200) return undefined;
  const lower = name.toLowerCase();
  const folded = new Map(known.map((other) => [other.toLowerCase(), other]));
  const near = closest(lower, [...folded.keys()]);
  const prefix = [...folded.keys()].find((other) => lower.length >= 3 && other.startsWith(lower));
  if (distance(lower, near) <= Math.max(2, Math.floor(name.length / 3))) return folded.get(near);
  return prefix === undefined ? undefined : folded.get(prefix);
}
