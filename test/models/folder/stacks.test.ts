import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stackOf } from '../../../runners/backends/model-folder/stacks/index.js';
import { countParameters, type Head } from '../../../runners/backends/model-folder/stacks/stack.js';

const config = (value: object) => ({ name: 'config.json', value });

function count(value: object, head: Head = { kind: 'none' }) {
  const stack = stackOf(config(value));
  if (stack === null) throw new Error('not read');
  return countParameters(stack, head);
}

const base = {
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
};
const bert = { ...base, model_type: 'bert', vocab_size: 30_522, max_position_embeddings: 512, type_vocab_size: 2 };
const roberta = {
  ...base,
  model_type: 'roberta',
  vocab_size: 50_265,
  max_position_embeddings: 514,
  type_vocab_size: 1,
};
const xlmRoberta = { ...roberta, model_type: 'xlm-roberta', vocab_size: 250_002 };
const distilbert = {
  model_type: 'distilbert',
  vocab_size: 30_522,
  dim: 768,
  n_layers: 6,
  n_heads: 12,
  hidden_dim: 3072,
  max_position_embeddings: 512,
};
const mpnet = { ...base, model_type: 'mpnet', vocab_size: 30_527, max_position_embeddings: 514 };
const modernbert = {
  ...base,
  model_type: 'modernbert',
  vocab_size: 50_368,
  num_hidden_layers: 22,
  intermediate_size: 1152,
  max_position_embeddings: 8192,
};
const qwen3 = {
  model_type: 'qwen3',
  vocab_size: 151_669,
  hidden_size: 1024,
  num_hidden_layers: 28,
  num_attention_heads: 16,
  num_key_value_heads: 8,
  head_dim: 128,
  intermediate_size: 3072,
  tie_word_embeddings: true,
};
const qwen2 = {
  model_type: 'qwen2',
  vocab_size: 151_936,
  hidden_size: 896,
  num_hidden_layers: 24,
  num_attention_heads: 14,
  num_key_value_heads: 2,
  intermediate_size: 4864,
  tie_word_embeddings: true,
};
const gemma3 = {
  model_type: 'gemma3_text',
  vocab_size: 262_144,
  hidden_size: 768,
  num_hidden_layers: 24,
  num_attention_heads: 3,
  num_key_value_heads: 1,
  head_dim: 256,
  intermediate_size: 1152,
  sliding_window: 512,
  layer_types: Array.from({ length: 24 }, (_, i) => (i % 6 === 5 ? 'full_attention' : 'sliding_attention')),
};
const t5 = {
  model_type: 't5',
  vocab_size: 32_128,
  d_model: 512,
  d_kv: 64,
  d_ff: 2048,
  num_layers: 6,
  num_heads: 8,
  feed_forward_proj: 'relu',
};

const pooler = 768 * 768 + 768;

/** Published numbers of weights: transformers' own counts of the base models, mteb's and hakari-bench's of the others. */
test.each([
  ['bert-base', bert, { kind: 'none' }, 109_482_240 - pooler],
  ['bert-base with its masked-language-model head', bert, { kind: 'vocabulary' }, 109_514_298],
  ['distilbert-base', distilbert, { kind: 'none' }, 66_362_880],
  ['distilbert-base with its head', distilbert, { kind: 'vocabulary' }, 66_985_530],
  ['roberta-base with its head', roberta, { kind: 'vocabulary' }, 124_697_433],
  ['bge-reranker-base', xlmRoberta, { kind: 'classifier', labels: 1 }, 278_044_417],
  ['all-mpnet-base-v2', mpnet, { kind: 'none' }, 109_486_464 - pooler],
  ['gte-modernbert-base', modernbert, { kind: 'none' }, 149_014_272],
  ['colbertv2.0', bert, { kind: 'projection', dims: 128, bias: false }, 109_580_544 - pooler],
  ['qwen3-embedding-0.6b', qwen3, { kind: 'none' }, 595_776_512],
  ['mxbai-rerank-base-v2', qwen2, { kind: 'vocabulary' }, 494_032_768],
  ['embeddinggemma-300m below its two dense layers', gemma3, { kind: 'none' }, 307_581_696 - 2 * 768 * 3072],
  ['t5-small', t5, { kind: 'vocabulary' }, 60_506_624],
] as const)('%s', (_, value, head, expected) => {
  expect(count(value, head).total).toBe(expected);
});

describe('positions', () => {
  test('RoBERTa never uses the rows up to its padding id', () => {
    expect(stackOf(config(roberta))?.positions).toBe(512);
    expect(stackOf(config({ ...roberta, pad_token_id: 0 }))?.positions).toBe(513);
    expect(stackOf(config({ ...roberta, max_position_embeddings: 1 }))?.positions).toBe(1);
  });
  test('BERT uses all, T5 has none', () => {
    expect(stackOf(config(bert))?.positions).toBe(512);
    expect(stackOf(config(t5))?.positions).toBeUndefined();
    expect(stackOf(config(qwen3))?.positions).toBeUndefined();
  });
});

