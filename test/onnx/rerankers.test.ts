import { describe, expect, test } from 'vitest';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import type { ModelFiles, RerankerCard } from '../../runners/models/card.js';
import type { Pair } from '../../runners/open-model.js';
import { ceTiny, cpu, hasShared, shared, t5Tiny } from './cards.js';
import { graphBytes, lookup, type MiniGraph } from './mini-graph.js';
import { asScorer, needsShared, pairIds, pairOf } from './references.js';
import { firstWord, folderOf, wordTokenizer } from './tiny-folder.js';

const words = ['a', 'b', 'c', 'd', 'yes', 'no', ':', '?'];
const idOf = (word: string) => firstWord + words.indexOf(word);
const size = firstWord + words.length;

/** Logits of the next token by the last one: seeded numbers, so that every position has others. */
const logits = Array.from({ length: size }, (_, row) =>
  Array.from({ length: size }, (_, column) => Math.fround(Math.sin(1 + row * 31 + column * 17) * 3)),
);

function model(
  change: Partial<RerankerCard>,
  around: 'special' | 'bare' = 'bare',
  graph: MiniGraph = lookup(logits, 'logits'),
) {
  const folder = folderOf({ 'model.onnx': graphBytes(graph), ...wordTokenizer(words, around) });
  const card: RerankerCard = {
    ...ceTiny,
    id: 'mini',
    files: { fp32: 'model.onnx' },
    method: 'yes-no',
    template: 'a: {query} b: {document} ?',
    words: { yes: 'yes', no: 'no' },
    maxLength: 12,
    ...change,
  };
  return { card, dtype: 'fp32', folder } satisfies ModelFiles<RerankerCard>;
}

async function scored(files: ModelFiles, pairs: readonly Pair[]) {
  const scorer = asScorer(await openOnnx(files, cpu));
  const { margins, tokens } = await scorer.score(pairs);
  const ids = pairs.map((pair) => [...(scorer.tokenIds(pair) ?? [])]);
  await scorer.close();
  return { margins: [...margins], ids, truncated: [...(tokens?.truncated ?? [])], probability: scorer.probability };
}

const ids = (text: string) => text.split(' ').map(idOf);

describe('yes or no', () => {
  test('the words are compared at the end of the prompt', async () => {
    const { margins, ids: rows, truncated } = await scored(model({}), [{ query: 'c', document: 'd d' }]);
    expect(rows).toEqual([ids('a : c b : d d ?')]);
    const last = logits[idOf('?')];
    expect(margins).toEqual([last[idOf('yes')] - last[idOf('no')]]);
    expect(truncated).toEqual([0]);
  });

  test('of a prompt that is too long the document is cut, and what follows it stays', async () => {
    const long = { query: 'c', document: 'd '.repeat(50) };
    const { ids: rows, truncated } = await scored(model({}), [long]);
    expect(rows).toEqual([ids('a : c b : d d d d d d ?')]);
    expect(truncated).toEqual([1]);
    const exact = { query: 'c', document: 'd d d d d d' };
    expect((await scored(model({}), [exact])).truncated).toEqual([0]);
  });

  test('a query that fills the room by itself is cut after the document is gone', async () => {
    const { ids: rows, truncated } = await scored(model({}), [{ query: 'c '.repeat(50), document: 'd' }]);
    expect(rows).toEqual([ids('a : c c c c c c c b : ?')]);
    expect(truncated).toEqual([1]);
  });

  test('a document before the query is cut all the same', async () => {
    const turned = model({ template: 'b: {document} a: {query} ?' });
    const { ids: rows } = await scored(turned, [{ query: 'c c', document: 'd '.repeat(50) }]);
    expect(rows).toEqual([ids('b : d d d d d a : c c ?')]);
  });

  test('special tokens before a prompt are put there once; those after it are left to the answer', async () => {
    const [[...first]] = (await scored(model({}, 'special'), [{ query: 'c', document: 'd' }])).ids;
    expect(first).toEqual([2, ...ids('a : c b : d ?')]);
    const written = model({ template: '[CLS] {query} {document}' }, 'special');
    expect((await scored(written, [{ query: 'c', document: 'd' }])).ids).toEqual([[2, ...ids('c d')]]);
  });

  test.each([
    [{ words: { yes: 'yes', no: 'yes no' } }, /not a single token: yes no/],
    [{ words: null }, /not a single token: none/],
    [{ template: null }, /does not hold \{document\} once.*no template/],
    [{ template: '{document} {document}' }, /does not hold \{document\} once/],
  ])('a card that cannot be followed is named: %o', async (change, message) => {
    await expect(openOnnx(model(change), cpu)).rejects.toThrow(message);
  });
});

