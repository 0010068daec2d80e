import { drawPlaces, sumAlong } from './draws.js';

/** Resamples drawn ahead of the sums: the places of a block stay in cache, and memory does not grow with the resamples. */
export const blockSize = 32;

/** Series of equal length, laid out for resampling. */
export interface Laid {
  readonly length: number;
  /** Sums written per resample: one, or as many as there are series and up to three unused ones. */
  readonly stride: number;
  /** A lone series stays as it is. */
  readonly lone: Float64Array | null;
  /** Of more, four stand side by side: one place is one cache line, and four sums live in registers. Absent ones are 0. */
  readonly quads: readonly Float64Array[];
}

/** Memory that is used again and again: the places of a block of resamples, and their sums. */
export interface Workspace {
  readonly places: Int32Array;
  readonly sums: Float64Array;
}

export function layOut(series: readonly Float64Array[]): Laid {
  const length = series.length === 0 ? 0 : series[0].length;
  if (series.length === 1) return { length, stride: 1, lone: series[0], quads: [] };
  const quads = Array.from({ length: Math.ceil(series.length / 4) }, (_, q) =>
    interleave(series.slice(q * 4, q * 4 + 4), length),
  );
  return { length, stride: quads.length * 4, lone: null, quads };
}

export function workspace({ length, stride }: Pick<Laid, 'length' | 'stride'>): Workspace {
  return { places: new Int32Array(length * blockSize), sums: new Float64Array(stride * blockSize) };
}

function interleave(series: readonly Float64Array[], length: number): Float64Array {
  const quad = new Float64Array(4 * length);
  series.forEach((values, lane) => {
    for (let i = 0; i < length; i++) quad[i * 4 + lane] = values[i];
  });
  return quad;
}

/**
 * Sums of as many resamples as there are `states` of the stream, at most a block, of series i into `sums[r · stride + i]`.
 * Values are added in the order of the draws, so the digits are those of the plain loop, whatever the number of series.
 */
export function sumResamples(laid: Laid, states: Uint32Array, { places, sums }: Workspace): void {
  const { length, stride, lone, quads } = laid;
  if (lone !== null) {
    sumAlong(lone, states, sums);
    return;
  }
  drawPlaces(places, length, states);
  const draws = { places, length, count: states.length };
  for (let q = 0; q < quads.length; q++) sumQuad(quads[q], draws, { sums, stride, first: q * 4 });
}

interface Draws {
  readonly places: Int32Array;
  readonly length: number;
  readonly count: number;
}

interface Target {
  readonly sums: Float64Array;
  readonly stride: number;
  readonly first: number;
}

function sumQuad(quad: Float64Array, { places, length, count }: Draws, { sums, stride, first }: Target): void {
  for (let r = 0; r < count; r++) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    const end = (r + 1) * length;
    for (let i = r * length; i < end; i++) {
      const at = places[i] * 4;
      a += quad[at];
      b += quad[at + 1];
      c += quad[at + 2];
      d += quad[at + 3];
    }
    const into = r * stride + first;
    sums[into] = a;
    sums[into + 1] = b;
    sums[into + 2] = c;
    sums[into + 3] = d;
  }
}
