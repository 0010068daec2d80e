import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { reasonOf } from '../core/errors.js';
import { gaussians, mulberry32 } from '../core/random.js';
import { analyzers } from '../runners/analyzers/index.js';
import { dense, preparedFrom } from '../runners/families/dense.js';
import { lsa } from '../runners/models/lsa.js';
import type { DenseModel, Prepared } from '../runners/system.js';
import { variants } from '../runners/variants/index.js';

export interface DenseBenchOptions {
  /** A Python with numpy, faiss and usearch: `~/.cache/tenbin-peers/bin/python`. */
  readonly python: string;
  /** The program that does the same work with them: `../shared/peers/exact_peer.py`. */
  readonly peers: string;
  readonly docs?: number;
  readonly dims?: number;
  readonly queries?: number;
  readonly lsaDocs?: number;
}

/** A peer's time and how many times ours it is, or why there is none. */
export type DensePeer =
  | { readonly peer: string; readonly seconds: number; readonly ratio: number }
  | { readonly peer: string; readonly missing: string };

export interface DenseBench {
  readonly size: { readonly docs: number; readonly dims: number; readonly queries: number };
  /** lsa@256 over synthetic documents of 107 tokens: analysis, SVD and projection. */
  readonly lsa: { readonly docs: number; readonly seconds: number };
  /** All queries, top 100, one after another on one thread; best of 3. */
  readonly search: readonly {
    readonly system: string;
    readonly seconds: number;
    readonly peers: readonly DensePeer[];
  }[];
}

/** Which peer does the work of which of our systems. */
const counterparts: Readonly<Record<string, readonly string[]>> = {
  float: ['numpy', 'faiss Flat', 'usearch exact'],
  int8: ['faiss SQ8'],
  binary: ['faiss BinaryFlat'],
};

/** Times lsa@256 and exhaustive search over seeded random vectors, then lets the peers search on this machine. */
export async function benchDense(options: DenseBenchOptions): Promise<DenseBench> {
  const { docs = 20_000, dims = 384, queries = 1000, lsaDocs = 10_000 } = options;
  const size = { docs, dims, queries };
  const lsaSeconds = await timedLsa(lsaDocs);
  const float = randomSystem(size);
  const ours = new Map<string, number>();
  for (const system of Object.keys(counterparts)) {
    const prepared = system === 'float' ? float : await variants.bind(system).apply(float);
    ours.set(system, await timedSearch(prepared, queries));
  }
  const theirs = await peerSeconds(options, size);
  const search = [...ours].map(([system, seconds]) => ({
    system,
    seconds,
    peers: counterparts[system].map((peer) => comparedWith(peer, theirs, seconds)),
  }));
  return { size, lsa: { docs: lsaDocs, seconds: lsaSeconds }, search };
}

/** The result in lines for people. */
export function denseBenchLines({ size, lsa: built, search }: DenseBench): string[] {
  const rows = search.flatMap(({ system, seconds, peers }) => [
    `  ${system}: ${seconds.toFixed(2)} s, ${Math.round(size.queries / seconds)} queries/s`,
    ...peers.map((peer) =>
      'missing' in peer
        ? `    ${peer.peer}: left out (${peer.missing})`
        : `    ${peer.peer}: ${peer.seconds.toFixed(3)} s, ${peer.ratio.toFixed(2)} × tenbin`,
    ),
  ]);
  return [
    `dense: lsa@256 of ${built.docs} documents in ${built.seconds.toFixed(2)} s`,
    `dense: ${size.docs} × ${size.dims}, ${size.queries} queries, top 100`,
    ...rows,
  ];
}

async function timedLsa(docCount: number): Promise<number> {
  const uniform = mulberry32(17);
  // Zipf's law over 40,000 words, as in a real collection of this size.
  const word = () => `w${Math.floor(40_000 ** uniform())}`;
  const docs = Array.from({ length: docCount }, () => Array.from({ length: 107 }, word).join(' '));
  const start = performance.now();
  await dense.prepare({ docs, queries: [] }, lsa.bind(undefined), { analyzer: analyzers.bind('english'), seed: 17 });
  return (performance.now() - start) / 1000;
}

function randomSystem({ docs, dims, queries }: DenseBench['size']): Prepared {
  const normal = gaussians(mulberry32(17));
  const vectors = (count: number) => new Float32Array(count * dims).map(normal);
  const blank = (count: number) => Array<string>(count).fill('');
  const model: DenseModel = { family: 'dense', id: 'random', summary: 'seeded normal vectors', dims, backend: 'none' };
  const encoding = { kind: 'dense', dims, docs: vectors(docs), queries: vectors(queries) } as const;
  const output = { encoding, encodeWork: {}, modelBytes: 0, conditions: {} };
  return preparedFrom(output, { docs: blank(docs), queries: blank(queries) }, model);
}

async function timedSearch({ index }: Prepared, queries: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    const start = performance.now();
    for (let query = 0; query < queries; query++) await index.search(query, 100);
    best = Math.min(best, (performance.now() - start) / 1000);
  }
  return best;
}

type PeerTimes = { readonly seconds: ReadonlyMap<string, number>; readonly missing: string };

async function peerSeconds(options: DenseBenchOptions, size: DenseBench['size']): Promise<PeerTimes> {
  const parameters = [options.peers, String(size.docs), String(size.dims), String(size.queries)];
  try {
    const { stdout } = await promisify(execFile)(options.python, parameters, { maxBuffer: 1 << 24 });
    const rows: { peer: string; search?: { best: number } }[] = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const seconds = rows.flatMap(({ peer, search }) => (search === undefined ? [] : [[peer, search.best] as const]));
    return { seconds: new Map(seconds), missing: 'it gave no time' };
  } catch (error) {
    return { seconds: new Map(), missing: reasonOf(error).trim().split('\n').at(-1) ?? '' };
  }
}

function comparedWith(peer: string, { seconds, missing }: PeerTimes, ours: number): DensePeer {
  const theirs = seconds.get(peer);
  return theirs === undefined ? { peer, missing } : { peer, seconds: theirs, ratio: theirs / ours };
}
