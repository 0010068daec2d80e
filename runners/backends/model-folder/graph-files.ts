import type { Dtype } from '../../models/card.js';

/** Stems that exporters give to number formats, the better known first: `model_int8.onnx` before `model_quantized.onnx`. */
const stems: readonly (readonly [Dtype, string])[] = [
  ['fp32', ''],
  ['fp16', '_fp16'],
  ['int8', '_int8'],
  ['int8', '_quantized'],
  ['uint8', '_uint8'],
  ['q4', '_q4'],
  ['q4f16', '_q4f16'],
  ['w8', '_w8'],
];

/** Folders that graphs stand in, the usual one first. */
const places = ['onnx/', ''] as const;

/**
 * The graph of each number format among the file names of a folder. An encoder-decoder has two graphs for each: the card
 * names the decoder's, and `encoderOf` gives its partner, without which it does not count.
 */
export function graphFiles(names: readonly string[]): Readonly<Partial<Record<Dtype, string>>> {
  const present = new Set(names);
  const found: Partial<Record<Dtype, string>> = {};
  for (const [dtype, stem] of stems) {
    const candidates = places.flatMap((place) => [`${place}model${stem}.onnx`, `${place}decoder_model${stem}.onnx`]);
    const graph = candidates.find((name) => present.has(name) && present.has(encoderOf(name) ?? name));
    if (graph !== undefined) found[dtype] ??= graph;
  }
  return found;
}

/** What the names of graphs are looked for as, for errors. */
export const graphNames = 'onnx/model.onnx, onnx/model_fp16.onnx, onnx/model_int8.onnx, onnx/model_quantized.onnx, …';

/** The encoder's graph that belongs to a decoder's; null for graphs that stand alone. */
export function encoderOf(graph: string): string | null {
  return /(^|\/)decoder_model[^/]*$/.test(graph) ? graph.replace(/decoder_model([^/]*)$/, 'encoder_model$1') : null;
}
