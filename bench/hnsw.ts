import { createRequire } from 'node:module';
import { gaussians, mulberry32 } from '../core/random.js';
import { hnswInstall, loadHnsw } from '../runners/backends/hnsw/engine.js';
import { graphWalk } from '../runners/kernels/hnsw-walk.js';
import { unitLength } from '../runners/kernels/unit-length.js';

export interface HnswBenchOptions {
  readonly docs?: number;
  readonly dims?: number;
  readonly queries?: number;
  readonly M?: number;
  readonly ef?: number;
}

/** Best of three rounds, in which ours and hnswlib take turns over one graph and the same queries. */
export interface HnswBench {
  readonly size: Required<HnswBenchOptions>;
  readonly oursSeconds: number;
  readonly hnswlibSeconds: number;
  /** Dot products of a query, on average. */
  readonly distances: number;
  /** Queries for which both find the same documents. */
  readonly alike: number;
}

interface Peer {
  readonly initIndex: (most: number, M: number, efConstruction: number, seed: number) => void;
  readonly addPoint: (point: number[], label: number) => void;
  readonly setEf: (ef: number) => void;
  readonly searchKnn: (query: number[], k: number) => { readonly neighbors: number[] };
}
type Hnswlib = { readonly HierarchicalNSW: new (space: 'ip', dims: number) => Peer };

const rounds = 3;
const efConstruction = 200;
const seed = 100;

/** Times our walk beside hnswlib's own search; null where hnswlib-node is not installed. */
export function benchHnsw(options: HnswBenchOptions = {}): HnswBench | null {
  const { docs = 10_000, dims = 384, queries = 500, M = 16, ef = 100 } = options;
  const size = { docs, dims, queries, M, ef };
  const normal = gaussians(mulberry32(17));
  const vectors = (count: number) => unitLength(new Float32Array(count * dims).map(normal), dims);
  const [corpus, asked] = [vectors(docs), vectors(queries)];
  const engine = loadHnsw();
  if (engine === null) return null;
  const { walk } = graphWalk(engine.linksOf(corpus, { dims, M, efConstruction, seed }), corpus, dims);
  const peer = peerOf(corpus, size);
  const plain = Array.from({ length: queries }, (_, i) => [...asked.subarray(i * dims, (i + 1) * dims)]);
  const wide = plain.map((query) => Float64Array.from(query));
  const best = { ours: Number.POSITIVE_INFINITY, theirs: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round++) {
    best.ours = Math.min(
      best.ours,
      secondsOf(() => wide.map((query) => walk(query, ef))),
    );
    best.theirs = Math.min(
      best.theirs,
      secondsOf(() => plain.map((query) => peer.searchKnn(query, ef))),
    );
  }
  const found = wide.map((query) => walk(query, ef));
  const sorted = (list: Iterable<number>): string => [...list].sort((a, b) => a - b).join();
  return {
    size,
    oursSeconds: best.ours,
    hnswlibSeconds: best.theirs,
    distances: found.reduce((sum, { computed }) => sum + computed, 0) / queries,
    alike: found.filter((hits, i) => sorted(hits.docs) === sorted(peer.searchKnn(plain[i], ef).neighbors)).length,
  };
}

function peerOf(corpus: Float32Array, { docs, dims, M, ef }: HnswBench['size']): Peer {
  const { HierarchicalNSW } = createRequire(import.meta.url)('hnswlib-node') as Hnswlib;
  const peer = new HierarchicalNSW('ip', dims);
  peer.initIndex(docs, M, efConstruction, seed);
  for (let doc = 0; doc < docs; doc++) peer.addPoint([...corpus.subarray(doc * dims, (doc + 1) * dims)], doc);
  peer.setEf(ef);
  return peer;
}

function secondsOf(run: () => unknown): number {
  const start = performance.now();
  run();
  return (performance.now() - start) / 1000;
}

/** The result in lines for people. */
export function hnswBenchLines(bench: HnswBench | null): string[] {
  if (bench === null) return [`left out: hnswlib-node is not installed (${hnswInstall})`];
  const { size, oursSeconds, hnswlibSeconds, distances, alike } = bench;
  const each = (seconds: number) => `${((1000 * seconds) / size.queries).toFixed(3)} ms a query`;
  return [
    `hnsw: ${size.docs} × ${size.dims}, M ${size.M}, ef ${size.ef}, ${size.queries} queries, best of ${rounds} rounds in turn`,
    `  tenbin's walk: ${each(oursSeconds)}, ${distances.toFixed(0)} distances counted`,
    `  hnswlib's search: ${each(hnswlibSeconds)}, ${(hnswlibSeconds / oursSeconds).toFixed(2)} × tenbin; the same documents for ${alike} queries`,
  ];
}
