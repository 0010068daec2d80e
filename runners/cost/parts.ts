import { exact } from './exact.js';
import { type ForwardRequest, forwardFlops } from './forward.js';
import type { Matmul } from './types.js';

/** FLOPs under a name; the parts of a pass add up to its total. */
export interface FlopsPart {
  readonly name: string;
  readonly flops: number;
}

type Named = Pick<Matmul, 'name' | 'part' | 'flops'>;

/** By matrix multiplication: `q_proj`, `enc.up`, `lm_head`. */
export function partsByOp(matmuls: readonly Named[]): readonly FlopsPart[] {
  return addedUp(matmuls, ({ name }) => name);
}

/** By what it is for: attention projections, attention scores, feed-forward, router, head. */
export function partsByPurpose(matmuls: readonly Named[]): readonly FlopsPart[] {
  return addedUp(matmuls, ({ name, part }) => (part === 'head' ? 'head' : purposeOf(name)));
}

function addedUp(matmuls: readonly Named[], nameOf: (matmul: Named) => string): readonly FlopsPart[] {
  const sums = new Map<string, number>();
  for (const matmul of matmuls) sums.set(nameOf(matmul), (sums.get(nameOf(matmul)) ?? 0) + matmul.flops);
  return [...sums].map(([name, flops]) => ({ name, flops: exact(`FLOPs of ${name}`, flops) }));
}

const sides: readonly (readonly [string, string])[] = [
  ['enc.', 'encoder '],
  ['dec.self.', 'decoder '],
  ['dec.cross.', 'cross-'],
  ['dec.', 'decoder '],
];

function purposeOf(name: string): string {
  const [prefix, side] = sides.find(([start]) => name.startsWith(start)) ?? ['', ''];
  const op = name.slice(prefix.length);
  if (op === 'router') return `${side}router`;
  if (op.startsWith('position_')) return `${side}attention projections of positions`;
  if (op.startsWith('scores_') || op === 'weights_v') return `${side}attention scores`;
  if (/^[qkvo]_proj$/.test(op)) return `${side}attention projections`;
  return `${side}feed-forward`;
}

/** Which layers are unlike the others, where that is known: with a window, with a plain network in a mixture. */
export interface LayerPlaces {
  readonly localAt?: readonly number[];
  readonly denseAt?: readonly number[];
}

/** By layer, each with its number; layers of two kinds whose places are not known are taken together by kind. */
export function partsByLayer(request: ForwardRequest, places: LayerPlaces): readonly FlopsPart[] {
  const { body, head } = forwardFlops(request);
  const layers = request.architecture.kind === 'encoder-decoder' ? twoStacks(request, body) : oneStack(request, places);
  return head === 0 ? layers : [...layers, { name: 'head', flops: head }];
}

function twoStacks(request: ForwardRequest, body: number): readonly FlopsPart[] {
  const { architecture, sourceTokens: tokens = 0 } = request;
  const decoderLayers = architecture.decoderLayers ?? architecture.layers;
  const encoder = layerFlops({ ...request, architecture: { ...architecture, kind: 'encoder' }, tokens }, {});
  const decoder = (body - architecture.layers * encoder) / decoderLayers;
  return [
    ...numbered('encoder layer', architecture.layers, () => encoder),
    ...numbered('decoder layer', decoderLayers, () => decoder),
  ];
}

function oneStack(request: ForwardRequest, places: LayerPlaces): readonly FlopsPart[] {
  const { layers, window, localLayers, denseLayers = 0, experts } = request.architecture;
  const local = placed(window === undefined ? 0 : (localLayers ?? 0), layers, places.localAt);
  const plain = placed(experts === undefined ? 0 : denseLayers, layers, places.denseAt);
  if (local !== null && plain !== null) {
    const kind = (i: number): LayerKind => ({ local: local.has(i), plain: plain.has(i) });
    return numbered('layer', layers, (i) => layerFlops(request, kind(i)));
  }
  if (plain === null || plain.size > 0) return [{ name: `all ${layers} layers`, flops: forwardFlops(request).body }];
  const windows = localLayers ?? 0;
  return [
    { name: `layers that see all tokens (${layers - windows})`, flops: (layers - windows) * layerFlops(request, {}) },
    { name: `layers with a window (${windows})`, flops: windows * layerFlops(request, { local: true }) },
  ];
}

/** Numbers of the layers of a kind; null where only their count is known and some are of the other kind. */
function placed(count: number, layers: number, at: readonly number[] | undefined): ReadonlySet<number> | null {
  if (at !== undefined && at.length === count) return new Set(at);
  if (count === 0) return new Set();
  return count === layers ? new Set(Array.from({ length: layers }, (_, i) => i)) : null;
}

interface LayerKind {
  readonly local?: boolean;
  readonly plain?: boolean;
}

/** One layer is a model of one layer. */
function layerFlops(request: ForwardRequest, { local = false, plain = false }: LayerKind): number {
  const { sourceTokens: _source, ...rest } = request;
  const one = { layers: 1, localLayers: local ? 1 : 0, denseLayers: plain ? 1 : 0 };
  const architecture = { ...request.architecture, ...one };
  const generate = architecture.kind === 'encoder' ? {} : { generate: request.generate ?? 1 };
  const { generate: _generate, ...asked } = rest;
  return forwardFlops({ ...asked, ...generate, architecture, head: { kind: 'none' } }).body;
}

function numbered(name: string, count: number, flopsOf: (i: number) => number): readonly FlopsPart[] {
  return Array.from({ length: count }, (_, i) => ({ name: `${name} ${i}`, flops: flopsOf(i) }));
}
