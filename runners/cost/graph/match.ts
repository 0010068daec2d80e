import type { Matmul } from '../types.js';
import type { CountedNode } from './types.js';

/** A product of the closed form; sizes are null where a window or passes of different lengths leave no one shape. */
export interface Closed {
  readonly name: string;
  readonly part: 'body' | 'head';
  readonly inner: number | null;
  readonly columns: number | null;
  readonly flops: number;
}

export interface Leftover {
  readonly nodes: readonly CountedNode[];
  readonly closed: readonly Closed[];
}

/** More than a graph holds; a closed form of more passes is one sum. */
const mostCopies = 10_000;

/** One for each layer, as a graph has them. */
export function closedProducts(matmuls: readonly Matmul[], batch: number): readonly Closed[] {
  return matmuls.flatMap(({ name, part, shape, count, flops }) => {
    const isOne = shape === null || count > mostCopies || count < 1;
    const copies = isOne ? 1 : count;
    const one = { name, part, inner: shape?.[2] ?? null, columns: shape?.[3] ?? null, flops: (flops * batch) / copies };
    return Array.from({ length: copies }, () => one);
  });
}

type Key = (product: {
  readonly flops: number;
  readonly inner: number | null;
  readonly columns: number | null;
}) => string;

/** From what is surely the same to what only costs the same: a runtime may transpose a product, or join heads. */
const keys: readonly Key[] = [
  ({ flops, inner, columns }) => `${flops} ${inner} ${columns}`,
  ({ flops, inner }) => `${flops} ${inner}`,
  ({ flops }) => `${flops}`,
];

/** What is left of both sides when equals are taken away. */
export function matched(nodes: readonly CountedNode[], closed: readonly Closed[]): Leftover {
  const once = keys.reduce<Leftover>((left, key) => withoutEquals(left, key), { nodes, closed });
  return withoutFused(once);
}

function withoutEquals({ nodes, closed }: Leftover, key: Key): Leftover {
  const waiting = new Map<string, Closed[]>();
  for (const one of closed) {
    const list = waiting.get(key(one));
    if (list === undefined) waiting.set(key(one), [one]);
    else list.push(one);
  }
  const left = nodes.filter((node) => {
    const list = waiting.get(key({ flops: node.flops, inner: node.shape[2], columns: node.shape[3] }));
    return list?.pop() === undefined;
  });
  return { nodes: left, closed: [...waiting.values()].flat() };
}

/** One matrix for queries, keys and values, or for up and gate: of one inner size, sums are compared. */
function withoutFused({ nodes, closed }: Leftover): Leftover {
  const weighty = nodes.filter((node) => node.weights);
  const here = sumsBy(weighty.map(({ shape, flops }) => ({ inner: shape[2], flops })));
  const there = sumsBy(closed);
  const equal = new Set(
    [...here].filter(([inner, flops]) => flops === (there.get(inner) ?? 0)).map(([inner]) => inner),
  );
  return {
    nodes: nodes.filter((node) => !(node.weights && equal.has(node.shape[2]))),
    closed: closed.filter((one) => one.inner === null || !equal.has(one.inner)),
  };
}

function sumsBy(products: readonly Pick<Closed, 'inner' | 'flops'>[]): ReadonlyMap<number | null, number> {
  const sums = new Map<number | null, number>();
  for (const { inner, flops } of products) sums.set(inner, (sums.get(inner) ?? 0) + flops);
  return sums;
}
