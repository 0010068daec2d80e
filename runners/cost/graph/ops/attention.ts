import { type Call, hasInput, intOf, intsOf, neededInt, type Operator, type Product, shapeAt } from '../call.js';
import { type Made, type Shape, unfit } from '../tensor.js';

/** What attention does, however its inputs are laid out. */
interface Heads {
  readonly batch: number;
  readonly heads: number;
  readonly keyValueHeads: number;
  /** New positions. */
  readonly queries: number;
  /** Positions that are attended to, those of a cache among them. */
  readonly keys: number;
  readonly size: number;
  readonly valueSize: number;
  /** Keys that a local window leaves to each query; infinite where there is none. */
  readonly window: number;
}

/** Scores and weighted sums of every head. Grouped queries share keys, which spares no product. */
function attended({ batch, heads, queries, keys, size, valueSize, window }: Heads): readonly Product[] {
  const seen = Math.min(keys, window);
  return [
    { part: 'scores', shape: [batch * heads, queries, size, seen], factors: null },
    { part: 'values', shape: [batch * heads, queries, seen, valueSize], factors: null },
  ];
}

const over = (total: number, parts: number): number => {
  if (total % parts !== 0) throw unfit(`${total} in ${parts} heads`);
  return total / parts;
};

const pastOf = (call: Call, input: number, axis: number) => (hasInput(call, input) ? shapeAt(call, input)[axis] : 0);

function presents(heads: Heads): readonly Made[] {
  const { batch, keyValueHeads, keys, size, valueSize } = heads;
  return [{ shape: [batch, keyValueHeads, keys, size] }, { shape: [batch, keyValueHeads, keys, valueSize] }];
}

/** com.microsoft.Attention and QAttention: hidden states times the weights of queries, keys and values together. */
function projected(past: number, type?: number): Operator {
  const headsOf = (call: Call): Heads & { readonly width: number; readonly columns: number } => {
    const [batch, queries, width] = shapeAt(call, 0);
    const columns = shapeAt(call, 1)[1];
    const heads = neededInt(call, 'num_heads');
    const given = intsOf(call, 'qkv_hidden_sizes') ?? [];
    const [keyWidth, , valueWidth] = given.length === 3 ? given : new Array<number>(3).fill(over(columns, 3));
    const [size, valueSize] = [over(keyWidth, heads), over(valueWidth, heads)];
    const keys = pastOf(call, past, 3) + queries;
    return { batch, heads, keyValueHeads: heads, queries, keys, size, valueSize, window: Infinity, width, columns };
  };
  return {
    make: (call) => {
      const { batch, heads, queries, keys, size, valueSize } = headsOf(call);
      const kind = type === undefined ? {} : { type };
      return [
        { shape: [batch, queries, heads * valueSize], ...kind },
        { shape: [2, batch, heads, keys, size], ...kind },
      ];
    },
    products: (call) => {
      const heads = headsOf(call);
      const { batch, queries, width, columns } = heads;
      return [{ part: 'qkv', shape: [batch, queries, width, columns], factors: [0, 1] }, ...attended(heads)];
    },
  };
}

/** Keys or values as [batch, positions, hidden] or [batch, heads, positions, size]: positions, and the size of a head. */
function lengthAndSize(shape: Shape, heads: number): readonly [number, number] {
  if (shape.length === 3) return [shape[1], over(shape[2], heads)];
  if (shape.length === 4) return [shape[2], shape[3]];
  throw unfit(`keys or values of [${shape.join(', ')}]`);
}

function multiHeadsOf(call: Call): Heads {
  const query = shapeAt(call, 0);
  const heads = neededInt(call, 'num_heads');
  const past = pastOf(call, 6, 2);
  const of = (keys: number, size: number, valueSize: number): Heads => ({
    batch: query[0],
    heads,
    keyValueHeads: heads,
    queries: query[1],
    keys: past + keys,
    size,
    valueSize,
    window: Infinity,
  });
  // Queries, keys and values in one: [batch, positions, heads, 3, size]; or keys and values: [batch, positions, heads, 2, size].
  if (query.length === 5) return of(query[1], query[4], query[4]);
  const size = over(query[2], heads);
  const key = shapeAt(call, 1);
  if (key.length === 5) return of(key[1], size, size);
  const [keys] = lengthAndSize(key, heads);
  return of(keys, size, lengthAndSize(shapeAt(call, 2), heads)[1]);
}

function groupedHeadsOf(call: Call): Heads {
  const [batch, queries, width] = shapeAt(call, 0);
  const [heads, keyValueHeads] = [neededInt(call, 'num_heads'), neededInt(call, 'kv_num_heads')];
  const size = hasInput(call, 1) ? over(width, heads) : over(width, heads + 2 * keyValueHeads);
  const fresh = hasInput(call, 1) ? lengthAndSize(shapeAt(call, 1), keyValueHeads)[0] : queries;
  const total = call.inputs[6]?.values?.[0];
  const keys = total ?? pastOf(call, 3, 2) + fresh;
  const window = intOf(call, 'local_window_size', -1);
  return { batch, heads, keyValueHeads, queries, keys, size, valueSize: size, window: window > 0 ? window : Infinity };
}

/** ONNX's own (version 23): three axes with the heads as attributes, or four. */
function plainHeadsOf(call: Call): Heads {
  const query = shapeAt(call, 0);
  const isFlat = query.length === 3;
  const heads = isFlat ? neededInt(call, 'q_num_heads') : query[1];
  const keyValueHeads = isFlat ? neededInt(call, 'kv_num_heads') : shapeAt(call, 1)[1];
  const [queries, size] = lengthAndSize(query, heads);
  const [fresh] = lengthAndSize(shapeAt(call, 1), keyValueHeads);
  const valueSize = lengthAndSize(shapeAt(call, 2), keyValueHeads)[1];
  const keys = pastOf(call, 4, 2) + fresh;
  return { batch: query[0], heads, keyValueHeads, queries, keys, size, valueSize, window: Infinity };
}

const flatResult = ({ batch, queries, heads, valueSize }: Heads): Made => ({
  shape: [batch, queries, heads * valueSize],
});

function attention(headsOf: (call: Call) => Heads): Operator {
  return {
    make: (call) => [flatResult(headsOf(call)), ...presents(headsOf(call))],
    products: (call) => attended(headsOf(call)),
  };
}

const plainAttention: Operator = {
  ...attention(plainHeadsOf),
  make: (call) => {
    const heads = plainHeadsOf(call);
    const { batch, queries, keys, valueSize } = heads;
    const result =
      shapeAt(call, 0).length === 3 ? flatResult(heads) : { shape: [batch, heads.heads, queries, valueSize] };
    return [result, ...presents(heads), { shape: [batch, heads.heads, queries, keys] }];
  },
};

const float = 1;

export const attentionOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['Attention', plainAttention],
  ['com.microsoft.Attention', projected(4)],
  ['com.microsoft.QAttention', projected(8, float)],
  ['com.microsoft.MultiHeadAttention', attention(multiHeadsOf)],
  ['com.microsoft.GroupQueryAttention', attention(groupedHeadsOf)],
]);
