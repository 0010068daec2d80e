import { join } from 'node:path';
import { z } from 'zod';
import { TenbinError } from '../../../core/errors.js';
import { readBytes, readIfThere } from '../../../tasks/files.js';
import { type Tokenizer, tokenizerOf } from '../../tokenizers/index.js';
import { isDense } from '../model-folder/module-types.js';
import type { Projection } from './job.js';
import { readSafetensors, type StoredTensor } from './safetensors.js';

/** tokenizer.json of a model's folder and, where they are there, tokenizer_config.json and special_tokens_map.json. */
export async function readTokenizer(folder: string): Promise<Tokenizer> {
  const path = join(folder, 'tokenizer.json');
  const json = jsonOf(path, await readBytes(path));
  const config = await readJsonIfThere(join(folder, 'tokenizer_config.json'));
  const map = await readJsonIfThere(join(folder, 'special_tokens_map.json'));
  return tokenizerOf(json, config ?? {}, map ?? {});
}

const modules = z.array(z.object({ path: z.string(), type: z.string() }));
const dense = z.object({
  in_features: z.int().positive(),
  out_features: z.int().positive(),
  bias: z.boolean().optional(),
  activation_function: z.string().optional(),
  use_residual: z.boolean().optional(),
});

/**
 * The linear layers of the folder (modules.json, type `Dense`) whose weights are there, in their order. A layer without
 * its weights is inside the graph.
 */
export async function readProjections(folder: string): Promise<readonly Projection[]> {
  const list = modules.safeParse((await readJsonIfThere(join(folder, 'modules.json'))) ?? []);
  const layers: Projection[] = [];
  for (const { path, type } of list.success ? list.data : []) {
    const below = path.replace(/\/+$/, '');
    if (!isDense(type) || !/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(below)) continue;
    const weights = await readIfThere(join(folder, below, 'model.safetensors'));
    if (weights === null) continue;
    const configPath = join(folder, below, 'config.json');
    const config = dense.safeParse(await readJsonIfThere(configPath));
    if (!config.success) throw malformed(configPath, z.prettifyError(config.error));
    layers.push(layerOf(join(folder, below, 'model.safetensors'), weights, config.data));
  }
  return layers;
}

function layerOf(path: string, bytes: Uint8Array, config: z.infer<typeof dense>): Projection {
  const tensors = readSafetensors(path, bytes);
  const { in_features: inputs, out_features: outputs } = config;
  const activation = /\bTanh$/.test(config.activation_function ?? 'Tanh') ? 'tanh' : 'identity';
  if (activation === 'identity' && !/\bIdentity$/.test(config.activation_function ?? '')) {
    throw malformed(path, `the activation ${config.activation_function} is not supported`);
  }
  if (config.use_residual === true) throw malformed(path, 'a residual connection around it is not supported');
  const weight = tensorOf(path, tensors, { key: 'linear.weight', shape: [outputs, inputs] });
  const bias = config.bias === false ? null : tensorOf(path, tensors, { key: 'linear.bias', shape: [outputs] });
  return { inputs, outputs, weight: weight.values, bias: bias?.values ?? null, activation };
}

interface Expected {
  readonly key: string;
  readonly shape: readonly number[];
}

function tensorOf(path: string, tensors: ReadonlyMap<string, StoredTensor>, { key, shape }: Expected): StoredTensor {
  const found = tensors.get(key);
  if (found !== undefined && found.shape.join() === shape.join()) return found;
  throw malformed(path, `${key} of shape ${shape.join(' × ')} is missing`);
}

const modelConfig = z.looseObject({
  decoder_start_token_id: z.int().nullish(),
  pad_token_id: z.int().nullish(),
  is_encoder_decoder: z.boolean().optional(),
});

/** The token that a decoder starts with (config.json); T5's is its padding token. */
export async function readDecoderStart(folder: string): Promise<number> {
  const config = modelConfig.safeParse((await readJsonIfThere(join(folder, 'config.json'))) ?? {});
  const start = config.success ? (config.data.decoder_start_token_id ?? config.data.pad_token_id) : null;
  return start ?? 0;
}

export async function readJsonIfThere(path: string): Promise<unknown> {
  const bytes = await readIfThere(path);
  return bytes === null ? null : jsonOf(path, bytes);
}

function jsonOf(path: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw malformed(path, String(cause));
  }
}

function malformed(path: string, why: string): TenbinError {
  const fix = 'Get the file again from where the model came from.';
  return new TenbinError('malformed', { what: `This file of the model cannot be read (${why})`, value: path, fix });
}
