import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { printable, TenbinError } from '../../../core/errors.js';
import { fileError } from '../../../tasks/files.js';

/** A JSON file of a model's folder, parsed but not yet checked: each reader takes the fields it needs. */
export interface JsonFile {
  /** The name below the model's folder, with forward slashes. */
  readonly name: string;
  readonly value: unknown;
}

/** Chat templates and lists of added tokens make some of these files a few megabytes long; none is near this. */
const maxJsonBytes = 16 * 1024 * 1024;

const mend = 'Mend the file, or write the facts that come from it into tenbin.json in the same folder.';

/** The text of a file below the folder, or null when there is none; a longer one than `limit` bytes is an error. */
export async function readText(folder: string, name: string, limit = maxJsonBytes): Promise<string | null> {
  const path = join(folder, name);
  try {
    const found = await stat(path);
    if (!found.isFile()) throw wrongFile('This is not a file', name);
    if (found.size > limit) throw wrongFile(`This file has more than ${limit} bytes`, name);
    return await readBounded(path, found.size);
  } catch (cause) {
    if (cause instanceof TenbinError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw fileError('read', path, cause);
  }
}

/** A file that grows meanwhile is read as long as it was. */
async function readBounded(path: string, bytes: number): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

export async function readJson(folder: string, name: string): Promise<JsonFile | null> {
  const text = await readText(folder, name);
  if (text === null) return null;
  try {
    return { name, value: JSON.parse(text) };
  } catch (cause) {
    throw new TenbinError('malformed', { what: 'This file is not JSON', value: name, fix: mend, cause });
  }
}

/** The fields that a schema names; the error says which file and which field is not as the schema wants it. */
export function fieldsOf<Schema extends z.ZodType>(file: JsonFile, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(file.value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? '' : ` at \`${printable(fieldName(issue.path))}\``;
  throw wrongFile(`This file is not as expected${field} (${printable(issue?.message ?? '')})`, file.name);
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}

export function wrongFile(what: string, name: string): TenbinError {
  return new TenbinError('malformed', { what, value: name, fix: mend });
}
