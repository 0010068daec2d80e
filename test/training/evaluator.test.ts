import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mulberry32 } from '../../core/random.js';
import { buildBoard } from '../../results/board.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { taskResults } from '../../results/task-results.js';
import { arenaOf } from '../../runners/arena.js';
import { preparedDense } from '../../runners/families/dense.js';
import { parseSystem, type System } from '../../runners/grammar.js';
import { manifestAnalyzer } from '../../runners/plan.js';
import { defaultRunOptions, runSystem } from '../../runners/run.js';
import type { DenseEncoding } from '../../runners/system.js';
import { variants } from '../../runners/variants/index.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import { readNanoSet, writeNanoSet } from '../../tasks/store.js';
import type { NanoSet } from '../../tasks/types.js';
import { type Embed, nanoEvaluator, taskId } from '../../training/index.js';
import { smallNano, temporaryFolder } from '../small-nano.js';

const dims = 8;
const words = 'red green blue cat dog bird sea hill tree stone'.split(' ');

/** A made-up task: texts of ten words, grades 0 to 2, ties in both. */
async function madeUpNano(id: string, seed: number): Promise<NanoSet> {
  const uniform = mulberry32(seed);
  const text = (length: number) => Array.from({ length }, () => words[Math.floor(uniform() * words.length)]).join(' ');
  const docs = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i}`, text(4)]));
  const queries = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`q${i}`, text(2)]));
  const judged = Object.fromEntries(
    Object.keys(queries).map((query) => [
      query,
      Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`d${Math.floor(uniform() * 40)}`, i % 3])),
    ]),
  );
  const pool = Object.fromEntries(Object.keys(queries).map((query) => [query, { docs: ['d0', 'd1', 'd2'] }]));
  const root = temporaryFolder();
  await writeNanoSet(root, sealNanoSet(smallNano({ docs, queries, judged, pools: { bm25: pool } }, id)));
  return readNanoSet(root, taskId(id));
}

/** Counts of words, the last two dimensions shared: equal texts tie. */
const toy: Embed = (texts) =>
  texts.map((text) => {
    const vector = new Float32Array(dims);
    for (const word of text.split(' ')) vector[Math.min(words.indexOf(word), dims - 1)] += 1;
    return vector;
  });

type Make = (nano: NanoSet) => Promise<System>;

/** What a board says of a system on these tasks. */
async function boardOf(sets: readonly NanoSet[], make: Make, measures: readonly string[]) {
  const results = await Promise.all(
    sets.map(async (nano) => {
      const arena = arenaOf(nano, { analyzer: manifestAnalyzer(nano.manifest), seed: 17 });
      const run = await runSystem({
        nano,
        arena,
        system: await make(nano),
        options: defaultRunOptions,
        clock: () => 0,
      });
      return [nano.task, taskResults(run, nano, measures.map(parseMeasure))] as const;
    }),
  );
  const board = buildBoard({
    tasks: sets.map(({ task, manifest }) => ({
      ...{ id: task, suite: manifest.suite, language: 'en', domain: 'test', digest: manifest.digest },
      ...{ queries: manifest.counts.kept.queries, docs: manifest.counts.kept.docs },
    })),
    systems: [{ id: 'x', family: 'dense', tasks: new Map(results) }],
    ...{ measures, primary: measures[0], seed: 17, resamples: 10 },
  });
  return board.systems[0];
}

/** The toy's vectors as a system of its own. */
const toySystem =
  (similarity: DenseEncoding['similarity'], ...applied: string[]): Make =>
  async () => ({
    kind: 'model',
    id: ['toy', ...applied].join('+'),
    model: {
      ...{ kind: 'custom', family: 'dense', id: 'toy', summary: 'counts of words', identity: null },
      prepare: async (texts) => {
        const flat = async (list: readonly string[], kind: 'query' | 'document') =>
          Float32Array.from((await toy(list, { kind })).flatMap((row) => Array.from(row)));
        const [docs, queries] = [await flat(texts.docs, 'document'), await flat(texts.queries, 'query')];
        const encoding = { kind: 'dense', dims, similarity, docs, queries } as const;
        return preparedDense({ encoding, encodeWork: {}, modelBytes: 0, conditions: {} }, texts, 'toy');
      },
    },
    variants: applied.map((text) => variants.bind(text)),
  });

describe('the score is the board’s of the same vectors, to the last digit', () => {
  const measures = ['nDCG@10', 'RR@10', 'R@100', 'AP'];

  it.each([
    { name: 'cosine', options: {}, make: toySystem('cosine') },
    { name: 'dot', options: { similarity: 'dot' } as const, make: toySystem('dot') },
    { name: 'truncated', options: { truncate: 3 }, make: toySystem('cosine', 'truncate@3') },
  ])('$name, two suites', async ({ options, make }) => {
    const sets = [await madeUpNano('b/one', 1), await madeUpNano('a/two', 2), await madeUpNano('a/one', 3)];
    const { score, mean, perTask, queries, docs } = await nanoEvaluator(sets, { measures, ...options }).evaluate(toy);
    const system = await boardOf(sets, make, measures);
    for (const measure of measures) {
      expect(mean[measure]).toBe(system.micro[measure].value);
      for (const { task } of sets) expect(perTask[task].mean[measure]).toBe(system.tasks[task][measure].value);
    }
    expect(score).toBe(mean['nDCG@10']);
    expect(score).toBeGreaterThan(0.05);
    expect({ queries, docs }).toEqual({ queries: 36, docs: 120 });
  });

  it('lsa@4', async () => {
    const nano = await madeUpNano('a/one', 4);
    const system = parseSystem('lsa@4');
    if (system.kind !== 'model' || system.model.kind !== 'fitted') throw new Error('lsa is a fitted model.');
    const texts = { docs: nano.docs.map(({ text }) => text), queries: nano.queries.map(({ text }) => text) };
    const output = await system.model.encode(texts, { analyzer: manifestAnalyzer(nano.manifest), seed: 17 });
    if (output.encoding.kind !== 'dense') throw new Error('lsa gives dense vectors.');
    const { encoding } = output;
    const rows = new Map(
      (['docs', 'queries'] as const).flatMap((kind) =>
        texts[kind].map((text, i) => [`${kind} ${text}`, encoding[kind].slice(i * 4, i * 4 + 4)] as const),
      ),
    );
    const embed: Embed = (list, { kind }) =>
      list.map((text) => [...(rows.get(`${kind === 'query' ? 'queries' : 'docs'} ${text}`) ?? [])]);
    const board = await boardOf([nano], async () => system, measures);
    expect((await nanoEvaluator(nano, { measures }).evaluate(embed)).score).toBe(board.micro['nDCG@10'].value);
  });
});

describe('evaluating', () => {
  it('does not depend on the batch size nor on the order of the tasks, and repeats itself', async () => {
    const sets = [await madeUpNano('a/one', 5), await madeUpNano('b/one', 6)];
    const whole = await nanoEvaluator(sets).evaluate(toy);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (batchSize) => {
        const sizes: number[] = [];
        const counted: Embed = (texts, about) => {
          sizes.push(texts.length);
          return toy(texts, about);
        };
        const evaluator = nanoEvaluator(sets.toReversed(), { batchSize });
        expect(await evaluator.evaluate(counted)).toEqual(whole);
        expect(Math.max(...sizes)).toBe(Math.min(batchSize, 40));
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(104);
      }),
      { numRuns: 8 },
    );
  });

  it('puts the prompts before the texts of their kind', async () => {
    const nano = await madeUpNano('a/one', 7);
    const seen = new Map<string, Set<string>>();
    const embed: Embed = (texts, { kind }) => {
      for (const text of texts) seen.set(kind, (seen.get(kind) ?? new Set()).add(text.slice(0, 3)));
      return texts.map(() => [1]);
    };
    await nanoEvaluator(nano, { queryPrompt: 'Q: ', documentPrompt: 'D: ' }).evaluate(embed);
    expect(seen).toEqual(
      new Map([
        ['document', new Set(['D: '])],
        ['query', new Set(['Q: '])],
      ]),
    );
  });

  it('gives every query of every task, whose mean is the score', async () => {
    const nano = await madeUpNano('a/one', 8);
    const { score, perTask } = await nanoEvaluator(nano, { measures: ['ndcg_cut_10'] }).evaluate(toy);
    const values = Object.values(perTask['a/one'].perQuery).map((byMeasure) => byMeasure['nDCG@10']);
    expect(values).toHaveLength(12);
    expect(values.reduce((sum, value) => sum + value, 0) / 12).toBeCloseTo(score, 12);
    expect(nanoEvaluator(nano, { measures: ['mrr@10'] }).primary).toBe('RR@10');
  });

  it('takes samples of queries that nest, by seed', async () => {
    const nano = await madeUpNano('a/one', 9);
    const chosen = async (limit: number, seed?: number) => {
      const evaluator = nanoEvaluator(nano, { queries: { limit, ...(seed !== undefined && { seed }) } });
      const { perTask, queries } = await evaluator.evaluate(toy);
      expect(Object.keys(perTask['a/one'].perQuery)).toHaveLength(queries);
      return Object.keys(perTask['a/one'].perQuery);
    };
    const [small, large] = [await chosen(4), await chosen(7)];
    expect(small).toHaveLength(4);
    expect(large).toEqual(expect.arrayContaining(small));
    expect(await chosen(4, 17)).toEqual(small);
    expect(await chosen(4, 18)).not.toEqual(small);
    expect(await chosen(99)).toHaveLength(12);
  });

  it('takes the documents of the pools and all judged ones where only candidates are wanted', async () => {
    const nano = await madeUpNano('a/one', 10);
    const options = { documents: 'candidates', queries: { limit: 1 } } as const;
    const { docs, perTask } = await nanoEvaluator(nano, options).evaluate(toy);
    const [query] = Object.keys(perTask['a/one'].perQuery);
    const judged = [...nano.judged].find(([id]) => id === query)?.[1] ?? new Map();
    expect(docs).toBe(new Set(['d0', 'd1', 'd2', ...judged.keys()]).size);
    expect(() => nanoEvaluator({ ...nano, pools: new Map() }, options)).toThrow(/no candidate pools: a\/one/);
  });
});

describe('vectors that cannot be scored are named', () => {
  const changed =
    (change: (vectors: ArrayLike<number>[], kind: string) => unknown): Embed =>
    async (texts, about) =>
      change([...(await toy(texts, about))], about.kind) as ArrayLike<number>[];
  const replaced = (vector: unknown) =>
    changed((vectors, kind) => (kind === 'query' ? [...vectors.slice(0, -1), vector] : vectors));
  const eight = (first: unknown) => [first, 1, 0, 0, 0, 0, 0, 0];

  it.each<[string, Embed, string, RegExp]>([
    ['NaN', replaced(eight(Number.NaN)), 'not-finite', /NaN in dimension 0 for the query `q11` of a\/one/],
    ['an infinity', replaced(eight(Number.NEGATIVE_INFINITY)), 'not-finite', /-Infinity/],
    ['beyond float32', replaced(eight(1e39)), 'not-finite', /1e\+39/],
    ['a text', replaced(eight('1')), 'not-finite', /1 in dimension 0/],
    ['a hole', replaced(eight(undefined)), 'not-finite', /undefined/],
    ['zeros', replaced(new Float32Array(8)), 'malformed', /zeros.*query `q11`/],
    ['below float32', replaced(new Array(8).fill(1e-60)), 'malformed', /zeros/],
    [
      'another dimension',
      replaced([1, 2]),
      'malformed',
      /another dimension than those before \(8\): 2 numbers for the query/,
    ],
    ['no vector', replaced(null), 'malformed', /no list of numbers/],
    ['a view of bytes', replaced(new DataView(new ArrayBuffer(8))), 'malformed', /no list of numbers/],
    [
      'empty vectors',
      changed((vectors) => vectors.map(() => [])),
      'malformed',
      /at least one number: 0 numbers for the document/,
    ],
    [
      'one too few',
      changed((vectors) => vectors.slice(1)),
      'malformed',
      /31 vectors for 32 document texts of a\/one, from number 1/,
    ],
    ['one too many', changed((vectors) => [...vectors, vectors[0]]), 'malformed', /33 vectors for 32/],
    ['no array', changed(() => 'vectors'), 'malformed', /no array/],
  ])('%s', async (_, embed, code, message) => {
    const evaluator = nanoEvaluator(await madeUpNano('a/one', 11));
    await expect(evaluator.evaluate(embed)).rejects.toThrow(message);
    await expect(evaluator.evaluate(embed)).rejects.toThrow(expect.objectContaining({ code }));
  });

  it('a dimension that changes from task to task', async () => {
    const evaluator = nanoEvaluator([await madeUpNano('a/one', 12), await madeUpNano('b/one', 13)]);
    let calls = 0;
    const embed: Embed = (texts) => texts.map(() => new Array(calls++ < 52 ? 3 : 4).fill(1));
    await expect(evaluator.evaluate(embed)).rejects.toThrow(/\(3\): 4 numbers for the document `d0` of b\/one/);
  });

  it('a failure of the model comes out as it is', async () => {
    const evaluator = nanoEvaluator(await madeUpNano('a/one', 14));
    await expect(evaluator.evaluate(() => Promise.reject(new Error('out of memory')))).rejects.toThrow('out of memory');
  });
});

it('options that make no sense are refused when the evaluator is made', async () => {
  const nano = await madeUpNano('a/one', 15);
  expect(() => nanoEvaluator([])).toThrow('needs a nano-set');
  expect(() => nanoEvaluator([nano, nano])).toThrow('twice: a/one');
  expect(() => nanoEvaluator(nano, { measures: [] })).toThrow('needs a measure');
  expect(() => nanoEvaluator(nano, { measures: ['nDGC@10'] })).toThrow(
    expect.objectContaining({ code: 'unknown-name' }),
  );
  expect(() => nanoEvaluator(nano, { measures: ['NumRet'] })).toThrow(expect.objectContaining({ code: 'usage' }));
  expect(() => nanoEvaluator(nano, { batchSize: 0 })).toThrow('batchSize');
  expect(() => nanoEvaluator(nano, { queries: { limit: 1.5 } })).toThrow('queries.limit');
  expect(() => nanoEvaluator(nano, { truncate: 0 })).toThrow('truncate');
  await expect(nanoEvaluator(nano, { truncate: 8 }).evaluate(toy)).rejects.toThrow(/truncate@8 cuts nothing off/);
});
