import type { z } from 'zod';
import { printable, reasonOf, TenbinError } from '../../core/errors.js';
import { type Line, lineBatches, type TextFile } from './lines.js';
import type { SourceOptions } from './plugin.js';

/** How the lines of one file are read. */
export interface RecordFormat<T> {
  /** What a line is and how it should look: `a document`, `{"_id": "d1", "text": "…"}`. */
  readonly noun: string;
  readonly example: string;
  /** The record in a line; undefined for a line that holds none (a header); a `Problem` when it cannot be read. */
  readonly read: (text: string, at: string, number: number) => T | Problem | undefined;
}

/** Why a line cannot be read, as a sentence without its full stop. */
export interface Problem {
  readonly problem: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The records of a file in the order of its lines. */
export async function* records<T>(
  file: TextFile,
  format: RecordFormat<T>,
  { onMalformed }: SourceOptions,
): AsyncGenerator<T> {
  for await (const batch of lineBatches(file)) {
    for (const line of batch) {
      const at = `${file.label}:${line.number}`;
      const record = read(line, at, format);
      if (record === undefined) continue;
      if (!isProblem(record)) yield record;
      else if (onMalformed !== undefined) onMalformed(malformed(file, at, record, format));
      else throw malformed(file, at, record, format);
    }
  }
}

function read<T>(line: Line, at: string, format: RecordFormat<T>): T | Problem | undefined {
  let text: string;
  try {
    text = utf8.decode(line.bytes);
  } catch {
    return { problem: 'it is not UTF-8' };
  }
  return format.read(text, at, line.number);
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

function malformed(file: TextFile, at: string, { problem }: Problem, format: RecordFormat<unknown>): TenbinError {
  return new TenbinError('malformed', {
    what: `${printable(at)} is not ${format.noun}: ${printable(problem)}`,
    value: file.path,
    fix: `Each line wants to look like ${format.example}; mend this one, or leave such lines out with --lenient.`,
  });
}

/** Reads a line of JSON by a schema and makes a record of what is in it. */
export function readJson<Value, T>(
  schema: z.ZodType<Value>,
  make: (value: Value, at: string) => T,
): RecordFormat<T>['read'] {
  return (text, at) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (thrown) {
      return { problem: `it is not JSON (${reasonOf(thrown)})` };
    }
    const parsed = schema.safeParse(value);
    return parsed.success ? make(parsed.data, at) : { problem: problemOf(parsed.error) };
  };
}

function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.map(String).join('.') ?? '';
  return path === '' ? (issue?.message ?? 'it has another shape') : `\`${path}\` ${issue?.message ?? 'is wrong'}`;
}
