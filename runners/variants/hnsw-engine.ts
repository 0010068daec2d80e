import { createRequire } from 'node:module';

/** The part of hnswlib-node that is used. It ships types, but it may be absent, so they are not relied on. */
export interface HnswGraph {
  readonly initIndex: (maxElements: number, m: number, efConstruction: number, randomSeed: number) => void;
  readonly addPoint: (point: number[], label: number) => void;
  readonly setEf: (ef: number) => void;
  readonly searchKnn: (query: number[], count: number) => { readonly neighbors: number[] };
}

export interface HnswEngine {
  readonly HierarchicalNSW: new (space: 'ip', dims: number) => HnswGraph;
  readonly version: string;
}

export const hnswInstall = 'npm install hnswlib-node@3.0.0';

/** The engine, or null where the optional package is absent or was not compiled. Nothing is loaded before it is asked. */
export function loadHnsw(): HnswEngine | null {
  const require = createRequire(import.meta.url);
  try {
    const { HierarchicalNSW } = require('hnswlib-node') as Pick<HnswEngine, 'HierarchicalNSW'>;
    const { version } = require('hnswlib-node/package.json') as { readonly version: string };
    return { HierarchicalNSW, version };
  } catch {
    return null;
  }
}
