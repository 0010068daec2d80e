import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gaussians, mulberry32 } from '../../core/random.js';
import { type GraphSettings, loadHnsw } from '../../runners/backends/hnsw/engine.js';
import { preparedDense } from '../../runners/families/dense.js';
import type { GraphLinks } from '../../runners/kernels/hnsw-walk.js';
import type { DenseEncoding, Hits, Index, Prepared } from '../../runners/system.js';
import { hnsw, hnswWith } from '../../runners/variants/hnsw.js';
import { recallAgainst } from '../../runners/variants/hnsw-recall.js';
import { temporaryFolder } from '../small-nano.js';
import { outputOf, sparseSubject } from './subjects.js';

const engine = loadHnsw();

interface Graph {
  readonly initIndex: (most: number, M: number, efConstruction: number, seed: number) => void;
  readonly addPoint: (point: number[], label: number) => void;
  readonly writeIndexSync: (path: string) => void;
}
type Hnswlib = { readonly HierarchicalNSW: new (space: 'ip', dims: number) => Graph };
const dims = 16;

function system(docCount: number, queries?: Float32Array): Prepared {
  const normal = gaussians(mulberry32(3));
  const docs = Float32Array.from({ length: docCount * dims }, normal);
  const encoding: DenseEncoding = {
    kind: 'dense',
    dims,
    similarity: 'cosine',
    docs,
    queries: queries ?? Float32Array.from({ length: 10 * dims }, normal),
  };
  const blank = (count: number) => Array.from({ length: count }, () => '');
  return preparedDense(
    outputOf(encoding),
    { docs: blank(docCount), queries: blank(encoding.queries.length / dims) },
    'given',
  );
}

describe('hnsw without its package', () => {
  const absent = hnswWith(() => null).bind(undefined);

  it('is refused with the command that installs it', async () => {
    expect(absent.accepts(system(3))?.reason).toMatch(/hnswlib-node.*npm install hnswlib-node@3\.0\.0/);
    await expect(async () => absent.apply(system(3))).rejects.toThrow(/npm install hnswlib-node@3\.0\.0/);
  });

  it('says first that a system has no vectors', () => {
    expect(absent.accepts(sparseSubject())?.reason).toMatch(/needs one dense vector per text/);
  });
});

it('builds the graph with the parameters that it reports', async () => {
  const built: unknown[] = [];
  // A graph in which nobody links to anybody: a walk ends where it begins.
  const alone: GraphLinks = {
    docCount: 30,
    entry: 4,
    listsAbove: 0,
    levels: [{ offsets: new Int32Array(31), targets: new Int32Array(0) }],
  };
  const linksOf = (vectors: Float32Array, settings: GraphSettings) => {
    built.push(vectors.length / settings.dims, settings);
    return alone;
  };
  const variant = hnswWith(() => ({ linksOf, version: 'recorded' })).bind('M=7,ef=9');
  const { conditions, index } = await variant.apply(system(30));
  const of = (name: string) => conditions[`hnsw.${name}`];
  expect(built).toEqual([30, { dims, M: of('M'), efConstruction: of('efConstruction'), seed: of('seed') }]);
  expect([of('M'), of('ef'), of('engine')]).toEqual([7, 9, 'recorded']);
  const hits = await index.search(0, 5);
  expect([[...hits.docs], hits.work]).toEqual([[4], { distanceComputations: 1, flops: 2 * dims }]);
});

it.each([
  [undefined, 'hnsw@M=16,ef=100'],
  ['ef=50', 'hnsw@M=16,ef=50'],
  ['ef=100,M=32', 'hnsw@M=32,ef=100'],
])('hnsw@%s is %s', (argument, id) => {
  expect(hnsw.bind(argument).id).toBe(id);
});

