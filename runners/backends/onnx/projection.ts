import type { Projection } from './job.js';

/**
 * Linear layers one after the other, summed in float64. They apply when the first takes vectors as long as the graph
 * gives; a graph that gives others has the layers inside.
 */
export function project(vector: Float64Array, layers: readonly Projection[]): Float64Array {
  if (layers[0]?.inputs !== vector.length) return vector;
  return layers.reduce<Float64Array>((input, layer) => {
    const out = new Float64Array(layer.outputs);
    for (let row = 0; row < layer.outputs; row++) {
      let sum = layer.bias?.[row] ?? 0;
      for (let i = 0; i < layer.inputs; i++) sum += layer.weight[row * layer.inputs + i] * input[i];
      out[row] = layer.activation === 'tanh' ? Math.tanh(sum) : sum;
    }
    return out;
  }, vector);
}