describe('local attention', () => {
  test('every third layer of ModernBERT sees all, the first one included', () => {
    const localOf = (num_hidden_layers: number) =>
      stackOf(config({ ...modernbert, num_hidden_layers }))?.architecture.localLayers;
    expect([1, 2, 3, 4, 22].map(localOf)).toEqual([0, 1, 2, 2, 14]);
    expect(stackOf(config(modernbert))?.architecture.window).toBe(128);
    const own = { ...modernbert, local_attention: 64, global_attn_every_n_layers: 1 };
    expect(stackOf(config(own))?.architecture).toMatchObject({ window: 64, localLayers: 0 });
  });
  test('decoders count the layers that config.json lists, else those of the family', () => {
    expect(stackOf(config(gemma3))?.architecture).toMatchObject({ window: 512, localLayers: 20 });
    const { layer_types: _, ...unlisted } = gemma3;
    expect(stackOf(config(unlisted))?.architecture).toMatchObject({ window: 512, localLayers: 20 });
    const global = { ...gemma3, layer_types: gemma3.layer_types.map(() => 'full_attention') };
    expect(stackOf(config(global))?.architecture).not.toHaveProperty('window');
  });
});

test('biases count where a config switches them on', () => {
  const plain = count({ ...qwen3, model_type: 'llama' }).total;
  const attention = 28 * (16 * 128 + 2 * 8 * 128 + 1024);
  expect(count({ ...qwen3, model_type: 'llama', attention_bias: true }).total).toBe(plain + attention);
  expect(count({ ...qwen3, model_type: 'llama', mlp_bias: true }).total).toBe(plain + 28 * (2 * 3072 + 1024));
  const without = count(modernbert).total;
  expect(count({ ...modernbert, norm_bias: true }).total).toBe(without + (2 * 22 + 1) * 768);
});

test('unknown kinds and configs that say too little are not counted', () => {
  expect(stackOf(null)).toBeNull();
  expect(stackOf(config({}))).toBeNull();
  expect(stackOf(config({ ...bert, model_type: 'deberta-v2' }))).toBeNull();
  expect(stackOf(config({ ...bert, model_type: null }))).toBeNull();
  const { intermediate_size: _, ...short } = bert;
  expect(stackOf(config(short))).toBeNull();
  expect(stackOf(config({ ...bert, hidden_size: null }))).toBeNull();
});

test.each([
  ['a size that is a text', { hidden_size: '768' }],
  ['a negative size', { hidden_size: -1 }],
  ['a broken size', { hidden_size: 7.5 }],
  ['no layers', { num_hidden_layers: 0 }],
  ['a huge size', { hidden_size: 1e9 }],
])('%s is an error that names the field', (_, wrong) => {
  expect(() => stackOf(config({ ...bert, ...wrong }))).toThrow(`\`${Object.keys(wrong)[0]}\``);
  expect(() => stackOf(config({ ...bert, ...wrong }))).toThrow('config.json');
});

test('counts are whole, and their parts are within them, for any size', () => {
  const size = fc.integer({ min: 1, max: 5_000 });
  const sizes = fc.record({
    model_type: fc.constantFrom('bert', 'roberta', 'mpnet', 'modernbert', 'llama', 'qwen2', 'qwen3', 'gemma'),
    vocab_size: size,
    // Of one head: any number of heads divides the layers' width, as it must.
    hidden_size: fc.integer({ min: 1, max: 80 }),
    num_hidden_layers: fc.integer({ min: 1, max: 60 }),
    num_attention_heads: fc.integer({ min: 1, max: 64 }),
    intermediate_size: size,
    max_position_embeddings: size,
  });
  fc.assert(
    fc.property(sizes, ({ hidden_size: headSize, ...rest }) => {
      const heads = rest.num_attention_heads;
      const value = { ...rest, hidden_size: headSize * heads, head_dim: headSize, num_key_value_heads: heads };
      for (const head of [{ kind: 'none' }, { kind: 'vocabulary' }, { kind: 'classifier', labels: 2 }] as const) {
        const { total, active = 0, embedding = 0 } = count(value, head);
        expect(Number.isSafeInteger(total)).toBe(true);
        expect(embedding).toBe(value.vocab_size * value.hidden_size);
        expect(active).toBeLessThanOrEqual(total);
        expect(active).toBeGreaterThanOrEqual(total - embedding);
      }
    }),
  );
});