describe.skipIf(engine === null)('hnsw (skipped where hnswlib-node is not installed)', () => {
  it('finds with a wide search what exact search finds, to the last bit of the score', async () => {
    const given = system(400);
    const wide = await hnsw.bind('ef=400').apply(given);
    for (let query = 0; query < 10; query++) {
      const [exact, hits] = [await given.index.search(query, 20), await wide.index.search(query, 20)];
      expect([...hits.docs]).toEqual([...exact.docs]);
      expect([...hits.scores]).toEqual([...exact.scores]);
    }
    expect(wide.conditions['hnsw.recallAt100']).toBe(1);
  });

  it('counts the dot products of a walk: fewer than all, none of a query without a direction', async () => {
    const { index } = await hnsw.bind('M=8,ef=10').apply(system(1500));
    for (let query = 0; query < 5; query++) {
      const { distanceComputations = 0, flops } = (await index.search(query, 5)).work;
      expect(distanceComputations).toBeGreaterThan(10);
      expect(distanceComputations).toBeLessThan(1000);
      expect(flops).toBe(2 * dims * distanceComputations);
    }
    expect((await index.search(0, 5, Int32Array.of(1, 2))).work).toEqual({ flops: 4 * dims });
    expect(index.bytesPerQuery).toBe(4 * dims);
    const blank = await hnsw.bind(undefined).apply(system(5, new Float32Array(dims)));
    expect((await blank.index.search(0, 5)).work).toEqual({ distanceComputations: 0, flops: 0 });
  });

  it('reports a recall below 1 where a narrow search misses documents', async () => {
    const narrow = await hnsw.bind('M=2,ef=1').apply(system(3000));
    const recall = narrow.conditions['hnsw.recallAt100'];
    expect(recall).toBeGreaterThan(0);
    expect(recall).toBeLessThan(1);
    expect(narrow.conditions).toMatchObject({ 'hnsw.M': 2, 'hnsw.ef': 1, 'hnsw.seed': 100, 'hnsw.engine': '3.0.0' });
  });

  it('stands fewer documents than are asked for, none, and a query without a direction', async () => {
    const few = await hnsw.bind(undefined).apply(system(3));
    expect((await few.index.search(0, 100)).docs).toHaveLength(3);
    const none = await hnsw.bind(undefined).apply(system(0));
    expect((await none.index.search(0, 5)).docs).toHaveLength(0);
    const blank = await hnsw.bind(undefined).apply(system(5, new Float32Array(dims)));
    expect((await blank.index.search(0, 5)).docs).toHaveLength(0);
    expect([...(await blank.index.search(0, 5, Int32Array.of(1, 2))).scores]).toEqual([0, 0]);
    expect(blank.conditions['hnsw.recallAt100']).toBe(1);
  });

  it.each([
    [16, 2],
    [16, 16],
    [64, 48],
  ])('%i dimensions, M %i: the bytes are those of the file that the library writes', async (width, M) => {
    const count = 2000;
    const { HierarchicalNSW } = createRequire(import.meta.url)('hnswlib-node') as Hnswlib;
    const graph = new HierarchicalNSW('ip', width);
    const normal = gaussians(mulberry32(8));
    const docs = Float32Array.from({ length: count * width }, normal);
    graph.initIndex(count, M, 200, 100);
    for (let doc = 0; doc < count; doc++) graph.addPoint([...docs.subarray(doc * width, (doc + 1) * width)], doc);
    const path = join(temporaryFolder(), 'graph.bin');
    graph.writeIndexSync(path);
    // The file has a header; in it a document has a length of 4 bytes in front of its upper lists, in memory a pointer of 8.
    const inMemory = statSync(path).size - 96 + 4 * count;
    const encoding = {
      kind: 'dense',
      dims: width,
      similarity: 'cosine',
      docs,
      queries: new Float32Array(width),
    } as const;
    const texts = { docs: Array.from({ length: count }, () => ''), queries: [''] };
    const { index } = await hnsw.bind(`M=${M},ef=10`).apply(preparedDense(outputOf(encoding), texts, 'given'));
    expect(index.bytes).toBe(inMemory);
  });
});

describe('recall', () => {
  const listed = (lists: readonly (readonly (readonly [doc: number, score: number])[])[]): Index => ({
    bytes: 0,
    bytesPerDoc: 0,
    search: (query, k): Hits => {
      const rows = lists[query].slice(0, k);
      return {
        docs: Int32Array.from(rows, ([doc]) => doc),
        scores: Float64Array.from(rows, ([, score]) => score),
        work: {},
      };
    },
  });

  it('is the mean share of the best k, a tie with the k-th as good as it, over queries that find anything', async () => {
    const exact = listed([
      [
        [0, 3],
        [1, 2],
        [2, 2],
      ],
      [
        [5, 1],
        [6, 0.5],
      ],
      [],
    ]);
    const found = listed([
      [
        [0, 3],
        [2, 2],
      ],
      [
        [6, 0.5],
        [7, 0.1],
      ],
      [],
    ]);
    expect(await recallAgainst(exact, found, 1, 2)).toBe(1);
    expect(await recallAgainst(exact, found, 3, 2)).toBe(0.75);
    expect(await recallAgainst(exact, found, 0, 2)).toBe(1);
    expect(await recallAgainst(exact, listed([[], [], []]), 3, 2)).toBe(0);
  });
});
