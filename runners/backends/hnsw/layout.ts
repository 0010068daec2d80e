import { TenbinError } from '../../../core/errors.js';
import type { GraphLinks, LevelLinks } from '../../kernels/hnsw-walk.js';
import { grown } from '../../kernels/sparse-rows.js';

/** What a graph was made of. */
export interface GraphSettings {
  readonly dims: number;
  readonly M: number;
  readonly efConstruction: number;
  readonly seed: number;
}

/** Bytes that are read once, from the first to the last. */
export interface ByteSource {
  readonly size: number;
  /** The next `count` bytes, gone with the next call; null where the source ends before. */
  readonly take: (count: number) => Uint8Array | null;
}

export const hnswVersion = '3.0.0';
const headerBytes = 96;
const countBytes = 4;
/** A level is −ln(u)/ln M, 53 at most for a u of 53 bits that is not zero. */
const mostLevels = 64;

/**
 * Reads the links out of an index as hnswlib 0.8 saves it on 64-bit machines of little-endian order (hnswalg.h,
 * `saveIndex`): a header of 96 bytes; for each document its links on level 0, its vector and its label; then for each
 * the length of its lists above, and those. Every field is compared with what the graph was made of.
 */
export function readLinks(source: ByteSource, vectors: Float32Array, settings: GraphSettings): GraphLinks {
  const { dims, M } = settings;
  const docCount = vectors.length / dims;
  const { maxLevel, entry } = readHeader(viewOf(source, headerBytes), docCount, settings);
  const ground = linkRows(docCount);
  const vectorBytes = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
  const dataAt = countBytes + 8 * M;
  for (let doc = 0; doc < docCount; doc++) {
    const element = viewOf(source, dataAt + 4 * dims + 8);
    addLinks(ground, element, { doc, docCount, most: 2 * M, at: 0 });
    const stored = new Uint8Array(element.buffer, element.byteOffset + dataAt, 4 * dims);
    const given = vectorBytes.subarray(4 * dims * doc, 4 * dims * (doc + 1));
    if (Buffer.compare(stored, given) !== 0) throw unexpected(`vector ${doc}`, 'other numbers', 'those given');
    same(`label ${doc}`, sizeAt(element, dataAt + 4 * dims), doc);
  }
  const above = readAbove(source, { docCount, M, maxLevel });
  const ends = source.take(1) === null;
  if (!ends) throw unexpected('bytes', `more than expected of ${source.size}`, 'their end');
  same('level of the entry', above.levelOf[entry], maxLevel);
  checkLevels(above.rows, above.levelOf);
  const listsAbove = above.levelOf.reduce((sum, level) => sum + level, 0);
  return { docCount, entry, listsAbove, levels: [ground, ...above.rows].map(({ links }) => links()) };
}

function readHeader(header: DataView, docCount: number, { dims, M, efConstruction }: GraphSettings) {
  const dataAt = countBytes + 8 * M;
  const sizes = {
    'offset of level 0': 0,
    capacity: docCount,
    documents: docCount,
    'bytes of a document': dataAt + 4 * dims + 8,
    'offset of the label': dataAt + 4 * dims,
    'offset of the vector': dataAt,
  };
  Object.entries(sizes).forEach(([field, expected], i) => {
    same(field, sizeAt(header, 8 * i), expected);
  });
  const maxLevel = header.getInt32(48, true);
  if (!(maxLevel >= 0 && maxLevel < mostLevels)) throw unexpected('highest level', maxLevel, `0 to ${mostLevels - 1}`);
  const entry = header.getUint32(52, true);
  if (!(entry < docCount)) throw unexpected('entry', entry, `below ${docCount}`);
  same('links above', sizeAt(header, 56), M);
  same('links on level 0', sizeAt(header, 64), 2 * M);
  same('M', sizeAt(header, 72), M);
  const spread = header.getFloat64(80, true);
  if (!(Math.abs(spread * Math.log(M) - 1) < 1e-12)) throw unexpected('spread of levels', spread, 1 / Math.log(M));
  same('efConstruction', sizeAt(header, 88), Math.max(efConstruction, M));
  return { maxLevel, entry };
}

