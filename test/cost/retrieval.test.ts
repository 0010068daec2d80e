import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { passFlops } from '../../runners/cost/pass.js';
import {
  bm25Flops,
  denseWork,
  graphWork,
  hammingWork,
  invertedFileWork,
  maxSimBitsWork,
  maxSimWork,
  postingsWork,
  productCodesWork,
  rawCodesWork,
  scaledCodesWork,
  sparseDotWork,
  tableWork,
} from '../../runners/cost/retrieval.js';
import type { CostHead } from '../../runners/cost/types.js';
import type { Architecture } from '../../runners/models/card.js';

// shared/fixtures/flops/retrieval_ops.json: counts by direct formulas, written by retrieval_ops.py there.
const path = join(import.meta.dirname, '../golden/flops-retrieval/retrieval_ops.json');
type Row = { readonly name: string; readonly args: Readonly<Record<string, unknown>> } & Readonly<
  Record<string, unknown>
>;
const { rows } = JSON.parse(readFileSync(path, 'utf8')) as { readonly rows: readonly Row[] };

const encoder = (layers: number, hidden: number, heads: number, vocabulary: number): Architecture => ({
  ...{ kind: 'encoder', layers, hidden, heads, vocabulary },
  feedForward: 4 * hidden,
  gated: false,
});
const architectures: ReadonlyMap<unknown, Architecture> = new Map([
  ['MiniLM-L6-H384', encoder(6, 384, 12, 30_522)],
  ['bert-base', encoder(12, 768, 12, 30_522)],
  ['xlm-roberta-large', encoder(24, 1024, 16, 250_002)],
]);

/** Of texts of these lengths, each by itself. */
function encoded({ model }: Row['args'], head: CostHead, lengths: readonly number[]): number {
  const architecture = architectures.get(model);
  if (architecture === undefined) throw new Error(`no architecture of ${model}`);
  return lengths.reduce((sum, tokens) => sum + passFlops({ architecture, head }, { tokens }), 0);
}

/** Longest first, in batches as wide as their longest; the head is left out, as the fixture has it. */
function padded(lengths: readonly number[], size: number): number[] {
  const sorted = [...lengths].sort((a, b) => b - a);
  return sorted.map((_, i) => sorted[i - (i % size)]);
}

type Counted = Readonly<Record<string, number | undefined>>;
const number = (args: Row['args'], name: string): number => {
  const value = args[name];
  if (typeof value !== 'number') throw new Error(`${name} is no number`);
  return value;
};
const numbers = (args: Row['args'], name: string): readonly number[] => args[name] as readonly number[];
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The fixture's names for our units. */
const renamed = (work: Counted): Counted => {
  const names = new Map([
    ['integerOps', 'intOps'],
    ['popcountWords', 'popcntWords'],
    ['lookUps', 'tableLookups'],
  ]);
  return Object.fromEntries(Object.entries(work).map(([unit, amount]) => [names.get(unit) ?? unit, amount]));
};

const counts: Readonly<Record<string, (args: Row['args']) => Counted>> = {
  dense_exact: (args) => denseWork(number(args, 'N'), number(args, 'd')),
  dense_int8: (args) => scaledCodesWork(number(args, 'N'), number(args, 'd')),
  binary: (args) => hammingWork(number(args, 'N'), number(args, 'd')),
  rescore: (args) => denseWork(number(args, 'K'), number(args, 'd')),
  hnsw: (args) => graphWork(number(args, 'visited'), number(args, 'd')),
  // What is scanned was counted; nprobe says only which lists it was.
  ivf: (args) => invertedFileWork(number(args, 'nlist'), number(args, 'scanned'), number(args, 'd')),
  pq: (args) =>
    productCodesWork({ docs: number(args, 'N'), dims: number(args, 'd'), parts: number(args, 'm'), codes: 256 }),
  bm25: (args) => {
    const postings = number(args, 'postings');
    const flops = bm25Flops(postings, 'frequencies');
    return { ...postingsWork(postings), flops, flopsImpactScored: bm25Flops(postings, 'impacts') };
  },
  sparse_dot: (args) => sparseDotWork(number(args, 'postings')),
  splade_encode: (args) => ({ flops: encoded(args, { kind: 'masked-language-model' }, [number(args, 'T')]) }),
  colbert_encode: (args) => ({
    flops: encoded(args, { kind: 'projection', dims: number(args, 'dim'), over: 'tokens' }, [number(args, 'T')]),
  }),
  maxsim: (args) => {
    const [queryRows, dims, lengths] = [number(args, 'q'), number(args, 'dim'), numbers(args, 'doclens')];
    const docRows = sum(lengths);
    const matmulFlops = denseWork(queryRows * docRows, dims).flops;
    return { ...maxSimWork({ queryRows, docs: lengths.length, docRows, dims }), matmulFlops };
  },
  cross_encoder: (args) => {
    const lengths = numbers(args, 'lens');
    return { flops: encoded(args, { kind: 'classifier', labels: 1, dense: true }, lengths), calls: lengths.length };
  },
  cross_encoder_padded: (args) => ({
    flops: encoded(args, { kind: 'none' }, padded(numbers(args, 'lens'), number(args, 'batch'))),
  }),
};

it.each(rows.map((row, i) => [`${i} ${row.name}`, row] as const))('row %s is the fixture’s', (_, row) => {
  const { name, args, ...expected } = row;
  expect(renamed(counts[name](args))).toEqual(expected);
});

it('the fixture has rows of every kind', () => {
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(Object.keys(counts)));
  expect(rows.length).toBeGreaterThan(35);
});

it('nothing costs nothing', () => {
  const none = { queryRows: 0, docs: 0, docRows: 0, dims: 8 };
  expect(denseWork(0, 8)).toEqual({ flops: 0 });
  expect(rawCodesWork(0, 8)).toEqual({ integerOps: 0 });
  expect(hammingWork(0, 8)).toEqual({ popcountWords: 0, integerOps: 0 });
  expect(maxSimWork(none)).toEqual({ flops: 0 });
  expect(maxSimBitsWork({ ...none, docs: 3, docRows: 5 })).toEqual({ popcountWords: 0, integerOps: 0, flops: 0 });
  expect(tableWork(0, 8)).toEqual({ flops: 0, lookUps: 0 });
  expect(sparseDotWork(0)).toEqual({ postings: 0, flops: 0 });
});

it('a table has one look-up for each product of its row', () => {
  expect(tableWork(3, 8)).toEqual({ flops: 2 * 3 * 8, lookUps: 3 });
});

it('words are of 64 bits', () => {
  expect([1, 64, 65, 128].map((dims) => hammingWork(1, dims).popcountWords)).toEqual([1, 1, 2, 2]);
});
