import { TenbinError } from './errors.js';
import { byCodePoint } from './order.js';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** JSON with keys in code-point order and no white space: one value, one text. Keys that are undefined are left out. */
export function canonicalJson(value: Json): string {
  return write(value, '', '');
}

/** The same, indented by two blanks and ended by a newline, for files that people read. */
export function prettyJson(value: Json): string {
  return `${write(value, '\n', '  ')}\n`;
}

function write(value: Json, newline: string, indent: string): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TenbinError('not-finite', {
      what: 'A number in a result is not finite',
      value: String(value),
      fix: 'JSON has no such number: use null for what is undefined.',
    });
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = newline + (newline === '' ? '' : indent);
  const colon = newline === '' ? ':' : ': ';
  const list = Array.isArray(value);
  const parts = list
    ? (value as readonly Json[]).map((item) => write(item, inner, indent))
    : entries(value as { readonly [key: string]: Json | undefined }).map(
        ([key, item]) => `${JSON.stringify(key)}${colon}${write(item, inner, indent)}`,
      );
  const [open, close] = list ? '[]' : '{}';
  return parts.length === 0 ? `${open}${close}` : `${open}${inner}${parts.join(`,${inner}`)}${newline}${close}`;
}

function entries(object: { readonly [key: string]: Json | undefined }): [string, Json][] {
  const present = Object.entries(object).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return present.sort(([a], [b]) => byCodePoint(a, b));
}
