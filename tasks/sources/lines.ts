import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { printable, TenbinError } from '../../core/errors.js';

/** A file that a user brought. `label` is its path inside of the collection: `qrels/test.tsv`. */
export interface TextFile {
  readonly path: string;
  readonly label: string;
}

/** One line without its end. `number` counts from 1. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer;
}

const longestLineBytes = 64 * 2 ** 20;
const newline = 0x0a;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The lines of a file, gzip taken off where the name ends in `.gz`, in batches of what one read gave: memory is bounded
 * by the longest line. Only LF and CR LF end a line (JSON may hold U+2028 as it is); a mark of byte order at the start
 * belongs to no line, and the last line needs no end. Blank lines are counted and left out.
 */
export async function* lineBatches(file: TextFile): AsyncGenerator<readonly Line[]> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let number = 0;
  const finish = (end: Buffer): readonly Line[] => {
    const whole = begun.length === 0 ? end : Buffer.concat([...begun, end]);
    begun = [];
    begunBytes = 0;
    number += 1;
    const bytes = trimmed(whole, number);
    return isBlank(bytes) ? [] : [{ number, bytes }];
  };
  for await (const chunk of chunksOf(file)) {
    const batch: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      batch.push(...finish(chunk.subarray(start, end)));
      start = end + 1;
    }
    begun.push(chunk.subarray(start));
    begunBytes += chunk.length - start;
    if (begunBytes > longestLineBytes) throw tooLong(file, number + 1);
    yield batch;
  }
  if (begunBytes > 0) yield finish(Buffer.alloc(0));
}

function trimmed(line: Buffer, number: number): Buffer {
  const start = number === 1 && line.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  return line.subarray(start, line.at(-1) === 0x0d ? line.length - 1 : line.length);
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09);
}

async function* chunksOf(file: TextFile): AsyncGenerator<Buffer> {
  try {
    yield* bytesOf(file);
  } catch (cause) {
    throw readError(file, cause);
  }
}

function bytesOf(file: TextFile): Readable {
  const raw = createReadStream(file.path, { highWaterMark: 2 ** 18 });
  // The callback is there because pipeline wants one: whoever reads the stream gets the error.
  return file.path.endsWith('.gz') ? pipeline(raw, createGunzip(), () => undefined) : raw;
}

function readError(file: TextFile, cause: unknown): TenbinError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const gzip = code.startsWith('Z_');
  const [what, fix] = gzip
    ? ['A gzip file is damaged or cut short', 'Copy it again, and test it with `gzip -t`.']
    : (reasons.get(code) ?? [`A file cannot be read (${printable(String(cause))})`, 'Look at the disk and try again.']);
  return new TenbinError(gzip ? 'damaged' : 'io', { what, value: file.path, fix, cause });
}

const reasons: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['ENOENT', ['A file is no longer there', 'Put it back and run the command again.']],
  ['EISDIR', ['A folder stands where a file is wanted', 'Move it away and put the file there.']],
  ['EACCES', ['You may not read a file', 'Change its permissions, for example with `chmod u+r`.']],
  ['EPERM', ['You may not read a file', 'Change its permissions, for example with `chmod u+r`.']],
]);

function tooLong(file: TextFile, number: number): TenbinError {
  return new TenbinError('malformed', {
    what: `${printable(file.label)}:${number} is longer than 64 MiB`,
    value: file.path,
    fix: 'One line holds one item: see that the file is not one JSON list and that its lines end in LF.',
  });
}
