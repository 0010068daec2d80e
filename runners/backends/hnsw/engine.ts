import { createRequire } from 'node:module';
import type { GraphLinks } from '../../kernels/hnsw-walk.js';
import { throughFile } from './graph-file.js';
import { type GraphSettings, hnswVersion, readLinks } from './layout.js';

export type { GraphSettings } from './layout.js';

export interface HnswEngine {
  readonly version: string;
  /** The graph over row-major vectors, by the greatest dot product. */
  readonly linksOf: (vectors: Float32Array, settings: GraphSettings) => GraphLinks;
}

export const hnswInstall = `npm install hnswlib-node@${hnswVersion}`;

/** The part of hnswlib-node that is used. It ships types, but it may be absent, so they are not relied on. */
interface Graph {
  readonly initIndex: (maxElements: number, m: number, efConstruction: number, randomSeed: number) => void;
  readonly addPoint: (point: number[], label: number) => void;
  readonly writeIndexSync: (path: string) => void;
}

interface Hnswlib {
  readonly HierarchicalNSW: new (space: 'ip', dims: number) => Graph;
}

/** The engine, or null where the optional package is absent or was not compiled. Nothing is loaded before it is asked. */
export function loadHnsw(): HnswEngine | null {
  const require = createRequire(import.meta.url);
  try {
    const library = require('hnswlib-node') as Hnswlib;
    const { version } = require('hnswlib-node/package.json') as { readonly version: string };
    return { version, linksOf: (vectors, settings) => linksOf(library, vectors, settings) };
  } catch {
    return null;
  }
}

/**
 * Takes about 1 ms a document of 384 dimensions, and does not yield. Vectors are copied to plain arrays one by one. The
 * links are read from the file that the library writes, the only way to them; the library's own copy is then let go.
 */
function linksOf({ HierarchicalNSW }: Hnswlib, vectors: Float32Array, settings: GraphSettings): GraphLinks {
  const { dims, M, efConstruction, seed } = settings;
  const docCount = vectors.length / dims;
  if (docCount === 0) return { docCount, entry: -1, listsAbove: 0, levels: [] };
  const graph = new HierarchicalNSW('ip', dims);
  graph.initIndex(docCount, M, efConstruction, seed);
  for (let doc = 0; doc < docCount; doc++) {
    graph.addPoint(Array.from(vectors.subarray(doc * dims, (doc + 1) * dims)), doc);
  }
  return throughFile(
    (path) => graph.writeIndexSync(path),
    (source) => readLinks(source, vectors, settings),
  );
}
