import { z } from 'zod';
import { printable, TenbinError } from '../../../../core/errors.js';
import { nearest } from '../../../../core/suggest.js';
import { fieldsOf, type JsonFile, wrongFile } from '../json-file.js';
import { bert, distilbert, mpnet, roberta } from './bert.js';
import { gemma3Text } from './gemma3.js';
import { gpt2 } from './gpt2.js';
import { decoders } from './llama.js';
import { modernbert } from './modernbert.js';
import type { Layers, Stack } from './stack.js';
import { t5, umt5 } from './t5.js';

/**
 * Readers of config.json by `model_type`, each with the fields that it cannot do without. Other kinds of models run all
 * the same, without counts of weights and work.
 */
interface StackReader {
  readonly needs: readonly string[];
  /** Those that only weights are counted from: no FLOP follows from them. */
  readonly counts?: readonly string[];
  /** Fields that this file leaves to a default which would be a guess. */
  readonly unsaid?: (config: JsonFile) => readonly string[];
  readonly read: (config: JsonFile) => Stack;
}

const usual = ['vocab_size', 'hidden_size', 'num_hidden_layers', 'num_attention_heads', 'intermediate_size'];
const counts = ['max_position_embeddings'];
const t5Needs = ['vocab_size', 'd_model', 'd_kv', 'd_ff', 'num_layers', 'num_heads'];

const readers: ReadonlyMap<string, StackReader> = new Map<string, StackReader>([
  ['bert', { needs: usual, counts, read: bert }],
  ['roberta', { needs: usual, counts, read: roberta }],
  ['xlm-roberta', { needs: usual, counts, read: roberta }],
  ['camembert', { needs: usual, counts, read: roberta }],
  ['mpnet', { needs: usual, counts, read: mpnet }],
  ['distilbert', { needs: ['vocab_size', 'dim', 'n_layers', 'n_heads', 'hidden_dim'], counts, read: distilbert }],
  ['modernbert', { needs: usual, read: modernbert }],
  ['t5', { needs: t5Needs, read: t5 }],
  ['mt5', { needs: t5Needs, read: t5 }],
  ['umt5', { needs: t5Needs, read: umt5 }],
  ['gpt2', { needs: ['vocab_size', 'n_embd', 'n_layer', 'n_head'], counts: ['n_positions'], read: gpt2 }],
  ...[...decoders].map(([type, one]) => [type, { ...one, needs: [...usual, ...one.needs] }] as const),
]);

/** Kinds of models whose layers are read, as config.json names them. */
const modelTypes: readonly string[] = [...readers.keys()].sort();

const typeSchema = z.object({ model_type: z.string().nullish() });

/** The layers that a config.json describes, or null where its kind is not known or it does not say enough. */
export function stackOf(config: JsonFile | null): Stack | null {
  if (config === null) return null;
  const reader = readers.get(typeOf(config));
  if (reader === undefined || unreadable(config, reader).length > 0) return null;
  return withoutValue(config, reader.counts ?? []).length > 0 ? null : reader.read(config);
}

/** The layers alone, where nothing less will do: an error says which kind is not known, or which field is missing. */
export function readLayers(given: JsonFile): Layers {
  const config = gemma3Text(given);
  const type = typeOf(config);
  const reader = readers.get(type);
  if (reader === undefined) throw unknownType(config, type);
  const [missing] = unreadable(config, reader);
  if (missing === undefined) return reader.read(config);
  throw wrongFile(`The layers of a \`${type}\` model need \`${missing}\`, which this file does not say`, config.name);
}

function typeOf(config: JsonFile): string {
  return fieldsOf(config, typeSchema).model_type ?? '';
}

/** Fields without which the layers are not known. */
function unreadable(config: JsonFile, { needs, unsaid }: StackReader): readonly string[] {
  const missing = withoutValue(config, needs);
  return missing.length > 0 ? missing : (unsaid?.(config) ?? []);
}

function withoutValue(config: JsonFile, names: readonly string[]): readonly string[] {
  const said = new Map(Object.entries(config.value as object));
  return names.filter((name) => said.get(name) == null);
}

function unknownType({ name }: JsonFile, type: string): TenbinError {
  const near = type === '' ? undefined : nearest(type, modelTypes);
  return new TenbinError('refused', {
    what:
      type === ''
        ? 'This file says no `model_type`, so nobody knows what its fields mean'
        : `Layers of the kind \`${printable(type)}\` (\`model_type\`) are not known`,
    value: name,
    fix: `${near === undefined ? '' : `Did you mean \`${near}\`? `}Known are ${modelTypes.join(', ')}.`,
  });
}
