import { describe, expect, test } from 'vitest';
import { headOfConfig } from '../../runners/backends/model-folder/stacks/heads.js';
import { stackOf } from '../../runners/backends/model-folder/stacks/index.js';
import { countParameters } from '../../runners/backends/model-folder/stacks/stack.js';
import { config, counted, decoder, mixtral, qwen2Moe, qwen3Moe, read, t5 } from './config-values.js';

describe('figures that a file leaves out', () => {
  const { num_key_value_heads: _kv, head_dim: _size, sliding_window: _window, ...bare } = decoder;
  const all = { ...bare, num_key_value_heads: 2, head_dim: 16, sliding_window: 16 };
  const moe = { num_experts: 8, num_experts_per_tok: 2, moe_intermediate_size: 32, num_local_experts: 8 };
  const families = (value: object) => ({ ...value, ...moe, shared_expert_intermediate_size: 64 });
  const without = (value: object, field: string) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));

  test.each([
    ...['mistral', 'mixtral', 'qwen2', 'qwen2_moe', 'qwen3', 'qwen3_moe', 'gemma', 'gemma2', 'gemma3_text'].map(
      (type) => [type, 'num_key_value_heads', {}] as const,
    ),
    ...['qwen3', 'gemma', 'gemma2', 'gemma3_text'].map((type) => [type, 'head_dim', {}] as const),
  ] as const)('%s: %s is named and not guessed %o', (model_type, field, more) => {
    const value = { ...families(all), model_type, ...more };
    expect(() => read(value)).not.toThrow();
    const short = without(value, field);
    expect(() => read(short)).toThrow(new RegExp(`\`${model_type}\`.*\`${field}\`.*config\\.json`, 's'));
    expect(stackOf(config(short))).toBeNull();
  });

  test.each([
    // Its class takes a key and value for each query head, and divides the hidden size.
    ['llama', {}, { keyValueHeads: 4, headSize: 16 }],
    ['mistral', { num_key_value_heads: null, sliding_window: null }, { keyValueHeads: 4, headSize: 16 }],
    ['mixtral', { num_key_value_heads: 1 }, { keyValueHeads: 1, headSize: 16 }],
    ['qwen2', { num_key_value_heads: 1 }, { keyValueHeads: 1, headSize: 16 }],
    // Qwen3MoeConfig has no head_dim of its own.
    ['qwen3_moe', { num_key_value_heads: 1 }, { headSize: 16 }],
    ['gemma', { num_key_value_heads: 1, head_dim: 32 }, { headSize: 32 }],
  ])('%s %o follows from the rest', (model_type, more, expected) => {
    const { architecture } = read({ ...families(bare), model_type, ...more });
    expect(architecture).toMatchObject(expected);
    expect(architecture).not.toHaveProperty('window');
  });

  test.each([
    ['mistral', {}, 8],
    ['gemma2', {}, 4],
    ['gemma3_text', {}, 7],
    ['qwen2', { use_sliding_window: true, max_window_layers: 3 }, 5],
  ])('%s: a window that is not said is the 4096 of its class', (model_type, more, localLayers) => {
    const { architecture } = read({ ...families(without(all, 'sliding_window')), model_type, ...more });
    expect(architecture).toMatchObject({ window: 4096, localLayers });
  });

  test('where no layer has a window there is none', () => {
    const listed = { layer_types: Array.from({ length: 8 }, () => 'full_attention') };
    for (const model_type of ['mistral', 'gemma2'])
      expect(read({ ...without(all, 'sliding_window'), model_type, ...listed }).localAt).toBeUndefined();
    expect(read({ ...without(all, 'sliding_window'), model_type: 'qwen3' }).localAt).toBeUndefined();
  });

  test('positions are no part of a FLOP: the layers are known without, the weights are not', () => {
    const { head_dim: _, ...usual } = { ...all, type_vocab_size: 2 };
    const distilbert = { vocab_size: 100, dim: 64, n_layers: 2, n_heads: 4, hidden_dim: 96 };
    const gpt2 = { vocab_size: 100, n_embd: 64, n_layer: 2, n_head: 4 };
    for (const value of [
      ...['bert', 'roberta', 'xlm-roberta', 'camembert', 'mpnet'].map((model_type) => ({ ...usual, model_type })),
      { ...distilbert, model_type: 'distilbert' },
      { ...gpt2, model_type: 'gpt2' },
    ]) {
      const layers = read(value);
      expect(layers.positions).toBeUndefined();
      expect(stackOf(config(value))).toBeNull();
      const whole = { ...value, max_position_embeddings: 34, n_positions: 34 };
      expect(stackOf(config(whole))?.architecture).toEqual(layers.architecture);
      expect(read(whole).positions).toBeGreaterThan(30);
    }
  });
});

