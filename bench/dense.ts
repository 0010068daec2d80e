import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { reasonOf } from '../core/errors.js';
import { gaussians, mulberry32 } from '../core/random.js';
import { analyzers } from '../runners/analyzers/index.js';
import { openGemm } from '../runners/backends/gemm/index.js';
import { encodeLsa } from '../runners/backends/lsa.js';
import { bitPass } from '../runners/kernels/bit-pass.js';
import { bytePass } from '../runners/kernels/byte-pass.js';
import { exactIndex } from '../runners/kernels/dense-index.js';
import { signBits } from '../runners/kernels/hamming.js';
import { int16Pass } from '../runners/kernels/int16-pass.js';
import { maxSimBinaryIndex, maxSimIndex, maxSimInt8Index } from '../runners/kernels/max-sim-index.js';
import { mostQueries } from '../runners/kernels/panels.js';
import type { QuickPass } from '../runners/kernels/quick-pass.js';
import { unitLength } from '../runners/kernels/unit-length.js';
import type { DenseEncoding, Index, LateInteractionEncoding } from '../runners/system.js';
import { hammingIndex } from '../runners/variants/binary.js';
import { nearestIndex } from '../runners/variants/int8.js';
import { rawCodeIndex } from '../runners/variants/int8-hakari.js';

export interface DenseBenchOptions {
  /** A Python with numpy, faiss and usearch: `~/.cache/tenbin-peers/bin/python`. */
  readonly python: string;
  /** The program that does the same work with them: `../shared/peers/exact_peer.py`. */
  readonly peers: string;
  readonly docs?: number;
  readonly dims?: number;
  readonly queries?: number;
  readonly lsaDocs?: number;
  readonly lateDocs?: number;
}

/** Best of three rounds, in which ours and the peers take turns. */
export interface DenseBench {
  readonly size: { readonly docs: number; readonly dims: number; readonly queries: number };
  /** lsa@256 over synthetic documents of 107 tokens: analysis, SVD and projection. */
  readonly lsa: { readonly docs: number; readonly seconds: number };
  /** All queries, top 100, on one thread unless the name says otherwise. */
  readonly search: readonly Timed[];
  /** One query of 32 rows over documents of about 180 rows of 64 dimensions, top 100. */
  readonly late: { readonly docs: number; readonly rows: number; readonly times: readonly Timed[] };
}

export interface Timed {
  readonly system: string;
  readonly seconds: number;
  /** Multiplications and additions (for bits: bits compared) a second, in thousand millions. */
  readonly gigaops: number;
  readonly peers: readonly DensePeer[];
}

/** A peer's time and how many times ours it is, or why there is none. */
export type DensePeer =
  | { readonly peer: string; readonly seconds: number; readonly ratio: number }
  | { readonly peer: string; readonly missing: string };

interface Contender {
  readonly system: string;
  /** Names of exact_peer.py. */
  readonly peers: readonly string[];
  readonly run: () => unknown;
}

const floatPeers = ['numpy', 'faiss Flat', 'usearch exact'];
const rounds = 3;
const lateQueries = 8;

/** Times lsa@256 and exhaustive search over seeded random vectors, beside the peers on this machine. */
export async function benchDense(options: DenseBenchOptions): Promise<DenseBench> {
  const { docs = 20_000, dims = 384, queries = 1000, lsaDocs = 10_000, lateDocs = 1000 } = options;
  const size = { docs, dims, queries };
  const lsa = { docs: lsaDocs, seconds: timedLsa(lsaDocs) };
  const late = randomTokens(lateDocs);
  const lateContenders = lateSearchers(late);
  const { contenders, close } = await searchers(randomVectors(size));
  const best = new Map<string, number>();
  const keep = (name: string, seconds: number) => best.set(name, Math.min(seconds, best.get(name) ?? seconds));
  let missing = 'it gave no time';
  for (let round = 0; round < rounds; round++) {
    for (const { system, run } of [...contenders, ...lateContenders]) keep(system, await secondsOf(run));
    for (const threads of ['all', '1']) {
      const theirs = await peerSeconds(options, size, threads);
      missing = theirs.missing ?? missing;
      for (const [peer, seconds] of theirs.seconds) keep(peerName(peer, threads), seconds);
    }
  }
  await close();
  const rows = late.docs.offsets[lateDocs];
  return {
    size,
    lsa,
    search: contenders.map((each) => timed(each, { best, missing, operations: 2 * docs * dims * queries })),
    late: {
      docs: lateDocs,
      rows,
      times: lateContenders.map((each) =>
        timed(each, { best, missing, operations: 2 * rows * 32 * 64 * lateQueries, runs: lateQueries }),
      ),
    },
  };
}

