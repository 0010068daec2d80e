import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mulberry32 } from '../../core/random.js';
import { loadHnsw } from '../../runners/backends/hnsw/engine.js';
import { type GraphLinks, graphWalk } from '../../runners/kernels/hnsw-walk.js';
import { pairHeap } from '../../runners/kernels/pair-heap.js';
import { naiveDot, vectorsOf } from './vectors.js';

const engine = loadHnsw();
const seed = 100;
const efConstruction = 200;
/** Equal distances leave its queues in our heap's order where it is compiled with GNU's C++ library. */
const gnuHeaps = process.platform === 'linux';

interface Searchable {
  readonly initIndex: (most: number, M: number, efConstruction: number, seed: number) => void;
  readonly addPoint: (point: number[], label: number) => void;
  readonly setEf: (ef: number) => void;
  readonly searchKnn: (query: number[], k: number) => { readonly neighbors: number[] };
}
type Hnswlib = { readonly HierarchicalNSW: new (space: 'ip', dims: number) => Searchable };

interface Case {
  readonly dims: number;
  readonly M: number;
  readonly ef: number;
  readonly docs: Float32Array;
  readonly queries: Float32Array;
}

const rowOf = (vectors: Float32Array, dims: number, row: number) => vectors.subarray(row * dims, (row + 1) * dims);

/** What the library itself finds, asked for as many as it keeps. */
function libraryFinds({ dims, M, ef, docs, queries }: Case): number[][] {
  const { HierarchicalNSW } = createRequire(import.meta.url)('hnswlib-node') as Hnswlib;
  const graph = new HierarchicalNSW('ip', dims);
  const count = docs.length / dims;
  graph.initIndex(count, M, efConstruction, seed);
  for (let doc = 0; doc < count; doc++) graph.addPoint([...rowOf(docs, dims, doc)], doc);
  graph.setEf(ef);
  return Array.from({ length: queries.length / dims }, (_, query) =>
    graph.searchKnn([...rowOf(queries, dims, query)], Math.min(count, ef)).neighbors.sort((a, b) => a - b),
  );
}

function ours({ dims, M, ef, docs, queries }: Case): number[][] {
  if (engine === null) throw new Error('skipped');
  const { walk } = graphWalk(engine.linksOf(docs, { dims, M, efConstruction, seed }), docs, dims);
  return Array.from({ length: queries.length / dims }, (_, query) =>
    [...walk(Float64Array.from(rowOf(queries, dims, query)), ef).docs].sort((a, b) => a - b),
  );
}

const shapes = {
  seed: fc.nat(),
  dims: fc.integer({ min: 1, max: 24 }),
  count: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 7, max: 200 })),
  M: fc.integer({ min: 2, max: 24 }),
  ef: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 13, max: 300 })),
};

/** Small whole numbers: both sides compute every distance exactly, and ties abound. */
const whole: fc.Arbitrary<Case> = fc.record(shapes).map(({ seed: from, dims, count, M, ef }) => ({
  ...{ dims, M, ef },
  docs: vectorsOf(from, count, dims, { kinds: ['whole'], copies: 2 }),
  queries: vectorsOf(from + 1, 4, dims, { kinds: ['whole'], copies: 0 }),
}));

/** Numbers of all sizes, with rows that come twice. */
const normal: fc.Arbitrary<Case> = fc.record(shapes).map(({ seed: from, dims, count, M, ef }) => ({
  ...{ dims, M, ef },
  docs: vectorsOf(from, count, dims, { kinds: ['normal'], copies: gnuHeaps ? 1 : 0 }),
  queries: vectorsOf(from + 1, 4, dims, { kinds: ['normal'], copies: 0 }),
}));

/**
 * Whether float32 cannot order two documents otherwise than float64, unless their vectors are the same: n products and
 * sums are off by n·2^-24 of their magnitude (Higham, §3.1), 1 minus the sum by half a unit of float32 once more.
 */