describe('query likelihood', () => {
  const logP = (previous: number, token: number) =>
    logits[previous][token] - Math.log(logits[previous].reduce((sum, logit) => sum + Math.exp(logit), 0));
  const meanLogP = (all: readonly number[], from: number) =>
    all.slice(from).reduce((sum, token, i) => sum + logP(all[from + i - 1], token), 0) / (all.length - from);
  const likelihood = (change: Partial<RerankerCard> = {}) =>
    model({ method: 'query-likelihood', template: 'b: {document} a: {query}', words: null, ...change });

  test('is the mean over the tokens of the query, and of nothing else', async () => {
    const pairs = [
      { query: 'c d', document: 'd c' },
      { query: 'd', document: '' },
      { query: '', document: 'c' },
    ];
    const { margins, ids: rows, probability } = await scored(likelihood(), pairs);
    expect(rows).toEqual([ids('b : d c a : c d'), ids('b : a : d'), ids('b : c a :')]);
    expect(margins[0]).toBeCloseTo(meanLogP(rows[0], 6), 6);
    expect(margins[1]).toBeCloseTo(meanLogP(rows[1], 4), 6);
    expect(margins[2]).toBe(0);
    expect(probability).toBe('exp');
  });

  test('cuts the document, and of the query what is beyond half of the length', async () => {
    const { ids: rows, truncated } = await scored(likelihood(), [
      { query: 'c c', document: 'd '.repeat(50) },
      { query: 'c '.repeat(50), document: 'd '.repeat(50) },
    ]);
    expect(rows).toEqual([ids('b : d d d d d d a : c c'), ids('b : d d a : c c c c c c')]);
    expect(truncated).toEqual([1, 1]);
  });

  test('needs a template that ends with the query', async () => {
    await expect(openOnnx(likelihood({ template: '{query} {document}' }), cpu)).rejects.toThrow(
      /must end with \{query\}/,
    );
    await expect(openOnnx(likelihood({ template: '{document}' }), cpu)).rejects.toThrow(/must end with \{query\}/);
  });

  test.skipIf(!hasShared)(`T5: the encoder reads the document, the decoder the query${needsShared}`, async () => {
    const open = (template: string) => scored(shared({ ...t5Tiny, template }), pairIds.slice(0, 6).map(pairOf));
    const plain = await open('{document}');
    const asked = await open('Passage: {document} Question: {query}');
    expect(plain.margins.every((margin) => margin < 0)).toBe(true);
    expect(plain.probability).toBe('exp');
    plain.margins.forEach((margin, i) => {
      expect(Math.abs(margin - asked.margins[i])).toBeGreaterThan(1e-4);
    });
    // Only the document's side has the end-of-text token.
    expect(plain.ids.every((row) => row.at(-1) === 1)).toBe(true);
    const [{ document }] = pairIds.map(pairOf);
    const [same, other] = (
      await scored(shared(t5Tiny), [
        { query: 'one question', document },
        { query: 'another question', document },
      ])
    ).margins;
    expect(same).not.toBe(other);
  });

  test.skipIf(!hasShared)(`T5 answers a yes-no prompt after its start token${needsShared}`, async () => {
    const card = {
      ...t5Tiny,
      method: 'yes-no',
      template: '{query} {document}',
      words: { yes: 'the', no: 'of' },
    } as const;
    const { margins, probability } = await scored(shared(card), pairIds.slice(0, 4).map(pairOf));
    expect(margins.every(Number.isFinite)).toBe(true);
    expect(new Set(margins).size).toBeGreaterThan(1);
    expect(probability).toBe('sigmoid');
  });
});