const peerName = (peer: string, threads: string): string => (threads === '1' ? `${peer}, 1 thread` : peer);

interface Results {
  readonly best: ReadonlyMap<string, number>;
  readonly missing: string;
  readonly operations: number;
  readonly runs?: number;
}

function timed({ system, peers }: Contender, { best, missing, operations, runs = 1 }: Results): Timed {
  const seconds = best.get(system) ?? Number.NaN;
  const beside = peers.flatMap((peer) => [peer, peerName(peer, '1')]);
  return {
    system,
    seconds: seconds / runs,
    gigaops: operations / seconds / 1e9,
    peers: beside.map((peer) => {
      const theirs = best.get(peer);
      return theirs === undefined ? { peer, missing } : { peer, seconds: theirs, ratio: theirs / seconds };
    }),
  };
}

/** The result in lines for people. */
export function denseBenchLines({ size, lsa, search, late }: DenseBench): string[] {
  const peerLine = (peer: DensePeer) =>
    'missing' in peer
      ? `    ${peer.peer}: left out (${peer.missing})`
      : `    ${peer.peer}: ${peer.seconds.toFixed(3)} s, ${peer.ratio.toFixed(2)} × tenbin`;
  const searchLine = ({ system, seconds, gigaops, peers }: Timed) => [
    `  ${system}: ${seconds.toFixed(3)} s, ${Math.round(size.queries / seconds)} queries/s, ${gigaops.toFixed(1)} Gop/s`,
    ...peers.map(peerLine),
  ];
  const lateLine = ({ system, seconds, gigaops }: Timed) =>
    `  ${system}: ${(seconds * 1000).toFixed(1)} ms a query, ${gigaops.toFixed(1)} Gop/s`;
  return [
    `dense: lsa@256 of ${lsa.docs} documents in ${lsa.seconds.toFixed(2)} s`,
    `dense: ${size.docs} × ${size.dims}, ${size.queries} queries, top 100, best of ${rounds} rounds in turn`,
    ...search.flatMap(searchLine),
    `late interaction: ${late.docs} documents of ${late.rows} rows × 64, queries of 32 rows, top 100`,
    ...late.times.map(lateLine),
  ];
}

function timedLsa(docCount: number): number {
  const uniform = mulberry32(17);
  // Zipf's law over 40,000 words, as in a real collection of this size.
  const word = () => `w${Math.floor(40_000 ** uniform())}`;
  const docs = Array.from({ length: docCount }, () => Array.from({ length: 107 }, word).join(' '));
  const start = performance.now();
  encodeLsa({ docs, queries: [] }, 256, { analyzer: analyzers.bind('english'), seed: 17 });
  return (performance.now() - start) / 1000;
}

function randomVectors({ docs, dims, queries }: DenseBench['size']): DenseEncoding {
  const normal = gaussians(mulberry32(17));
  const vectors = (count: number) => unitLength(new Float32Array(count * dims).map(normal), dims);
  return { kind: 'dense', dims, similarity: 'cosine', docs: vectors(docs), queries: vectors(queries) };
}

function randomTokens(docCount: number): LateInteractionEncoding {
  const uniform = mulberry32(3);
  const normal = gaussians(mulberry32(17));
  const tokens = (texts: number, length: () => number) => {
    const offsets = new Int32Array(texts + 1);
    for (let text = 0; text < texts; text++) offsets[text + 1] = offsets[text] + length();
    return { offsets, vectors: unitLength(new Float32Array(offsets[texts] * 64).map(normal), 64) };
  };
  const docs = tokens(docCount, () => 150 + Math.floor(60 * uniform()));
  return { kind: 'late-interaction', dims: 64, docs, queries: tokens(lateQueries, () => 32) };
}

