import { detectFormat, unzipped } from '../readers/detect.js';
import { decodeRun } from '../readers/index.js';
import { wholeText } from '../readers/text.js';
import { decodeDictionary } from './dictionaries.js';
import { decodeHakari, decodeHakariRankings, isHakari } from './hakari.js';
import { decodeLines, lineFormat } from './lines.js';
import { decodeMteb, isMteb } from './mteb.js';
import { decodeRanxReport, isRanxReport } from './ranx.js';
import { parseTolerantJson } from './tolerant-json.js';
import { type Decoded, type ForeignResults, nameless } from './types.js';
import { decompressXz } from './xz.js';

export { type ImportedRun, importedRun } from './imported-run.js';
export { type Decoded, type ForeignResults, type ForeignRun, type ForeignSystem, systemText } from './types.js';

export interface DecodeOptions {
  /** What a measure of the file is here: theirs → ours. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Of a file that holds measures and rankings. */
  readonly take: 'measures' | 'rankings';
}

/**
 * A file of another harness from its bytes, which tell the format: results of MTEB, HAKARI-Bench, ranx, BEIR, ir_measures and
 * trec_eval, or a run (TREC, JSON, a table, Parquet), any of them under gzip or xz. Throws `malformed` with file and place.
 */
export async function decodeImport(bytes: Uint8Array, where: string, options: DecodeOptions): Promise<Decoded> {
  const plain = await unpacked(bytes, where);
  const looks = detectFormat(plain, where);
  if (looks === 'json' || looks === 'records') return jsonOf(plain, where, options);
  const format = looks === 'trec' ? lineFormat(headOf(plain), options.renamed) : null;
  if (format === null) return runOf(plain, where);
  return results(format, [decodeLines(wholeText(plain, where), format, { where, renamed: options.renamed })]);
}

/** Bytes that tell the format of a text. */
const sampledBytes = 1 << 16;

/** Whole lines from the start of the file, without a byte order mark. */
function headOf(plain: Uint8Array): string {
  const head = new TextDecoder().decode(plain.subarray(0, sampledBytes));
  const end = plain.length > sampledBytes ? head.lastIndexOf('\n') : -1;
  return end < 0 ? head : head.slice(0, end);
}

async function unpacked(bytes: Uint8Array, where: string): Promise<Uint8Array> {
  const isXz = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0].every((byte, i) => bytes[i] === byte);
  return isXz ? decompressXz(bytes, where) : unzipped(bytes, where);
}

async function jsonOf(plain: Uint8Array, where: string, { renamed, take }: DecodeOptions): Promise<Decoded> {
  const json = oneDocument(plain, where);
  if (json === null) return runOf(plain, where);
  if (isMteb(json)) return results('MTEB', decodeMteb(json, where, renamed));
  if (isHakari(json)) {
    if (take === 'rankings') return { kind: 'run', format: 'HAKARI-Bench', runs: decodeHakariRankings(json, where) };
    return results('HAKARI-Bench', decodeHakari(json, where, renamed));
  }
  if (isRanxReport(json)) return results('ranx', decodeRanxReport(json, where, renamed));
  const measured = decodeDictionary(json, where, renamed);
  if (measured !== null) return results('measures JSON', measured);
  return runOf(plain, where);
}

/** Null for lines of JSON, which are a run: an object for each document. */
function oneDocument(plain: Uint8Array, where: string): object | null {
  try {
    return parseTolerantJson(wholeText(plain, where), where) as object;
  } catch (error) {
    if (detectFormat(plain, where) === 'records') return null;
    throw error;
  }
}

function results(format: string, decoded: readonly ForeignResults[]): Decoded {
  return { kind: 'results', format, results: decoded };
}

async function runOf(plain: Uint8Array, where: string): Promise<Decoded> {
  const { format, rankings, tag } = await decodeRun(plain, where);
  return { kind: 'run', format, runs: [{ ...nameless, model: tag ?? null, rankings, depth: null, scores: 'given' }] };
}
