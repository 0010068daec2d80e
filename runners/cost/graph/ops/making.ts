import { type Call, inputAt, intOf, intsOf, type Operator, type Rule, shapeAt, valuesAt } from '../call.js';
import { elementTypes } from '../onnx/model.js';
import { constantOf, elementsOf, mostValues, unfit } from '../tensor.js';

const constant: Rule = (call) => {
  const attribute = (name: string) => call.attributes.get(name);
  const tensor = attribute('value')?.tensor ?? attribute('sparse_value')?.tensor ?? null;
  if (tensor !== null) return [call.reads ? constantOf(tensor, null) : { shape: tensor.dims, type: tensor.type }];
  const { float, int64 } = elementTypes;
  const [int, real] = [attribute('value_int'), attribute('value_float')];
  if (int !== undefined) return [{ shape: [], type: int64, values: [int.int] }];
  if (real !== undefined) return [{ shape: [], type: float, values: [real.float] }];
  const [ints, reals] = [intsOf(call, 'value_ints'), attribute('value_floats')?.floats];
  if (ints !== null) return [{ shape: [ints.length], type: int64, values: ints }];
  if (reals !== undefined) return [{ shape: [reals.length], type: float, values: reals }];
  throw unfit('a constant of a kind that has no shape');
};

const constantOfShape: Rule = (call) => {
  const shape = valuesAt(call, 0);
  const tensor = call.attributes.get('value')?.tensor ?? null;
  const filling = tensor === null ? null : constantOf(tensor, null);
  const elements = elementsOf(shape);
  const number = filling === null ? 0 : filling.values?.[0];
  const values = number === undefined || elements > mostValues ? null : new Array<number>(elements).fill(number);
  return [{ shape, type: filling?.type ?? elementTypes.float, values }];
};

/** Axes from `start` to before `end`; both are cut to what there is. */
const shapeRule: Rule = (call) => {
  const from = shapeAt(call, 0);
  const part = from.slice(intOf(call, 'start', 0), call.attributes.has('end') ? intOf(call, 'end', 0) : from.length);
  return [{ shape: [part.length], type: elementTypes.int64, values: part }];
};

const sizeRule: Rule = (call) => [{ shape: [], type: elementTypes.int64, values: [elementsOf(shapeAt(call, 0))] }];

const range: Rule = (call) => {
  const [[start], [limit], [step]] = [valuesAt(call, 0), valuesAt(call, 1), valuesAt(call, 2)];
  const length = Math.max(0, Math.ceil((limit - start) / step));
  if (!Number.isSafeInteger(length)) throw unfit(`a range from ${start} to ${limit} by ${step}`);
  const values = length > mostValues ? null : Array.from({ length }, (_, i) => start + i * step);
  return [{ shape: [length], values }];
};

function filled(call: Call): ReturnType<Rule> {
  const shape = intsOf(call, 'shape');
  if (shape === null) throw unfit('attribute shape is missing');
  return [{ shape, type: intOf(call, 'dtype', elementTypes.float) }];
}

const eyeLike: Rule = (call) => [{ shape: shapeAt(call, 0), type: intOf(call, 'dtype', inputAt(call, 0).type) }];

export const makingOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['Constant', { make: constant }],
  ['ConstantOfShape', { make: constantOfShape }],
  ['Shape', { make: shapeRule }],
  ['Size', { make: sizeRule }],
  ['Range', { make: range }],
  ['EyeLike', { make: eyeLike }],
  ['RandomNormal', { make: filled }],
  ['RandomUniform', { make: filled }],
]);
