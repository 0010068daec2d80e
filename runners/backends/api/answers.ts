import { z } from 'zod';
import { TenbinError } from '../../../core/errors.js';

/** Whose answer is read, and what stands at a position of the request: `text 3 of 10 ("…")`. */
export interface Reading {
  readonly title: string;
  readonly count: number;
  readonly place: (position: number) => string;
}

/** A count of a `usage`; anything else than a count is as if it were not said. */
export const tokenCount = z.number().int().nonnegative().optional().catch(undefined);

/** The answer in its documented form, or an error that names the field. */
export function parsedAnswer<Schema extends z.ZodType>(schema: Schema, json: unknown, title: string): z.infer<Schema> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unexpected(title, `${issue.path.join('.') || 'the answer'}: ${issue.message}`);
}

export function unexpected(title: string, value: string): TenbinError {
  return new TenbinError('malformed', {
    what: `${title} answered in another form than is documented`,
    value,
    fix: 'Check the address and the model: another kind of service or model may be answering.',
  });
}

export function notFinite(title: string, value: string): TenbinError {
  return new TenbinError('not-finite', {
    what: `${title} gave a number that is not finite`,
    value,
    fix: 'Look at that text; if it is ordinary, the service overflows: run its model in float32.',
  });
}

/** One entry per position, as they stand. */
export function inOrder<Entry>(entries: readonly Entry[], { title, count }: Reading): readonly Entry[] {
  if (entries.length === count) return entries;
  throw unexpected(title, `${entries.length} results for ${count} texts`);
}

/** Entries by their `index`: every index of the request once, in whatever order they came. */
export function byIndex<Entry extends { readonly index: number }>(
  entries: readonly Entry[],
  { title, count }: Reading,
): readonly Entry[] {
  const placed = new Map<number, Entry>();
  const twice: number[] = [];
  const beyond: number[] = [];
  for (const entry of entries) {
    if (!Number.isInteger(entry.index) || entry.index < 0 || entry.index >= count) beyond.push(entry.index);
    else if (placed.has(entry.index)) twice.push(entry.index);
    else placed.set(entry.index, entry);
  }
  const ordered = Array.from({ length: count }, (_, i) => placed.get(i));
  const missing = ordered.flatMap((entry, i) => (entry === undefined ? [i] : []));
  const wrong = [named('missing', missing), named('more than once', twice), named('not asked for', beyond)];
  if (wrong.every((one) => one === '')) return ordered.flatMap((entry) => (entry === undefined ? [] : [entry]));
  throw unexpected(title, `of ${count} indices, ${wrong.filter((one) => one !== '').join('; ')}`);
}

function named(what: string, indices: readonly number[]): string {
  if (indices.length === 0) return '';
  const more = indices.length > 5 ? ` and ${indices.length - 5} more` : '';
  return `${what}: ${indices.slice(0, 5).join(', ')}${more}`;
}