function isTold({ dims, docs }: Case, query: Float32Array): boolean {
  const rows = Array.from({ length: docs.length / dims }, (_, doc) => {
    const row = rowOf(docs, dims, doc);
    const magnitude = row.reduce((sum, x, j) => sum + Math.abs(x * query[j]), 0);
    return {
      row: row.join(),
      score: naiveDot(query, 0, docs, doc * dims, dims),
      error: (magnitude + 1) * (dims + 2) * 2 ** -24,
    };
  });
  rows.sort((a, b) => a.score - b.score);
  const worst = Math.max(...rows.map(({ error }) => error));
  return rows.every(({ row, score }, i) => i === 0 || row === rows[i - 1].row || score - rows[i - 1].score > 2 * worst);
}

describe.skipIf(engine === null)('a walk in a graph of hnswlib (skipped where hnswlib-node is not installed)', () => {
  it.skipIf(!gnuHeaps)('finds what hnswlib finds, ties of whole numbers included', () => {
    let inexact = 0;
    fc.assert(
      fc.property(whole, (given) => {
        const found = ours(given);
        expect(found).toEqual(libraryFinds(given));
        inexact += found.filter((docs, query) => docs.join() !== nearest(given, query).join()).length;
      }),
      { numRuns: 50 },
    );
    // A walk that looked at everything would find what hnswlib finds by being exact.
    expect(inexact).toBeGreaterThan(0);
  });

  it('finds what hnswlib finds wherever float32 tells documents apart', () => {
    let told = 0;
    fc.assert(
      fc.property(normal, (given) => {
        const [found, theirs] = [ours(given), libraryFinds(given)];
        found.forEach((docs, query) => {
          if (!isTold(given, rowOf(given.queries, given.dims, query))) return;
          told++;
          expect(docs).toEqual(theirs[query]);
        });
      }),
      { numRuns: 50 },
    );
    expect(told).toBeGreaterThan(100);
  });

  it('finds all there are where more are asked for, and the one there is', () => {
    const docs = vectorsOf(5, 40, 6, { kinds: ['normal'], copies: 4 });
    const queries = vectorsOf(6, 1, 6, { kinds: ['normal'], copies: 0 });
    expect(ours({ dims: 6, M: 8, ef: 1000, docs, queries })).toEqual([[...Array(40).keys()]]);
    expect(ours({ dims: 6, M: 2, ef: 1, docs: docs.slice(0, 6), queries })).toEqual([[0]]);
  });
});

/** The exact best, as many as a walk keeps; position breaks ties. */
function nearest({ dims, ef, docs, queries }: Case, query: number): number[] {
  const count = docs.length / dims;
  const scores = Array.from({ length: count }, (_, doc) => naiveDot(queries, query * dims, docs, doc * dims, dims));
  const order = [...scores.keys()].sort((a, b) => scores[b] - scores[a] || a - b);
  return order.slice(0, ef).sort((a, b) => a - b);
}

interface Drawn {
  readonly links: GraphLinks;
  readonly dims: number;
  readonly docs: Float32Array;
  readonly query: Float64Array;
  readonly ef: number;
}

/** Graphs of any shape: documents that nobody links to, levels that lead nowhere. */
const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    from: fc.nat(),
    dims: fc.integer({ min: 1, max: 9 }),
    count: fc.integer({ min: 1, max: 40 }),
    levelCount: fc.integer({ min: 1, max: 4 }),
    most: fc.integer({ min: 0, max: 6 }),
    ef: fc.integer({ min: 1, max: 50 }),
  })
  .map(({ from, dims, count, levelCount, most, ef }) => {
    const uniform = mulberry32(from);
    const levelOf = Array.from({ length: count }, (_, doc) =>
      doc === 0 ? levelCount - 1 : Math.floor(uniform() * levelCount),
    );
    const levels = Array.from({ length: levelCount }, (_, level) => {
      const there = [...levelOf.keys()].filter((doc) => levelOf[doc] >= level);
      const lists = levelOf.map((highest, doc) => {
        const others = there.filter((other) => other !== doc && uniform() < most / there.length);
        return highest >= level ? others : [];
      });
      const offsets = Int32Array.from([0, ...lists.map((_, doc) => lists.slice(0, doc + 1).flat().length)]);
      return { offsets, targets: Int32Array.from(lists.flat()) };
    });
    return {
      links: { docCount: count, entry: 0, listsAbove: 0, levels },
      dims,
      docs: vectorsOf(from, count, dims, { kinds: ['normal'], copies: 0 }),
      query: Float64Array.from(vectorsOf(from + 1, 1, dims, { kinds: ['normal'], copies: 0 })),
      ef,
    };
  });

