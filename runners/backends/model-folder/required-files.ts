import { TenbinError } from '../../../core/errors.js';
import type { Dtype, ModelCard } from '../../models/card.js';
import { encoderOf } from './graph-files.js';

export interface RequiredFiles {
  /** Without these the model does not open. */
  readonly required: readonly string[];
  /** Taken where they are there: weights beside a graph, and the files that a folder's facts are read from. */
  readonly optional: readonly string[];
}

/** What a folder's facts are read from, besides the folders that modules.json names. */
const configs = [
  'config.json',
  'modules.json',
  'config_sentence_transformers.json',
  'sentence_bert_config.json',
  'router_config.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'generation_config.json',
  'chat_template.jinja',
  '1_Pooling/config.json',
  '1_Dense/config.json',
  '1_Dense/model.safetensors',
  '2_Dense/config.json',
  '2_Dense/model.safetensors',
  '3_Dense/config.json',
  '3_Dense/model.safetensors',
  '1_SpladePooling/config.json',
] as const;

/** The files of a repository or folder that running a card in that number format takes. */
export function requiredFiles(card: ModelCard, dtype: Dtype): RequiredFiles {
  const graph = card.files[dtype];
  if (graph === undefined) {
    throw new TenbinError('usage', {
      what: `${card.id} has no graph for the number format`,
      value: dtype,
      fix: 'Choose another one with --dtype.',
    });
  }
  const encoder = encoderOf(graph);
  const graphs = encoder === null ? [graph] : [encoder, graph];
  const idf = card.family === 'sparse' && card.queries !== 'model' ? [card.queries.idf] : [];
  return {
    required: [...graphs, 'tokenizer.json', ...idf],
    optional: [...new Set(graphs.flatMap(externalData)), ...configs],
  };
}

/**
 * Weights over two gigabytes stand beside the graph, under either of the first two names, and in several files for very
 * large models; torch's older exporter gives single large tensors files of their own (BAAI/bge-m3 has one).
 */
function externalData(graph: string): readonly string[] {
  const folder = graph.slice(0, graph.lastIndexOf('/') + 1);
  const further = Array.from({ length: 9 }, (_, i) => `${graph}_data_${i + 1}`);
  return [`${graph}_data`, ...further, `${graph}.data`, `${folder}Constant_7_attr__value`];
}
