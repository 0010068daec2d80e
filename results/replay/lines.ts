import type { z } from 'zod';
import type { Json } from '../../core/canonical.js';
import { digestOf } from '../../core/digest.js';
import { changed, malformed } from './faults.js';
import { headerForm, lineForm, type ReplayHeader, type ReplayLine, replaySchema } from './form.js';

/** The first line, held to its own digest. */
export function parseHeader(text: string, where: string): ReplayHeader {
  const value = objectOf(text, where, `The first line is no header of ${replaySchema}`);
  if (value.schema !== replaySchema) throw malformed(`The first line is no header of ${replaySchema}`, where);
  if (!isUnchanged(value)) throw changed('The header is not what was frozen: its digest differs', where);
  return shaped(headerForm, value, where);
}

/** A query's line. The digest comes first: what was changed is told as that, whatever else it breaks. */
export function parseLine(text: string, where: string): ReplayLine {
  const value = objectOf(text, where, 'This line is no query of a replay artifact');
  const query = typeof value.query === 'string' ? value.query : undefined;
  if (!isUnchanged(value)) {
    throw changed(
      'A query, candidate, text, order, mark or grade of this line is not what was frozen: its digest differs',
      where,
      query,
    );
  }
  return shaped(lineForm, value, where, query);
}

type JsonObject = { readonly [key: string]: Json };

function objectOf(text: string, where: string, what: string): JsonObject {
  const value = jsonOf(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw malformed(what, where);
}

/** Undefined, which no JSON is, where the text is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Over whatever the line holds, unknown keys too. A number that overflows to infinity was never frozen. */
function isUnchanged({ digest, ...rest }: JsonObject): boolean {
  try {
    return digestOf(rest) === digest;
  } catch {
    return false;
  }
}

function shaped<T>(form: z.ZodType<T>, value: JsonObject, where: string, query?: string): T {
  const parsed = form.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw malformed(`This line has a wrong field (${issue.path.join('.')}: ${issue.message})`, where, query);
}
