import { exact } from './exact.js';
import { type ForwardFlops, type ForwardRequest, forwardFlops } from './forward.js';
import { type FlopsPart, type LayerPlaces, partsByLayer, partsByOp, partsByPurpose } from './parts.js';

/** Texts of one length. */
export interface LengthGroup {
  readonly tokens: number;
  readonly count: number;
}

export type PartKind = 'op' | 'part' | 'layer';

/** FLOPs of some texts together, and their parts. */
export interface TextsFlops extends Omit<ForwardFlops, 'matmuls'> {
  readonly parts: readonly FlopsPart[];
}

export interface TextsRequest extends Omit<ForwardRequest, 'tokens'> {
  /** Of an encoder-decoder's prefix, whose texts are its sources. */
  readonly prefix: number;
  readonly by: PartKind;
  readonly places: LayerPlaces;
}

/** Texts one by one, without padding. Parts add up to the total. */
export function textsFlops(request: TextsRequest, groups: readonly LengthGroup[]): TextsFlops {
  const all = groups.map(({ tokens, count }) => ({ count, flops: oneText(request, tokens) }));
  const sum = (figure: keyof Omit<TextsFlops, 'parts'>) =>
    exact(
      'FLOPs',
      all.reduce((total, { count, flops }) => total + count * flops[figure], 0),
    );
  return {
    body: sum('body'),
    head: sum('head'),
    total: sum('total'),
    causalUseful: sum('causalUseful'),
    parts: joined(
      all.flatMap(({ count, flops }) => flops.parts.map((part) => ({ ...part, flops: count * part.flops }))),
    ),
  };
}

/** Batches of `size` texts in the order given, each as long as its longest text: what was really computed. */
export function paddedGroups(lengths: readonly number[], size: number): readonly LengthGroup[] {
  const batches = Array.from({ length: Math.ceil(lengths.length / size) }, (_, i) =>
    lengths.slice(i * size, (i + 1) * size),
  );
  return grouped(
    batches.flatMap((batch) => batch.map(() => batch.reduce((most, length) => Math.max(most, length), 0))),
  );
}

export function grouped(lengths: readonly number[]): readonly LengthGroup[] {
  const counts = new Map<number, number>();
  for (const length of lengths) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].map(([tokens, count]) => ({ tokens, count }));
}

function oneText({ prefix, by, places, ...rest }: TextsRequest, length: number): TextsFlops {
  const lengths =
    rest.architecture.kind === 'encoder-decoder' ? { tokens: prefix, sourceTokens: length } : { tokens: length };
  const request = { ...rest, ...lengths };
  const { matmuls, ...flops } = forwardFlops(request);
  if (by === 'layer') return { ...flops, parts: partsByLayer(request, places) };
  return { ...flops, parts: by === 'op' ? partsByOp(matmuls) : partsByPurpose(matmuls) };
}

function joined(parts: readonly FlopsPart[]): readonly FlopsPart[] {
  const sums = new Map<string, number>();
  for (const { name, flops } of parts) sums.set(name, (sums.get(name) ?? 0) + flops);
  return [...sums].map(([name, flops]) => ({ name, flops }));
}
