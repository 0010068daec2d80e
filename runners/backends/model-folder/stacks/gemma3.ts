import { z } from 'zod';
import { fieldsOf, type JsonFile } from '../json-file.js';

const schema = z.object({
  model_type: z.string().nullish(),
  text_config: z.record(z.string().max(200), z.unknown()).nullish(),
});

/** What Gemma 3's configuration class (transformers 4.56) has where the file leaves it out, as published files do. */
const leftOut = { num_attention_heads: 8, num_key_value_heads: 4, head_dim: 256, vocab_size: 262_208 };

/** The language model inside a Gemma 3 that reads pictures too; any other config.json as it is. */
export function gemma3Text(config: JsonFile): JsonFile {
  const { model_type: type, text_config: inner } = fieldsOf(config, schema);
  if (type !== 'gemma3' || inner == null) return config;
  return { name: config.name, value: { ...leftOut, ...inner, model_type: 'gemma3_text' } };
}
