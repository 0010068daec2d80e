import { TenbinError } from '../../core/errors.js';

/**
 * SentencePiece's compiled character map (`Precompiled` in tokenizer.json): base64 of the size of a double-array trie in
 * bytes, the trie (32-bit units of Darts-clone), and the replacements, each ended by a zero byte.
 */
export interface Charsmap {
  readonly units: Uint32Array;
  readonly replacements: Uint8Array;
}

export function charsmapOf(base64: string): Charsmap {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  const view = new DataView(bytes.buffer);
  const size = bytes.length < 4 ? -1 : view.getUint32(0, true);
  if (size < 4 || size % 4 !== 0 || size + 4 > bytes.length) {
    throw new TenbinError('malformed', {
      what: 'The character map of tokenizer.json is cut off',
      value: `${bytes.length} bytes`,
      fix: 'Get the file again from where the model came from.',
    });
  }
  const units = Uint32Array.from({ length: size / 4 }, (_, i) => view.getUint32(4 + 4 * i, true));
  return { units, replacements: bytes.subarray(4 + size) };
}

const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** Stretches in which graphemes can be longer than one character; among ASCII only CR LF is. */
const beyondAscii = /(?:\r\n|\p{ASCII})?\P{ASCII}(?:(?:\r\n|\p{ASCII})?\P{ASCII})*(?:\r\n|\p{ASCII})?/gu;
const longestMappedBytes = 5;

/**
 * Normalizes as the Rust library does: a grapheme of up to five bytes is replaced as a whole by what the shortest of its
 * prefixes in the map stands for, and only otherwise character by character.
 */
export function charsmapNormalizer(map: Charsmap): (text: string) => string {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const known = new Map<string, string | null>();
  const mapped = (piece: string): string | null => {
    const before = known.get(piece);
    if (before !== undefined) return before;
    const at = shortestMatch(map.units, encoder.encode(piece));
    const replacement = at === null ? null : decoder.decode(untilZero(map.replacements, at));
    if (known.size > 100_000) known.clear();
    known.set(piece, replacement);
    return replacement;
  };
  const each = (piece: string) => {
    let out = '';
    for (const character of piece) out += mapped(character) ?? character;
    return out;
  };
  const grapheme = (piece: string) =>
    (encoder.encode(piece).length <= longestMappedBytes ? mapped(piece) : null) ?? each(piece);
  const stretch = (piece: string) => {
    let out = '';
    for (const segment of graphemes(piece)) out += grapheme(segment);
    return out;
  };
  const plain = (piece: string) => piece.replace(/\r\n|[\s\S]/g, grapheme);
  return (text) => {
    let out = '';
    let from = 0;
    for (const { 0: piece, index } of text.matchAll(beyondAscii)) {
      out += plain(text.slice(from, index)) + stretch(piece);
      from = index + piece.length;
    }
    return out + plain(text.slice(from));
  };
}

/** UTF-16 units of a window. */
const windowUnits = 256;

/**
 * The graphemes of a text. Node's segmenter takes time in proportion to the whole string for each of them, so it is
 * given a window at a time; the last grapheme of a window may go on, so the next window starts with it. A grapheme longer
 * than a window is looked for alone, in windows that double.
 */
export function* graphemes(text: string): Iterable<string> {
  for (let from = 0; from < text.length; ) {
    const window = windowAt(text, from, windowUnits);
    const segments = Array.from(clusters.segment(window), ({ segment }) => segment);
    if (from + window.length < text.length) segments.pop();
    if (segments.length === 0) segments.push(longGrapheme(text, from));
    for (const segment of segments) {
      yield segment;
      from += segment.length;
    }
  }
}

function longGrapheme(text: string, from: number): string {
  for (let units = 2 * windowUnits; ; units *= 2) {
    const window = windowAt(text, from, units);
    const first = clusters.segment(window).containing(0)?.segment ?? window;
    if (first.length < window.length || from + window.length >= text.length) return first;
  }
}

/** Not cut inside a surrogate pair. */
function windowAt(text: string, from: number, units: number): string {
  const end = from + units;
  return text.slice(from, end < text.length && /[\ud800-\udbff]/.test(text[end - 1]) ? end - 1 : end);
}

/** Where the replacement of the shortest prefix of the key starts that the trie holds, or null. */
function shortestMatch(units: Uint32Array, key: Uint8Array): number | null {
  let node = offsetOf(units[0]);
  for (const byte of key) {
    if (byte === 0) return null;
    node ^= byte;
    const unit = units[node];
    if (unit === undefined || labelOf(unit) !== byte) return null;
    node ^= offsetOf(unit);
    if (((unit >>> 8) & 1) === 1) return units[node] & 0x7fffffff;
  }
  return null;
}

const offsetOf = (unit: number) => (unit >>> 10) << ((unit & 0x200) >>> 6);
/** A unit that holds a value has the top bit set, so that no byte equals its label. */
const labelOf = (unit: number) => (unit & 0x800000ff) >>> 0;

function untilZero(bytes: Uint8Array, from: number): Uint8Array {
  const end = bytes.indexOf(0, from);
  return bytes.subarray(from, end === -1 ? bytes.length : end);
}
