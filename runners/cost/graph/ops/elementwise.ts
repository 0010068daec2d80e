import { type Call, inputAt, intOf, neededInt, type Operator, type Rule, shapeAt } from '../call.js';
import { elementTypes } from '../onnx/model.js';
import {
  asType,
  broadcast,
  elementsOf,
  isWhole,
  type Made,
  mostValues,
  type Shape,
  stretchedAt,
  type Tensor,
} from '../tensor.js';

/** Of numbers one by one; `whole`: the element type has no fractions. */
type Fold = (numbers: readonly number[], whole: boolean) => number;

const compare =
  (holds: (a: number, b: number) => boolean): Fold =>
  ([a, b]) =>
    holds(a, b) ? 1 : 0;

const divided: Fold = ([a, b], whole) => (whole ? (b === 0 ? 0 : Math.trunc(a / b)) : a / b);
/** IEEE's rule: to the nearest, halves to the even one. */
const rounded: Fold = ([a]) => {
  const low = Math.floor(a);
  if (a - low !== 0.5) return Math.round(a);
  return low % 2 === 0 ? low : low + 1;
};

/** Of one shape all, or stretched to one; the element type stays. */
const arithmetic: Readonly<Record<string, Fold>> = {
  Add: ([a, b]) => a + b,
  Sub: ([a, b]) => a - b,
  Mul: ([a, b]) => a * b,
  Div: divided,
  Pow: ([a, b]) => a ** b,
  Max: (numbers) => Math.max(...numbers),
  Min: (numbers) => Math.min(...numbers),
  Sum: (numbers) => numbers.reduce((sum, one) => sum + one, 0),
  Mean: (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length,
  Neg: ([a]) => -a,
  Abs: ([a]) => Math.abs(a),
  Sign: ([a]) => Math.sign(a),
  Floor: ([a]) => Math.floor(a),
  Ceil: ([a]) => Math.ceil(a),
  Round: rounded,
  Sqrt: ([a]) => Math.sqrt(a),
  Reciprocal: ([a]) => 1 / a,
  Exp: ([a]) => Math.exp(a),
  Log: ([a]) => Math.log(a),
  Relu: ([a]) => Math.max(a, 0),
};

const logic: Readonly<Record<string, Fold>> = {
  Equal: compare((a, b) => a === b),
  Less: compare((a, b) => a < b),
  LessOrEqual: compare((a, b) => a <= b),
  Greater: compare((a, b) => a > b),
  GreaterOrEqual: compare((a, b) => a >= b),
  And: compare((a, b) => a !== 0 && b !== 0),
  Or: compare((a, b) => a !== 0 || b !== 0),
  Xor: compare((a, b) => (a !== 0) !== (b !== 0)),
  Not: ([a]) => (a === 0 ? 1 : 0),
  IsNaN: ([a]) => (Number.isNaN(a) ? 1 : 0),
  IsInf: ([a]) => (Math.abs(a) === Number.POSITIVE_INFINITY ? 1 : 0),
};

const givenInputs = (call: Call): readonly Tensor[] => call.inputs.filter((input) => input !== null);

/** Values where all inputs have some and the result is small. */
function foldedInto(shape: Shape, inputs: readonly Tensor[], fold: (numbers: readonly number[]) => number) {
  if (elementsOf(shape) > mostValues) return null;
  const known: { readonly values: readonly number[]; readonly shape: Shape }[] = [];
  for (const input of inputs) {
    if (input.values === null || input.shape === null) return null;
    known.push({ values: input.values, shape: input.shape });
  }
  const elements = elementsOf(shape);
  return Array.from({ length: elements }, (_, i) =>
    // As many elements as come out: nothing is stretched.
    fold(known.map((one) => one.values[one.values.length === elements ? i : stretchedAt(i, shape, one.shape)])),
  );
}

function elementwise(fold: Fold, type: number | null): Rule {
  return (call) => {
    const inputs = givenInputs(call);
    const shape = broadcast(call.inputs.flatMap((input, i) => (input === null ? [] : [shapeAt(call, i)])));
    const from = inputAt(call, 0).type;
    const result = type ?? from;
    const values = foldedInto(shape, inputs, (numbers) => asType(fold(numbers, isWhole(from)), result));
    return [{ shape, type: result, values }];
  };
}

const modulo: Rule = (call) => {
  const truncated: Fold = ([a, b]) => (b === 0 ? 0 : a % b);
  const floored: Fold = ([a, b]) => (b === 0 ? 0 : a - b * Math.floor(a / b));
  return elementwise(intOf(call, 'fmod', 0) === 1 ? truncated : floored, null)(call);
};

const where: Rule = (call) => {
  const { type } = inputAt(call, 1);
  const shape = broadcast([shapeAt(call, 0), shapeAt(call, 1), shapeAt(call, 2)]);
  const values = foldedInto(shape, givenInputs(call), ([chosen, a, b]) => (chosen === 0 ? b : a));
  return [{ shape, type, values }];
};

/** Clip's bounds are numbers, and no part of its shape. */
const clip: Rule = (call) => {
  const [low, high] = [call.inputs[1] ?? null, call.inputs[2] ?? null];
  const shape = shapeAt(call, 0);
  const bounds = [low?.values?.[0] ?? Number.NEGATIVE_INFINITY, high?.values?.[0] ?? Number.POSITIVE_INFINITY];
  const isKnown = (low === null || low.values !== null) && (high === null || high.values !== null);
  const isInput = call.attributes.size === 0;
  const values = inputAt(call, 0).values?.map((value) => Math.min(Math.max(value, bounds[0]), bounds[1])) ?? null;
  return [{ shape, values: isKnown && isInput ? values : null }];
};

function converted(call: Call, type: number): readonly Made[] {
  const values = inputAt(call, 0).values?.map((value) => asType(value, type)) ?? null;
  return [{ shape: shapeAt(call, 0), type, values }];
}

/** The first input's shape comes out of every output: activations, normalizations along an axis, dropout, masks. */
export const sameShape: Rule = (call) => {
  const made = { shape: shapeAt(call, 0) };
  return Array.from({ length: call.outputs }, () => made);
};

const identity: Rule = (call) => [{ shape: shapeAt(call, 0), values: inputAt(call, 0).values }];

/** The mask has the shape of its input, and is not a number of it. */
const dropout: Rule = (call) => [...identity(call), { shape: shapeAt(call, 0), type: elementTypes.bool }];

const activations = [
  'Acos,Acosh,Asin,Asinh,Atan,Atanh,Cos,Cosh,Sin,Sinh,Tan,Tanh,Erf,Sigmoid,Softplus,Softsign,HardSigmoid,HardSwish',
  'Elu,Celu,Selu,Mish,Gelu,LeakyRelu,ThresholdedRelu,Shrink,Swish,Softmax,LogSoftmax,Hardmax,LpNormalization,CumSum,CumProd',
  'MeanVarianceNormalization,LRN,InstanceNormalization,GroupNormalization,RMSNormalization,RotaryEmbedding,Trilu',
  'BitwiseNot,ScatterElements,ScatterND,Scatter,TensorScatter,ReverseSequence,RandomNormalLike,RandomUniformLike,Bernoulli',
].flatMap((names) => names.split(','));

const stretched = (rule: Rule): Operator => ({ make: rule });

export const elementwiseOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ...Object.entries(arithmetic).map(([op, fold]) => [op, stretched(elementwise(fold, null))] as const),
  ...Object.entries(logic).map(([op, fold]) => [op, stretched(elementwise(fold, elementTypes.bool))] as const),
  ...activations.map((op) => [op, { make: sameShape }] as const),
  ...['PRelu', 'BitwiseAnd', 'BitwiseOr', 'BitwiseXor', 'BitShift'].map(
    (op) => [op, { make: (call: Call) => [{ shape: broadcast([shapeAt(call, 0), shapeAt(call, 1)]) }] }] as const,
  ),
  ['Mod', { make: modulo }],
  ['Where', { make: where }],
  ['Clip', { make: clip }],
  ['Identity', { make: identity }],
  ['Dropout', { make: dropout }],
  ['Cast', { make: (call) => converted(call, neededInt(call, 'to')) }],
  ['CastLike', { make: (call) => converted(call, inputAt(call, 1).type) }],
]);
