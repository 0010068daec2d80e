import { describe, expect, test } from 'vitest';
import { modelOfFiles } from '../../runners/backends/resolve/make-model.js';
import { costOfCard } from '../../runners/backends/resolve/model-cost.js';
import { namedArchitectures } from '../../runners/cost/named-architectures.js';
import { passFlops } from '../../runners/cost/pass.js';
import type { ModelCard } from '../../runners/models/card.js';
import { embeddedCards, hubCards } from '../../runners/models/cards/index.js';
import { cardNames } from '../../runners/models/catalog.js';
import { goldenArchitecture } from './golden-models.js';

const all = [...embeddedCards, ...hubCards];

const byId = (id: string): ModelCard => {
  const card = all.find((one) => one.id === id);
  if (card === undefined) throw new Error(`no card ${id}`);
  return card;
};

test.each(all.map((card) => [card.id, card] as const))(
  '%s: layers are known, and a pass costs at least twice its active weights',
  (_, card) => {
    const cost = costOfCard(card);
    if (cost === null) throw new Error('no cost');
    // DeBERTa's positions go through its projections again, however short the text is.
    const { relativePositions: _positions, ...architecture } = cost.architecture;
    const flops = passFlops({ architecture, head: { kind: 'none' } }, { tokens: 1 });
    const { total, embedding = cost.architecture.vocabulary * cost.architecture.hidden } = card.parameters ?? {
      total: 0,
    };
    // All weights but the tables of words and positions are multiplied once for each token; biases and poolers are few.
    const tables = embedding + (cost.architecture.kind === 'encoder' ? 8192 * cost.architecture.hidden : 0);
    expect(flops).toBeGreaterThan(0.97 * 2 * (total - tables));
    expect(flops).toBeLessThan(1.1 * 2 * (total - embedding));
  },
);

describe('what each family reads of the layers', () => {
  test.each([
    ['dense-tiny', { kind: 'none' }],
    ['splade-tiny', { kind: 'masked-language-model' }],
    ['colbert-tiny', { kind: 'projection', dims: 64, over: 'tokens' }],
    ['ce-tiny', { kind: 'classifier', labels: 1, dense: true }],
    ['qwen3-reranker-0.6b', { kind: 'two-words' }],
  ])('%s', (id, head) => {
    expect(costOfCard(byId(id))?.head).toEqual(head);
  });

  test('a longer vector than the layers is a projection, likelihood reads positions, decoders have no dense layer', () => {
    const dense = byId('dense-tiny');
    const reranker = byId('qwen3-reranker-0.6b');
    if (dense.family !== 'dense' || reranker.family !== 'reranker') throw new Error('cards changed');
    expect(costOfCard({ ...dense, dims: 512 })?.head).toEqual({ kind: 'projection', dims: 512, over: 'text' });
    expect(costOfCard({ ...reranker, method: 'query-likelihood' })?.head).toEqual({
      kind: 'language-model',
      positions: 'read',
    });
    expect(costOfCard({ ...reranker, method: 'cross-encoder' })?.head).toMatchObject({ dense: false });
    const { architecture: _, ...unknown } = dense;
    expect(costOfCard(unknown)).toBeNull();
  });

  test('a model made of files carries it', () => {
    const card = byId('ce-tiny');
    const model = modelOfFiles({ kind: 'files', text: 'ce-tiny', card, dtype: 'w8', identity: null });
    expect(model.cost).toEqual(costOfCard(card));
    const { architecture: _, ...unknown } = card;
    expect(modelOfFiles({ kind: 'files', text: 'x', card: unknown, dtype: 'w8', identity: null })).not.toHaveProperty(
      'cost',
    );
  });
});

describe('named architectures', () => {
  const architectureOf = (name: string) => namedArchitectures.find((one) => one.name === name)?.architecture;

  test.each([
    ['flan-t5-large', 'flan-t5-large'],
    ['flan-t5-xl', 'flan-t5-xl'],
    ['flan-t5-xxl', 'flan-t5-xxl'],
    ['qwen2.5-3b-instruct', 'Qwen2.5-3B'],
    ['qwen2.5-7b', 'Qwen2.5-7B'],
    ['qwen2.5-14b', 'Qwen2.5-14B'],
  ])('%s costs what the fixture has', (name, golden) => {
    const architecture = architectureOf(name);
    const pass = { tokens: 77, decoderTokens: 3 };
    const head = { kind: 'language-model', positions: 'all' } as const;
    if (architecture === undefined) throw new Error('missing');
    expect(passFlops({ architecture, head }, pass)).toBe(
      passFlops({ architecture: goldenArchitecture(golden), head }, pass),
    );
  });

  /** The hub's counts, both tables included: meta-llama/Llama-3.1-8B, Qwen/Qwen2.5-7B, Qwen/Qwen2.5-14B. */
  test.each([
    ['llama-3.1-8b', 8_030_261_248],
    ['qwen2.5-7b', 7_615_616_512],
    ['qwen2.5-14b', 14_770_033_664],
  ])('%s has its published number of weights, but for biases and norms', (name, total) => {
    const architecture = architectureOf(name);
    if (architecture === undefined) throw new Error('missing');
    const perToken = passFlops({ architecture, head: { kind: 'none' } }, { tokens: 1 });
    const scores = 4 * architecture.layers * architecture.heads * 128;
    const weights = (perToken - scores) / 2 + 2 * architecture.vocabulary * architecture.hidden;
    expect(Math.abs(weights / total - 1)).toBeLessThan(2e-4);
  });

  test('are no cards: nothing lists them as models to run', () => {
    expect(namedArchitectures.filter(({ name }) => cardNames.includes(name))).toEqual([]);
    expect(new Set(namedArchitectures.map(({ name }) => name)).size).toBe(namedArchitectures.length);
  });
});