/** Ours, and under each kind the kernel alone, which nothing built on it can beat. */
async function searchers(encoding: DenseEncoding) {
  const [one, all] = [await openGemm(1), await openGemm(availableParallelism())];
  const { dims, docs, queries } = encoding;
  const asked = Int32Array.from({ length: queries.length / dims }, (_, query) => query);
  const inBlocks = (index: Index) => () => index.searchBlock?.(asked, 100);
  const kernels = exactIndex(encoding);
  const codes = Uint8Array.from(docs, (value) => 128 + 127 * value);
  const linearOf = () => ({ weights: Float64Array.from(queries.subarray(0, dims)), offset: 0 });
  const bits = { dims, docBits: signBits(docs, dims), queryBits: signBits(queries, dims) };
  const contenders: Contender[] = [
    { system: 'float', peers: floatPeers, run: inBlocks(kernels) },
    {
      system: 'float, one query at a time',
      peers: [],
      run: () => Array.from(asked, (query) => kernels.search(query, 100)),
    },
    { system: 'float, Gemm on 1 thread', peers: [], run: inBlocks(exactIndex(encoding, one)) },
    { system: 'float, Gemm on all threads', peers: [], run: inBlocks(exactIndex(encoding, all)) },
    { system: '16-bit kernel alone', peers: ['numpy matmul alone'], run: kernelAlone(int16Pass(encoding), asked) },
    { system: 'int8', peers: ['faiss SQ8'], run: inBlocks(nearestIndex(encoding)) },
    { system: 'int8@hakari', peers: [], run: inBlocks(rawCodeIndex(encoding)) },
    { system: 'byte kernel alone', peers: [], run: kernelAlone(bytePass({ dims, codes, linearOf }), asked) },
    { system: 'binary', peers: ['faiss BinaryFlat'], run: inBlocks(hammingIndex(encoding)) },
    { system: 'bit kernel alone', peers: [], run: kernelAlone(bitPass(bits), asked) },
  ];
  return { contenders, close: () => Promise.all([one.close(), all.close()]) };
}

function kernelAlone(pass: QuickPass | null, asked: Int32Array): () => void {
  return () => {
    for (let from = 0; from < asked.length; from += mostQueries) {
      const tile = pass?.ask(asked.subarray(from, from + mostQueries));
      for (const block of tile?.blocks ?? []) tile?.valuesOf(block);
    }
  };
}

function lateSearchers(encoding: LateInteractionEncoding): Contender[] {
  const each = (index: Index) => () => {
    for (let query = 0; query < lateQueries; query++) index.search(query, 100);
  };
  return [
    { system: 'MaxSim float', peers: [], run: each(maxSimIndex(encoding)) },
    { system: 'MaxSim int8', peers: [], run: each(maxSimInt8Index(encoding)) },
    { system: 'MaxSim binary', peers: [], run: each(maxSimBinaryIndex(encoding)) },
  ];
}

async function secondsOf(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}

interface PeerTimes {
  readonly seconds: readonly (readonly [peer: string, seconds: number])[];
  readonly missing?: string;
}

async function peerSeconds(
  { python, peers }: DenseBenchOptions,
  { docs, dims, queries }: DenseBench['size'],
  threads: string,
): Promise<PeerTimes> {
  const limits = { OMP_NUM_THREADS: threads, OPENBLAS_NUM_THREADS: threads };
  const env = threads === 'all' ? process.env : { ...process.env, ...limits };
  try {
    const sizes = [docs, dims, queries].map(String);
    const { stdout } = await promisify(execFile)(python, [peers, ...sizes], { maxBuffer: 1 << 24, env });
    const rows: { peer: string; search?: { best: number } }[] = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    return {
      seconds: rows.flatMap(({ peer, search }) => (search === undefined ? [] : [[peer, search.best] as const])),
    };
  } catch (error) {
    return { seconds: [], missing: reasonOf(error).trim().split('\n').at(-1) ?? '' };
  }
}
