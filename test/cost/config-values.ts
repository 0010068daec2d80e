import { readLayers, stackOf } from '../../runners/backends/model-folder/stacks/index.js';
import type { Stack } from '../../runners/backends/model-folder/stacks/stack.js';

/** As a file of that name has it. */
export const config = (value: object) => ({ name: 'config.json', value });
export const read = (value: object) => readLayers(config(value));
/** With weights, where the file says enough. */
export function counted(value: object): Stack {
  const stack = stackOf(config(value));
  if (stack === null) throw new Error('not counted');
  return stack;
}

export const decoder = {
  vocab_size: 1000,
  hidden_size: 64,
  num_hidden_layers: 8,
  num_attention_heads: 4,
  intermediate_size: 96,
  num_key_value_heads: 2,
  head_dim: 16,
  sliding_window: 16,
};
export const t5 = { vocab_size: 32_128, d_model: 1024, d_kv: 64, d_ff: 2816, num_layers: 24, num_heads: 16 };

/** What config.json of these models says, as published on the hub. */
export const mixtral = {
  model_type: 'mixtral',
  vocab_size: 32_000,
  hidden_size: 4096,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  intermediate_size: 14_336,
  num_local_experts: 8,
  num_experts_per_tok: 2,
  sliding_window: null,
  tie_word_embeddings: false,
};
export const qwen3Moe = {
  model_type: 'qwen3_moe',
  vocab_size: 151_936,
  hidden_size: 2048,
  num_hidden_layers: 48,
  num_attention_heads: 32,
  num_key_value_heads: 4,
  head_dim: 128,
  intermediate_size: 6144,
  moe_intermediate_size: 768,
  num_experts: 128,
  num_experts_per_tok: 8,
  decoder_sparse_step: 1,
  mlp_only_layers: [],
  attention_bias: false,
  tie_word_embeddings: false,
};
export const qwen2Moe = {
  model_type: 'qwen2_moe',
  vocab_size: 151_936,
  hidden_size: 2048,
  num_hidden_layers: 24,
  num_attention_heads: 16,
  num_key_value_heads: 16,
  intermediate_size: 5632,
  moe_intermediate_size: 1408,
  shared_expert_intermediate_size: 5632,
  num_experts: 60,
  num_experts_per_tok: 4,
  decoder_sparse_step: 1,
  tie_word_embeddings: false,
};