/** The same search with lists that are sorted again at every step, and a set of whoever's score was needed. */
function naiveWalk({ links: { levels, entry }, dims, docs, query, ef }: Drawn) {
  const scored = new Map<number, number>();
  const score = (doc: number): number => {
    const value = scored.get(doc) ?? naiveDot(query, 0, docs, doc * dims, dims);
    scored.set(doc, value);
    return value;
  };
  const neighbours = (level: number, doc: number) => [
    ...levels[level].targets.subarray(levels[level].offsets[doc], levels[level].offsets[doc + 1]),
  ];
  const better = (a: number, b: number) => score(b) - score(a);
  let best = entry;
  score(entry);
  for (let level = levels.length - 1; level > 0; level--) {
    for (let from = -1; from !== best; ) {
      from = best;
      best = [from, ...neighbours(level, from)].sort(better)[0];
    }
  }
  const met = new Set([best]);
  let kept = [best];
  let open = [best];
  while (open.length > 0) {
    const [doc, ...rest] = open.sort(better);
    if (score(doc) < score(kept[kept.length - 1])) break;
    open = rest;
    const fresh = neighbours(0, doc).filter((other) => !met.has(other));
    for (const other of fresh) {
      met.add(other);
      if (kept.length >= ef && score(other) <= score(kept[kept.length - 1])) continue;
      open.push(other);
      kept = [...kept, other].sort(better).slice(0, ef);
    }
  }
  return { docs: kept.sort((a, b) => a - b), computed: scored.size };
}

describe('a walk in any graph', () => {
  it('finds what the naive walk finds, and counts the scores that it needed', () => {
    fc.assert(
      fc.property(drawn, (given) => {
        const { walk, scores } = graphWalk(given.links, given.docs, given.dims);
        const naive = naiveWalk(given);
        for (const _ of [1, 2]) {
          const { docs, computed } = walk(given.query, given.ef);
          expect({ docs: [...docs].sort((a, b) => a - b), computed }).toEqual(naive);
          // Scores of whoever was never looked at are still what they were.
          expect(scores.filter((score) => score !== 0)).toHaveLength(computed);
        }
      }),
    );
  });

  it('of no documents finds none', () => {
    const { walk } = graphWalk({ docCount: 0, entry: -1, listsAbove: 0, levels: [] }, new Float32Array(0), 3);
    expect(walk(Float64Array.of(1, 0, 0), 5)).toEqual({ docs: new Int32Array(0), computed: 0 });
  });
});

describe('the heap of a walk', () => {
  const keys = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 60 });

  it('gives its pairs by descending key, each once', () => {
    fc.assert(
      fc.property(keys, (given) => {
        const heap = pairHeap(given.length);
        given.forEach((key, doc) => {
          heap.push(key, doc);
        });
        expect([...heap.docs()].sort((a, b) => a - b)).toEqual([...given.keys()]);
        const taken = given.map(() => [heap.topKey(), heap.pop()]);
        expect(taken.map(([key]) => key)).toEqual([...given].sort((a, b) => b - a));
        expect(taken.every(([key, doc]) => given[doc] === key)).toBe(true);
        expect([new Set(taken.map(([, doc]) => doc)).size, heap.size()]).toEqual([given.length, 0]);
      }),
    );
  });
});