describe('figures that cannot be', () => {
  const named = (...fields: readonly string[]) =>
    new RegExp(`${fields.map((one) => `\`${one}\``).join('.*')}.*config\\.json`, 's');
  const { head_dim: _, ...divided } = decoder;
  const gpt2 = { model_type: 'gpt2', vocab_size: 100, n_embd: 64, n_layer: 2, n_head: 5, n_positions: 9 };
  const distilbert = { model_type: 'distilbert', vocab_size: 9, dim: 64, n_layers: 2, n_heads: 5, hidden_dim: 96 };

  test.each([
    [{ ...divided, model_type: 'llama', num_attention_heads: 6 }, ['hidden_size', 'num_attention_heads']],
    [{ ...divided, model_type: 'bert', num_attention_heads: 5 }, ['hidden_size', 'num_attention_heads']],
    [{ ...divided, model_type: 'modernbert', num_attention_heads: 5 }, ['hidden_size', 'num_attention_heads']],
    [gpt2, ['n_embd', 'n_head']],
    [distilbert, ['dim', 'n_heads']],
    [{ ...decoder, model_type: 'llama', num_key_value_heads: 8 }, ['num_attention_heads', 'num_key_value_heads']],
    [{ ...decoder, model_type: 'qwen3', num_key_value_heads: 3 }, ['num_attention_heads', 'num_key_value_heads']],
    [{ ...mixtral, num_experts_per_tok: 9 }, ['num_experts_per_tok', 'num_local_experts']],
    [{ ...qwen3Moe, num_experts_per_tok: 129 }, ['num_experts_per_tok', 'num_experts']],
    [{ ...qwen2Moe, num_experts_per_tok: 61 }, ['num_experts_per_tok', 'num_experts']],
  ])('%o names both fields and the file', (value, fields) => {
    expect(() => read(value)).toThrow(named(...fields));
    expect(() => stackOf(config({ max_position_embeddings: 9, ...value }))).toThrow(named(...fields));
  });

  test('heads of their own size need not divide the hidden one, and all experts may run', () => {
    expect(read({ ...decoder, model_type: 'llama', hidden_size: 63 }).architecture.headSize).toBe(16);
    expect(read({ ...decoder, model_type: 'llama', num_key_value_heads: 4 }).architecture.keyValueHeads).toBe(4);
    expect(read({ ...mixtral, num_experts_per_tok: 8 }).architecture.activeExperts).toBe(8);
  });
});

describe('the encoder of a T5 alone', () => {
  test.each([
    ['t5', 'T5EncoderModel', 1],
    ['mt5', 'MT5EncoderModel', 1],
    ['umt5', 'UMT5EncoderModel', 24],
  ])('%s as %s: no decoder is counted, though the file has its figures', (model_type, name, tables) => {
    const value = { ...t5, model_type, architectures: [name], num_decoder_layers: 24, is_encoder_decoder: true };
    const { kind, layers, ...rest } = read(value).architecture;
    expect([kind, layers]).toEqual(['encoder', 24]);
    expect(rest).not.toHaveProperty('decoderLayers');
    const layer = 4 * 1024 * 1024 + 2 * 1024 * 2816 + 2 * 1024;
    const { total } = countParameters(counted(value), { kind: 'none' });
    expect(total).toBe(32_128 * 1024 + 24 * layer + tables * 32 * 16 + 1024);
    expect(headOfConfig(config(value), 'encoder')).toEqual({ kind: 'none' });
    // A run's card takes the same layers.
    expect(counted(value).architecture).toEqual(read(value).architecture);
  });

  test('any other class has both sides', () => {
    for (const architectures of [['T5ForConditionalGeneration'], ['T5Model'], [], null])
      expect(read({ ...t5, model_type: 't5', architectures }).architecture.kind).toBe('encoder-decoder');
  });
});