interface Above {
  readonly docCount: number;
  readonly M: number;
  readonly maxLevel: number;
}

/** The lists of levels 1 and up; a document's lists stand one behind the other, and it is on as many levels. */
function readAbove(source: ByteSource, { docCount, M, maxLevel }: Above) {
  const rows = Array.from({ length: maxLevel }, () => linkRows(docCount));
  const levelOf = new Int32Array(docCount);
  const listBytes = countBytes + 4 * M;
  for (let doc = 0; doc < docCount; doc++) {
    const length = viewOf(source, 4).getUint32(0, true);
    levelOf[doc] = length / listBytes;
    if (length % listBytes !== 0 || levelOf[doc] > maxLevel) {
      throw unexpected(`bytes of lists of document ${doc}`, length, `a multiple of ${listBytes}`);
    }
    const lists = viewOf(source, length);
    rows.forEach((row, i) => {
      if (i < levelOf[doc]) addLinks(row, lists, { doc, docCount, most: M, at: i * listBytes });
      else row.end(doc);
    });
  }
  return { rows, levelOf };
}

/** A link on a level leads to a document of that level. */
function checkLevels(rows: readonly LinkRows[], levelOf: Int32Array): void {
  rows.forEach(({ links }, i) => {
    const stray = links().targets.find((doc) => levelOf[doc] <= i);
    if (stray !== undefined) throw unexpected(`link on level ${i + 1}`, stray, 'a document of that level');
  });
}

interface Place {
  readonly doc: number;
  readonly docCount: number;
  readonly most: number;
  readonly at: number;
}

/** A list is its length in 16 bits, 16 bits of which one marks deleted documents, and room for `most` links. */
function addLinks(row: LinkRows, view: DataView, { doc, docCount, most, at }: Place): void {
  const length = view.getUint16(at, true);
  if (length > most) throw unexpected(`links of document ${doc}`, length, `at most ${most}`);
  same(`marks of document ${doc}`, view.getUint16(at + 2, true), 0);
  for (let i = 0; i < length; i++) {
    const target = view.getUint32(at + countBytes + 4 * i, true);
    if (target >= docCount || target === doc) throw unexpected(`link of document ${doc}`, target, 'another document');
    row.add(target);
  }
  row.end(doc);
}

interface LinkRows {
  readonly add: (target: number) => void;
  /** The links of that document, which is the next, are complete. */
  readonly end: (doc: number) => void;
  readonly links: () => LevelLinks;
}

function linkRows(docCount: number): LinkRows {
  const offsets = new Int32Array(docCount + 1);
  let targets: Int32Array = new Int32Array(1024);
  let size = 0;
  return {
    add: (target) => {
      if (size === targets.length) targets = grown(targets, size + 1);
      targets[size++] = target;
    },
    end: (doc) => {
      offsets[doc + 1] = size;
    },
    links: () => ({ offsets, targets: targets.subarray(0, size) }),
  };
}

function viewOf(source: ByteSource, count: number): DataView {
  const bytes = source.take(count);
  if (bytes === null) throw unexpected('bytes', source.size, 'more');
  return new DataView(bytes.buffer, bytes.byteOffset, count);
}

function sizeAt(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function same(field: string, value: number, expected: number): void {
  if (value !== expected) throw unexpected(field, value, String(expected));
}

function unexpected(field: string, value: number | string, expected: number | string): TenbinError {
  return new TenbinError('damaged', {
    what: 'The graph that hnswlib-node wrote is not laid out as its version 3.0.0 does',
    value: `${field}: ${value}, expected ${expected}`,
    fix: `Run \`npm install hnswlib-node@${hnswVersion}\` on a 64-bit machine, and see that the temporary folder has room.`,
  });
}
