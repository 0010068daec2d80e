import { TenbinError } from '../../../core/errors.js';
import type { OnnxGraph, OnnxValue } from './onnx/model.js';
import { elementsOf, mostValues, type Shape, type Tensor } from './tensor.js';
import type { CountRequest } from './types.js';

interface GraphInputs {
  readonly tensors: ReadonlyMap<string, Tensor>;
  /** What the names of open sizes stand for in this request. */
  readonly symbols: ReadonlyMap<string, number>;
}

/** Sizes and, of masks and switches, values of what a graph is fed. Throws `usage` for sizes that are none, `refused` where no name tells what a size is. */
export function inputsOf(graph: OnnxGraph, request: CountRequest): GraphInputs {
  checkSizes(request);
  const constants = new Set(graph.constants.map(({ name }) => name));
  const fed = graph.inputs.filter(({ name }) => !constants.has(name));
  const hasCache = fed.some(({ name }) => isCache(name));
  const symbols = new Map<string, number>();
  const tensors = new Map<string, Tensor>();
  // Token ids first: a mask that shares their size is as long as they, another covers the cache too.
  for (const input of [...fed].sort((a, b) => Number(isMask(a.name)) - Number(isMask(b.name)))) {
    const shape = shapeOf(input, request, { hasCache, symbols });
    tensors.set(input.name, fedTensor(input, shape, request));
  }
  return { tensors, symbols };
}

const isMask = (name: string) => /mask/i.test(name);
const isCache = (name: string) => /past|cache(?!_branch)/i.test(name) && !/use_cache/i.test(name);
const isOfEncoder = (name: string) => /encoder/i.test(name.replace(/decoder/gi, ''));

interface Names {
  readonly hasCache: boolean;
  readonly symbols: Map<string, number>;
}

function shapeOf(input: OnnxValue, request: CountRequest, names: Names): Shape {
  const given =
    request.inputs !== undefined && Object.hasOwn(request.inputs, input.name) ? request.inputs[input.name] : null;
  const dims = input.dims ?? given ?? [];
  if (given !== null && given.length !== dims.length) {
    throw new TenbinError('usage', {
      what: `Input ${input.name} has ${dims.length} axes`,
      value: `[${given.join(', ')}]`,
      fix: `Give it ${dims.length} sizes.`,
    });
  }
  return dims.map((dim, axis) => {
    const size = given?.[axis] ?? sizeOf(input, axis, request, names);
    if (typeof dim === 'number' && dim !== size) throw fixedSize(input, axis, size);
    if (typeof dim === 'string' && dim !== '' && !names.symbols.has(dim)) names.symbols.set(dim, size);
    return size;
  });
}

function sizeOf(input: OnnxValue, axis: number, request: CountRequest, names: Names): number {
  const dim = input.dims?.[axis] ?? '';
  const isPlain = !isCache(input.name) && (input.dims?.length ?? 0) <= 2;
  const guessed =
    (typeof dim === 'string' ? (names.symbols.get(dim) ?? bySymbol(dim, input.name, request, names)) : null) ??
    byName(input.name, axis, request, names);
  if (typeof dim === 'number') return isPlain && guessed !== null ? guessed : dim;
  if (guessed !== null) return guessed;
  throw new TenbinError('refused', {
    what: `Nothing tells the size of axis ${axis} of the graph's input ${input.name}`,
    value: dim === '' ? 'it has no name' : dim,
    fix: `Give the shape of this input: inputs: { '${input.name}': [...] }.`,
  });
}

const past = ({ pastTokens = 0 }: CountRequest) => pastTokens;
const source = ({ sourceTokens, tokens }: CountRequest) => sourceTokens ?? tokens;

/** By the words that exporters name open sizes with. */
function bySymbol(symbol: string, name: string, request: CountRequest, { hasCache }: Names): number | null {
  const word = symbol.toLowerCase();
  if (/batch/.test(word)) return request.batch;
  if (isOfEncoder(word) || /source|src/.test(word)) return source(request);
  if (/total|\+/.test(word)) return past(request) + request.tokens;
  if (/past|cache/.test(word)) return past(request);
  if (!/seq|len|token|pos/.test(word)) return null;
  if (isOfEncoder(name)) return source(request);
  return isMask(name) && hasCache ? past(request) + request.tokens : request.tokens;
}

/** By the place of the axis in inputs whose names are known. */
function byName(name: string, axis: number, request: CountRequest, { hasCache }: Names): number | null {
  if (axis === 0) return request.batch;
  if (isCache(name)) return axis !== 2 ? null : isOfEncoder(name) ? source(request) : past(request);
  if (axis !== 1) return null;
  if (isOfEncoder(name)) return source(request);
  if (isMask(name)) return hasCache ? past(request) + request.tokens : request.tokens;
  return /ids|tokens|positions|segment|embed/i.test(name) ? request.tokens : null;
}

/** Every position is a token: a mask is all ones, so that what reads positions from it has a size. */
function fedTensor(input: OnnxValue, shape: Shape, request: CountRequest): Tensor {
  const known = { shape, type: input.type, constant: false, layer: null, lost: null };
  const { values } = request;
  if (values !== undefined && Object.hasOwn(values, input.name)) return { ...known, values: values[input.name] };
  if (/use_cache/i.test(input.name)) return { ...known, values: [past(request) > 0 ? 1 : 0] };
  const elements = elementsOf(shape);
  const isOnes = isMask(input.name) && shape.length === 2 && elements <= mostValues;
  return { ...known, values: isOnes ? new Array<number>(elements).fill(1) : null };
}

function fixedSize(input: OnnxValue, axis: number, size: number): TenbinError {
  return new TenbinError('refused', {
    what: `The graph was exported for one size: axis ${axis} of its input ${input.name} is ${input.dims?.[axis]}`,
    value: `${size} is asked for`,
    fix: 'Ask for the sizes that it has, or name a graph with open ones.',
  });
}

function checkSizes(request: CountRequest): void {
  const { batch, tokens, pastTokens = 0, sourceTokens = 0 } = request;
  const sizes = Object.entries({ batch, tokens, pastTokens, sourceTokens, ...flatSizes(request) });
  const wrong = sizes.find(([, size]) => !Number.isSafeInteger(size) || size < 0);
  if (wrong === undefined) return;
  throw new TenbinError('usage', {
    what: `${wrong[0]} is no size`,
    value: String(wrong[1]),
    fix: 'Give whole numbers from 0 up.',
  });
}

function flatSizes({ inputs = {} }: CountRequest): Readonly<Record<string, number>> {
  const sizes = Object.entries(inputs).flatMap(([name, shape]) =>
    shape.map((size, i) => [`${name}[${i}]`, size] as const),
  );
  return Object.fromEntries(sizes);
}
