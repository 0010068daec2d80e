import { type Call, inputAt, intOf, intsOf, type Operator, type Product, type Rule, shapeAt, textOf } from '../call.js';
import { elementTypes } from '../onnx/model.js';
import { elementsOf, type Shape, unfit } from '../tensor.js';

interface Window {
  readonly size: number;
  readonly stride: number;
  readonly dilation: number;
  /** Before and behind. */
  readonly pads: readonly [number, number];
}

function windowsOf(call: Call, sizes: Shape): readonly Window[] {
  const pads = intsOf(call, 'pads') ?? [];
  const [strides, dilations] = [intsOf(call, 'strides') ?? [], intsOf(call, 'dilations') ?? []];
  const atLeastOne = (name: string, value: number) => {
    if (value < 1) throw unfit(`${name} of ${value}`);
    return value;
  };
  return sizes.map((size, i) => ({
    size,
    stride: atLeastOne('a stride', strides[i] ?? 1),
    dilation: atLeastOne('a dilation', dilations[i] ?? 1),
    pads: [pads[i] ?? 0, pads[i + sizes.length] ?? 0],
  }));
}

const reach = ({ size, dilation }: Window) => (size - 1) * dilation + 1;

/** Positions that a window takes along each axis. */
function positions(call: Call, spatial: Shape, windows: readonly Window[]): Shape {
  const mode = textOf(call, 'auto_pad', 'NOTSET');
  const round = intOf(call, 'ceil_mode', 0) === 1 ? Math.ceil : Math.floor;
  if (spatial.length !== windows.length) throw unfit(`${windows.length} windows over ${spatial.length} axes`);
  return spatial.map((size, i) => {
    const window = windows[i];
    if (mode.startsWith('SAME')) return Math.ceil(size / window.stride);
    const padded = mode === 'VALID' ? size : size + window.pads[0] + window.pads[1];
    const taken = round((padded - reach(window)) / window.stride) + 1;
    // A window that would begin behind the tensor and what pads it in front is none.
    const isBehind = (taken - 1) * window.stride >= size + (mode === 'VALID' ? 0 : window.pads[0]);
    const places = round === Math.ceil && isBehind ? taken - 1 : taken;
    // Nothing goes in, nothing comes out; else a window without a place is a mistake of the file.
    if (places < 1 && size > 0) throw unfit(`a window of ${reach(window)} has no place in ${padded}`);
    return Math.max(0, places);
  });
}

/** Each output position multiplies a window of its group's channels. `weights`: [channels out, channels a group, …window]. */
function convolution(weights: number, type?: number): Operator {
  const sizes = (call: Call) => {
    const [batch, channels, ...spatial] = shapeAt(call, 0);
    const [out, inner, ...window] = shapeAt(call, weights);
    const groups = intOf(call, 'group', 1);
    if (channels !== inner * groups) throw unfit(`${channels} channels for ${groups} groups of ${inner}`);
    return { batch, out, inner, groups, window, places: positions(call, spatial, windowsOf(call, window)) };
  };
  const make: Rule = (call) => {
    const { batch, out, places } = sizes(call);
    return [{ shape: [batch, out, ...places], ...(type === undefined ? {} : { type }) }];
  };
  const products = (call: Call): readonly Product[] => {
    const { batch, out, inner, groups, window, places } = sizes(call);
    const shape = [batch * groups, elementsOf(places), inner * elementsOf(window), out / groups] as const;
    return [{ part: null, shape, factors: [0, weights] }];
  };
  return { make, products };
}

/** Each input position is multiplied into a window. Weights: [channels in, channels out a group, …window]. */
const transposed: Operator = {
  make: (call) => {
    const [batch, , ...spatial] = shapeAt(call, 0);
    const [, out, ...sizes] = shapeAt(call, 1);
    const windows = windowsOf(call, sizes);
    const extra = intsOf(call, 'output_padding') ?? [];
    const isSame = textOf(call, 'auto_pad', 'NOTSET').startsWith('SAME');
    const places = spatial.map((size, i) => {
      const { stride, pads } = windows[i];
      const full = stride * (size - 1) + (extra[i] ?? 0) + reach(windows[i]);
      return isSame ? size * stride : full - pads[0] - pads[1];
    });
    return [
      {
        shape: [
          batch,
          out * intOf(call, 'group', 1),
          ...(intsOf(call, 'output_shape') ?? places).slice(-spatial.length),
        ],
      },
    ];
  },
  products: (call): readonly Product[] => {
    const [batch, channels, ...spatial] = shapeAt(call, 0);
    const [, out, ...window] = shapeAt(call, 1);
    windowsOf(call, window);
    const groups = intOf(call, 'group', 1);
    const shape = [batch * groups, elementsOf(spatial), channels / groups, out * elementsOf(window)] as const;
    return [{ part: null, shape, factors: [0, 1] }];
  },
};

const pool: Rule = (call) => {
  const [batch, channels, ...spatial] = shapeAt(call, 0);
  const windows = windowsOf(call, intsOf(call, 'kernel_shape') ?? []);
  const shape = [batch, channels, ...positions(call, spatial, windows)];
  return [{ shape }, { shape, type: elementTypes.int64 }];
};

const quantizedPool: Rule = (call) => [{ ...pool(call)[0], type: inputAt(call, 0).type }];

export const convolutionOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['Conv', convolution(1)],
  ['ConvInteger', convolution(1, elementTypes.int32)],
  ['QLinearConv', convolution(3)],
  ['com.microsoft.FusedConv', convolution(1)],
  ['ConvTranspose', transposed],
  ['MaxPool', { make: pool }],
  ['AveragePool', { make: pool }],
  ['LpPool', { make: pool }],
  ['com.microsoft.QLinearAveragePool', { make: quantizedPool }],
]);
