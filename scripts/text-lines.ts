import { z } from 'zod';
import { TenbinError } from '../core/errors.js';
import { readBytes } from '../tasks/files.js';

const id = z.union([z.string(), z.number()]).transform(String);
/** A line of `tenbin encode --texts`. */
export const textLine = z.looseObject({ id, text: z.string() });
/** A line of `tenbin rerank --pairs`. */
export const pairLine = z.looseObject({ id, query: z.string(), document: z.string() });

/** Every line of a JSONL file by a schema; blank lines are passed over, a broken one is named. */
export async function readLines<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>[]> {
  const text = new TextDecoder('utf-8', { fatal: false }).decode(await readBytes(path));
  return text
    .split(/\r?\n/)
    .flatMap((line, i) => (line.trim() === '' ? [] : [parseLine(line, `${path}:${i + 1}`, schema)]));
}

function parseLine<Schema extends z.ZodType>(line: string, at: string, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(jsonOf(line, at));
  if (parsed.success) return parsed.data;
  throw broken(at, z.prettifyError(parsed.error).split('\n').slice(0, 2).join(' '));
}

function jsonOf(line: string, at: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw broken(at, 'It is not JSON.');
  }
}

function broken(at: string, why: string): TenbinError {
  return new TenbinError('malformed', { what: 'This line cannot be used', value: at, fix: why });
}