describe('the number of logits', () => {
  const classifier = { method: 'cross-encoder', template: null, words: null } as const;
  const pairs = [
    { query: 'a', document: 'b' },
    { query: 'b', document: 'a' },
  ];

  /** A graph that gives so many logits of the first token, and says of its output what `dims` says. */
  function headOf(logitCount: number, dims: readonly (number | string)[]): MiniGraph {
    const int64 = (name: string, values: readonly bigint[]) =>
      ({
        name,
        type: 'int64',
        dims: [values.length],
        data: new Uint8Array(BigInt64Array.from(values).buffer),
      }) as const;
    const table = Array.from({ length: size }, (_, id) => Array.from({ length: logitCount }, (_, i) => id + i * 0.5));
    const axes = dims.length === 1 ? [1n, 2n] : [1n];
    const nodes = [
      { op: 'Gather', inputs: ['states', 'zero'], outputs: ['first'], ints: { axis: 1 } },
      { op: 'Squeeze', inputs: ['first', 'axes'], outputs: ['logits'] },
    ];
    const base = lookup(table, 'states', { nodes, tensors: [int64('zero', [0n]), int64('axes', axes)] });
    return { ...base, outputs: [{ name: 'logits', type: 'float', dims }] };
  }
  const opened = (labels: 1 | 2, graph: MiniGraph) => scored(model({ ...classifier, labels }, 'special', graph), pairs);

  test.each([
    [1, 2, ['batch', 1], '1, not 2'],
    [2, 1, ['batch', 2], '2, not 1'],
    [3, 1, ['batch', 3], '3, not 1'],
    [3, 2, ['batch', 3], '3, not 2'],
    [1, 2, ['batch'], '1, not 2'],
  ] as const)('%d for a card of %d labels is refused when the graph is opened', async (given, labels, dims, value) => {
    const files = model({ ...classifier, labels }, 'special', headOf(given, dims));
    await expect(openOnnx(files, cpu)).rejects.toMatchObject({ code: 'malformed', parts: { value } });
    await expect(openOnnx(files, cpu)).rejects.toThrow(/another number of logits than its card has labels/);
  });

  test('that fits the card is read, with one axis or two', async () => {
    // The first token is [CLS], id 2.
    expect((await opened(1, headOf(1, ['batch', 1]))).margins).toEqual([2, 2]);
    expect((await opened(1, headOf(1, ['batch']))).margins).toEqual([2, 2]);
    expect((await opened(2, headOf(2, ['batch', 2]))).margins).toEqual([0.5, 0.5]);
  });

  test('that the graph leaves open is no reason to refuse it', async () => {
    expect((await opened(1, headOf(1, ['batch', 'labels']))).margins).toEqual([2, 2]);
  });

  test.each([
    [1, 2],
    [2, 1],
    [3, 1],
  ] as const)(
    'that the graph leaves open is counted when it runs: %d for a card of %d labels',
    async (given, labels) => {
      await expect(opened(labels, headOf(given, ['batch', 'labels']))).rejects.toMatchObject({
        code: 'malformed',
        parts: { value: `${given}, not ${labels}` },
      });
    },
  );
});

describe('two labels', () => {
  test('the second minus the first, in float64', async () => {
    const squeeze = { op: 'Squeeze', inputs: ['first', 'axis'], outputs: ['logits'] };
    const gather = { op: 'Gather', inputs: ['states', 'zero'], outputs: ['first'], ints: { axis: 1 } };
    const int64 = (name: string, value: bigint) =>
      ({ name, type: 'int64', dims: [1], data: new Uint8Array(BigInt64Array.of(value).buffer) }) as const;
    const table = Array.from({ length: size }, (_, id) => [0.1 * id, 0.3 * id]);
    const base = lookup(table, 'states', { nodes: [gather, squeeze], tensors: [int64('zero', 0n), int64('axis', 1n)] });
    const graph = { ...base, outputs: [{ name: 'logits', type: 'float' as const, dims: ['batch', 2] }] };
    const card = { method: 'cross-encoder', labels: 2, template: null, words: null } as const;
    const pairs = [
      { query: 'a', document: 'b' },
      { query: '', document: '' },
    ];
    const { margins, ids: rows } = await scored(model(card, 'special', graph), pairs);
    expect(rows).toEqual([
      [2, idOf('a'), 3, idOf('b'), 3],
      [2, 3, 3],
    ]);
    expect(margins).toEqual([Math.fround(0.6) - Math.fround(0.2), Math.fround(0.6) - Math.fround(0.2)]);
  });
});
