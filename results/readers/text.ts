import { Buffer, constants, isAscii, isUtf8 } from 'node:buffer';
import { TenbinError } from '../../core/errors.js';

/** Pieces are about this long: a V8 string ends at half a gigabyte, a run file does not. */
const pieceBytes = 1 << 24;
const newline = 10;

/**
 * The text of a file in pieces that end where a line ends, without a byte order mark. ASCII is taken over as one byte per
 * character, which halves the memory and the time. Throws `malformed` with the line of what is not UTF-8.
 */
export function* textPieces(bytes: Uint8Array, where: string): Generator<string> {
  const buffer = utf8Body(bytes, where);
  let start = 0;
  while (start < buffer.length) {
    const end = pieceEnd(buffer, start);
    const piece = buffer.subarray(start, end);
    yield isAscii(piece) ? piece.toString('latin1') : piece.toString('utf8');
    start = end;
  }
}

/** The text of a file in one string, for formats that are not made of lines. */
export function wholeText(bytes: Uint8Array, where: string): string {
  const buffer = utf8Body(bytes, where);
  if (buffer.length > constants.MAX_STRING_LENGTH) {
    throw new TenbinError('refused', {
      what: 'A JSON file of this size cannot be read',
      value: `${where}: ${buffer.length} bytes`,
      fix: 'Write it as a TREC run, which is read line by line.',
    });
  }
  return isAscii(buffer) ? buffer.toString('latin1') : buffer.toString('utf8');
}

function pieceEnd(buffer: Buffer, start: number): number {
  if (buffer.length - start <= pieceBytes) return buffer.length;
  const before = buffer.lastIndexOf(newline, start + pieceBytes);
  const end = before >= start ? before : buffer.indexOf(newline, start + pieceBytes);
  return end < 0 ? buffer.length : end + 1;
}

function utf8Body(bytes: Uint8Array, where: string): Buffer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(buffer)) throw notUtf8(buffer, where);
  const marked = buffer.length >= 3 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf;
  return marked ? buffer.subarray(3) : buffer;
}

function notUtf8(buffer: Buffer, where: string): TenbinError {
  let start = 0;
  let line = 1;
  for (let end = buffer.indexOf(newline); end >= 0; end = buffer.indexOf(newline, start)) {
    if (!isUtf8(buffer.subarray(start, end))) break;
    start = end + 1;
    line++;
  }
  return new TenbinError('malformed', {
    what: 'This text is not UTF-8',
    value: `${where}:${line}`,
    fix: 'Ids are compared as text: convert the file, for example with `iconv -t UTF-8`.',
  });
}
