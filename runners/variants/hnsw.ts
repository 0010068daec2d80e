import type { Plugin } from '../../core/registry.js';
import { type HnswEngine, hnswInstall, loadHnsw } from '../backends/hnsw/engine.js';
import { graphWork } from '../cost/retrieval.js';
import { type GraphLinks, graphWalk } from '../kernels/hnsw-walk.js';
import { selectTop } from '../kernels/top-k.js';
import type { DenseEncoding, Hits, Index, Variant } from '../system.js';
import { recallAgainst } from './hnsw-recall.js';
import { denseVariant } from './variant.js';
import { wholeParameters } from './whole-parameters.js';

/** A variant does not see the run's seed, so the levels of the graph are drawn from hnswlib's own default. */
const seed = 100;
const efConstruction = 200;
const recallDepths = [10, 100] as const;

/** Approximate search in a navigable graph (Malkov and Yashunin, TPAMI 2020) that hnswlib builds, with its recall reported. */
export const hnsw: Plugin<Variant> = hnswWith(loadHnsw);

export function hnswWith(load: () => HnswEngine | null): Plugin<Variant> {
  return {
    name: 'hnsw',
    summary:
      'hnsw@M=16,ef=100: approximate search by a graph (hnswlib-node, optional), scores exact among what it finds, ' +
      'recall against exact search reported',
    bind: (argument) => {
      const { M, ef } = wholeParameters('hnsw', argument, {
        M: { min: 2, max: 200, example: 16 },
        ef: { min: 1, max: 10_000, example: 100 },
      });
      return graphVariant(load, { M: M ?? 16, ef: ef ?? 100 });
    },
  };
}

interface Settings {
  readonly M: number;
  readonly ef: number;
}

function graphVariant(load: () => HnswEngine | null, settings: Settings): Variant {
  const { M, ef } = settings;
  const id = `hnsw@M=${M},ef=${ef}`;
  const missing = `${id} needs the package hnswlib-node, which is not installed here or not compiled: run \`${hnswInstall}\`.`;
  return denseVariant({
    id,
    refuses: () => (load() === null ? missing : null),
    change: async (encoding, exact) => {
      const engine = load();
      if (engine === null) throw new Error(missing);
      const links = engine.linksOf(encoding.docs, { dims: encoding.dims, M, efConstruction, seed });
      const index = graphIndex(encoding, exact, links, settings);
      const recalls: Record<string, number> = {};
      for (const depth of recallDepths) {
        const recall = await recallAgainst(exact, index, encoding.queries.length / encoding.dims, depth);
        recalls[`hnsw.recallAt${depth}`] = recall;
      }
      return { index, conditions: { ...conditionsOf(settings), 'hnsw.engine': engine.version, ...recalls } };
    },
  });
}

function conditionsOf({ M, ef }: Settings) {
  return {
    'hnsw.M': M,
    'hnsw.ef': ef,
    'hnsw.efConstruction': efConstruction,
    'hnsw.seed': seed,
    'hnsw.score': 'dot product in float64, of the walk and of the ranking; exact with `among`',
    'hnsw.walk': 'by tenbin, in the steps of hnswlib’s search, max(k, ef) documents kept on level 0',
    'hnsw.work': 'each dot product that the walk computes, counted; once for a document and query',
    'hnsw.bytes': 'dims·4 + M·8 + 20 per document: vector, links of level 0; M·4 + 4 per list of the levels above',
  };
}

function graphIndex(encoding: DenseEncoding, exact: Index, links: GraphLinks, { M, ef }: Settings): Index {
  const { dims, docs, queries } = encoding;
  const { walk, scores } = graphWalk(links, docs, dims);
  const search = async (query: number, k: number, among?: Int32Array): Promise<Hits> => {
    if (among !== undefined) return exact.search(query, k, among);
    const vector = new Float64Array(queries.subarray(query * dims, (query + 1) * dims));
    // A query without a direction finds nothing, as in exact search.
    if (vector.every((value) => value === 0)) return { ...selectTop(scores, null, 0, k), work: graphWork(0, dims) };
    const found = walk(vector, Math.max(k, ef));
    return {
      ...selectTop(scores, found.docs, found.docs.length, k),
      work: graphWork(found.computed, dims),
    };
  };
  const bytes = bytesOf(links, dims, M);
  const bytesPerDoc = links.docCount === 0 ? 0 : bytes / links.docCount;
  return { bytes, bytesPerDoc, bytesPerQuery: 4 * dims, search };
}

/**
 * As hnswlib 0.8 lays it out: of each document the vector in float32, a label of 8 bytes, 2·M links and a count on level 0,
 * a pointer to its lists above; and those lists, of M links and a count each. The vectors that scores are computed from are
 * the same numbers, and count once.
 */
function bytesOf({ docCount, listsAbove }: GraphLinks, dims: number, M: number): number {
  return docCount * (4 * dims + 8 + (8 * M + 4) + 8) + listsAbove * (4 * M + 4);
}
