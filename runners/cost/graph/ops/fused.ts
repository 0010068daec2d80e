import { inputAt, intOf, type Operator, type Rule, shapeAt } from '../call.js';
import { elementTypes } from '../onnx/model.js';
import { broadcast, type Made } from '../tensor.js';
import { sameShape } from './elementwise.js';
import { layerNorm } from './reducing.js';

const { float, int32, uint8 } = elementTypes;

const quantize: Rule = (call) => [
  { shape: shapeAt(call, 0), type: call.inputs[2]?.type ?? intOf(call, 'output_dtype', uint8) },
];
const dequantize: Rule = (call) => [{ shape: shapeAt(call, 0), type: inputAt(call, 1).type }];
const dynamicQuantize: Rule = (call) => [
  { shape: shapeAt(call, 0), type: uint8 },
  { shape: [], type: float },
  { shape: [], type: uint8 },
];

/** Quantized numbers come with scale and zero point: the second tensor is input 3. */
const quantizedPair: Rule = (call) => [{ shape: broadcast([shapeAt(call, 0), shapeAt(call, 3)]) }];

/** Sum and normalization in one: the sum is the last output, the statistics between are for training. */
const skipNorm: Rule = (call) => {
  const shape = broadcast([shapeAt(call, 0), shapeAt(call, 1)]);
  const statistic: Made = { shape: [...shape.slice(0, -1), 1], type: float };
  return [{ shape }, statistic, statistic, { shape }];
};

/** Token ids in, look-ups summed and normalized. */
function embedNorm(table: number): Rule {
  return (call) => {
    const [batch, tokens] = shapeAt(call, 0);
    const all = { shape: [batch, tokens, shapeAt(call, table)[1]], type: float };
    return [all, { shape: [batch], type: int32 }, all];
  };
}

const halved: Rule = (call) => {
  const shape = shapeAt(call, 0);
  return [{ shape: shape.map((size, i) => (i === shape.length - 1 ? size / 2 : size)) }];
};

const alike =
  'BiasGelu,FastGelu,QuickGelu,Gelu,BiasAdd,BiasSoftmax,BiasDropout,RotaryEmbedding,QLinearSoftmax,QLinearSigmoid,QLinearLeakyRelu,GroupNorm,Trilu';

export const fusedOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['QuantizeLinear', { make: quantize }],
  ['DequantizeLinear', { make: dequantize }],
  ['DynamicQuantizeLinear', { make: dynamicQuantize }],
  ['com.microsoft.QuantizeLinear', { make: quantize }],
  ['com.microsoft.DequantizeLinear', { make: dequantize }],
  ['com.microsoft.QLinearAdd', { make: quantizedPair }],
  ['com.microsoft.QLinearMul', { make: quantizedPair }],
  ['com.microsoft.LayerNormalization', { make: layerNorm }],
  ['com.microsoft.SimplifiedLayerNormalization', { make: layerNorm }],
  ['com.microsoft.SkipLayerNormalization', { make: skipNorm }],
  ['com.microsoft.SkipSimplifiedLayerNormalization', { make: skipNorm }],
  ['com.microsoft.EmbedLayerNormalization', { make: embedNorm(2) }],
  ['com.microsoft.QEmbedLayerNormalization', { make: embedNorm(2) }],
  ['com.microsoft.BiasSplitGelu', { make: halved }],
  ...alike.split(',').map((op) => [`com.microsoft.${op}`, { make: sameShape }] as const),
]);
