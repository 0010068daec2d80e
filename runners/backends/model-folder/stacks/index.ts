import { z } from 'zod';
import { fieldsOf, type JsonFile } from '../json-file.js';
import { bert, distilbert, mpnet, roberta } from './bert.js';
import { decoders } from './llama.js';
import { modernbert } from './modernbert.js';
import type { Stack } from './stack.js';
import { t5 } from './t5.js';

/**
 * Readers of config.json by `model_type`, each with the fields that it cannot do without. Other kinds of models run all
 * the same, without counts of weights and work.
 */
interface StackReader {
  readonly needs: readonly string[];
  readonly read: (config: JsonFile) => Stack;
}

const usual = ['vocab_size', 'hidden_size', 'num_hidden_layers', 'num_attention_heads', 'intermediate_size'];
const withPositions = [...usual, 'max_position_embeddings'];

const readers: ReadonlyMap<string, StackReader> = new Map([
  ['bert', { needs: withPositions, read: bert }],
  ['roberta', { needs: withPositions, read: roberta }],
  ['xlm-roberta', { needs: withPositions, read: roberta }],
  ['camembert', { needs: withPositions, read: roberta }],
  ['mpnet', { needs: withPositions, read: mpnet }],
  [
    'distilbert',
    { needs: ['vocab_size', 'dim', 'n_layers', 'n_heads', 'hidden_dim', 'max_position_embeddings'], read: distilbert },
  ],
  ['modernbert', { needs: usual, read: modernbert }],
  ['t5', { needs: ['vocab_size', 'd_model', 'd_kv', 'd_ff', 'num_layers', 'num_heads'], read: t5 }],
  ...[...decoders].map(([type, read]) => [type, { needs: usual, read }] as const),
]);

const typeSchema = z.object({ model_type: z.string().nullish() });

/** The layers that a config.json describes, or null where its kind is not known or it does not say enough. */
export function stackOf(config: JsonFile | null): Stack | null {
  if (config === null) return null;
  const reader = readers.get(fieldsOf(config, typeSchema).model_type ?? '');
  if (reader === undefined) return null;
  const said = new Map(Object.entries(config.value as object));
  return reader.needs.every((name) => said.get(name) != null) ? reader.read(config) : null;
}
