import { type Call, inputAt, intOf, neededInt, type Operator, type Product, type Rule, shapeAt } from '../call.js';
import { elementTypes } from '../onnx/model.js';
import { broadcast, elementsOf, type Shape, unfit } from '../tensor.js';
import type { ProductShape } from '../types.js';

interface Multiplied {
  readonly result: Shape;
  readonly product: ProductShape;
}

/** numpy's matmul: a vector is a row on the left and a column on the right, and its axis goes again. */
function multiplied(a: Shape, b: Shape): Multiplied {
  if (a.length === 0 || b.length === 0) throw unfit('a product of numbers that are no matrices');
  const left = a.length === 1 ? [1, ...a] : a;
  const right = b.length === 1 ? [...b, 1] : b;
  const [rows, inner] = left.slice(-2);
  const [depth, columns] = right.slice(-2);
  if (inner !== depth) throw unfit(`[${a.join(', ')}] times [${b.join(', ')}]`);
  const batch = broadcast([left.slice(0, -2), right.slice(0, -2)]);
  const result = [...batch, ...(a.length === 1 ? [] : [rows]), ...(b.length === 1 ? [] : [columns])];
  return { result, product: [elementsOf(batch), rows, inner, columns] };
}

const swapped = (shape: Shape): Shape => [...shape.slice(0, -2), ...shape.slice(-2).reverse()];
/** FusedMatMul's transBatch: the first axis goes behind the other batch axes. */
const turned = (shape: Shape): Shape => [...shape.slice(1, -1), shape[0], ...shape.slice(-1)];

function side(call: Call, input: number, letter: 'A' | 'B'): Shape {
  const shape = shapeAt(call, input);
  const batched = intOf(call, `transBatch${letter}`, 0) === 1 ? turned(shape) : shape;
  return intOf(call, `trans${letter}`, 0) === 1 && shape.length > 1 ? swapped(batched) : batched;
}

/** A product of two inputs, whatever number format they have; `type`: the result's, where it is not the factors'. */
function product(second: number, type?: number): Operator {
  const of = (call: Call) => multiplied(side(call, 0, 'A'), side(call, second, 'B'));
  return {
    make: (call) => [{ shape: of(call).result, ...(type === undefined ? {} : { type }) }],
    products: (call) => [{ part: null, shape: of(call).product, factors: [0, second] }],
  };
}

/** Weights packed into blocks of 2 to 8 bits: their sizes are attributes. */
const packedProduct: Operator = {
  make: (call) => [{ shape: [...packedRows(call), neededInt(call, 'N')] }],
  products: (call): readonly Product[] => {
    const rows = packedRows(call);
    const batch = elementsOf(rows.slice(0, -1));
    return [
      { part: null, shape: [batch, rows.at(-1) ?? 1, neededInt(call, 'K'), neededInt(call, 'N')], factors: [0, 1] },
    ];
  },
};

function packedRows(call: Call): Shape {
  const shape = shapeAt(call, 0);
  if (shape.at(-1) !== neededInt(call, 'K'))
    throw unfit(`rows of ${shape.at(-1)} times ${neededInt(call, 'K')} weights`);
  return shape.slice(0, -1);
}

/** Recurrent layers: gates of W (input) and R (state), for every position and direction. */
function recurrent(gates: number): Operator {
  const sizes = (call: Call) => {
    const [first, second, width] = shapeAt(call, 0);
    const [directions, rows, hidden] = shapeAt(call, 2);
    if (rows !== gates * hidden) throw unfit(`${rows} rows for ${gates} gates of ${hidden}`);
    const isBatchFirst = intOf(call, 'layout', 0) === 1;
    const [length, batch] = isBatchFirst ? [second, first] : [first, second];
    return { length, batch, width, directions, rows, hidden, isBatchFirst };
  };
  const make: Rule = (call) => {
    const { length, batch, directions, hidden, isBatchFirst } = sizes(call);
    const state = { shape: isBatchFirst ? [batch, directions, hidden] : [directions, batch, hidden] };
    const all = isBatchFirst ? [batch, length, directions, hidden] : [length, directions, batch, hidden];
    return [{ shape: all }, state, state];
  };
  const products = (call: Call): readonly Product[] => {
    const { length, batch, width, directions, rows, hidden } = sizes(call);
    return [
      { part: 'input', shape: [directions, length * batch, width, rows], factors: [0, 1] },
      { part: 'state', shape: [directions, length * batch, hidden, rows], factors: [0, 2] },
    ];
  };
  return { make, products };
}

const quantizedGemm: Operator = {
  ...product(3),
  make: (call) => {
    const shape = multiplied(side(call, 0, 'A'), side(call, 3, 'B')).result;
    return [{ shape, type: call.inputs.length > 7 ? inputAt(call, 0).type : elementTypes.float }];
  },
};

export const productOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['MatMul', product(1)],
  ['Gemm', product(1)],
  ['MatMulInteger', product(1, elementTypes.int32)],
  ['QLinearMatMul', product(3)],
  ['com.microsoft.MatMulInteger16', product(1, elementTypes.int32)],
  ['com.microsoft.MatMulIntegerToFloat', product(1, elementTypes.float)],
  ['com.microsoft.DynamicQuantizeMatMul', product(1, elementTypes.float)],
  ['com.microsoft.FusedMatMul', product(1)],
  ['com.microsoft.FusedMatMulActivation', product(1)],
  ['com.microsoft.TransposeMatMul', product(1)],
  ['com.microsoft.FusedGemm', product(1)],
  ['com.microsoft.GemmFastGelu', product(1)],
  ['com.microsoft.QGemm', quantizedGemm],
  ['com.microsoft.MatMulNBits', packedProduct],
  ['com.microsoft.MatMulBnb4', packedProduct],
  ['RNN', recurrent(1)],
  ['GRU', recurrent(3)],
  ['LSTM', recurrent(4)],
]);
