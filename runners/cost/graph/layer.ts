import type { OnnxNode } from './onnx/model.js';
import type { Tensor } from './tensor.js';

/** How exporters number layers: `block.3`, `encoder/layer.3/`, `layers.3`, `h.3`, `layer_3`; T5's block holds layers of its own. */
const numbers = [
  /(?:^|[./_])blocks?[._](\d{1,5})(?=[./_]|$)/,
  /(?:^|[./_])layers?[._](\d{1,5})(?=[./_]|$)/,
  /(?:^|[./])h\.(\d{1,5})(?=[./_]|$)/,
];

export function layerIn(name: string): number | null {
  for (const number of numbers) {
    const found = number.exec(name);
    if (found !== null) return Number(found[1]);
  }
  return null;
}

/** Names that a model's author gave, and no exporter: what has no layer in such a name is in none. */
const isGiven = (name: string) => /\.(weight|bias|gamma|beta)\b/.test(name);

/**
 * Newer exporters number nodes and transposed weights through, but keep the names of biases: what a bias with a layer in
 * its name is added to is of that layer. By name of the tensor.
 */
export function layersOfSums(nodes: readonly OnnxNode[]): ReadonlyMap<string, number> {
  const layers = new Map<string, number>();
  for (const { op, inputs } of nodes) {
    if (op !== 'Add' || inputs.length !== 2) continue;
    for (const [bias, sum] of [inputs, [...inputs].reverse()]) {
      const layer = isGiven(bias) ? layerIn(bias) : null;
      if (layer !== null) layers.set(sum, layer);
    }
  }
  return layers;
}

/**
 * From what the node is called, else from what its sum, its weights and its inputs are called, in this order: products of
 * two activations have no name of a weight, and are in the layer that they come from.
 */
export function layerOf(
  node: OnnxNode,
  inputs: readonly (Tensor | null)[],
  sums: ReadonlyMap<string, number>,
): number | null {
  const own = layerIn(node.name) ?? sums.get(node.outputs[0]) ?? null;
  if (own !== null) return own;
  const given = node.inputs.find((name, i) => inputs[i]?.constant === true && isGiven(name));
  if (given !== undefined) return layerIn(given);
  const layers = inputs.map((input) => input?.layer ?? null).filter((layer) => layer !== null);
  return layers.length === 0 ? null : layers.reduce((most, layer) => Math.max(most, layer));
}
