/** The step of mulberry32's state: the k-th number of a stream depends on seed + k · step alone. */
const step = 0x6d2b79f5;

/** The state before draw `index` (0-based) of a mulberry32 stream, so that a stream can be entered anywhere. */
export function stateAt(seed: number, index: number): number {
  return (seed + Math.imul(index, step)) >>> 0;
}

/** The states before the draws of some resamples, each of which takes `length` numbers of the stream. */
export function statesBefore(seed: number, resamples: Int32Array, length: number): Uint32Array {
  const states = new Uint32Array(resamples.length);
  for (let i = 0; i < states.length; i++) states[i] = stateAt(seed, resamples[i] * length);
  return states;
}

/** Draw `index` of the stream of core/random.ts's mulberry32, in [0, 1), without the ones before it. */
export function uniformAt(seed: number, index: number): number {
  return mix(stateAt(seed, index + 1)) / 4294967296;
}

/** Fills one resample after another, ⌊u · length⌋ of 0 … length − 1 for each draw; `states` are those before their first draws. */
export function drawPlaces(into: Int32Array, length: number, states: Uint32Array): void {
  const scale = length / 4294967296;
  let i = 0;
  for (let r = 0; r < states.length; r++) {
    let at = states[r] | 0;
    for (const end = i + length; i < end; i++) {
      at = (at + step) | 0;
      into[i] = mix(at) * scale;
    }
  }
}

/** The sum of each resample of one series; drawing and adding in one loop hides the time an addition waits for the last. */
export function sumAlong(values: Float64Array, states: Uint32Array, sums: Float64Array): void {
  const { length } = values;
  const scale = length / 4294967296;
  for (let r = 0; r < states.length; r++) {
    let at = states[r] | 0;
    let sum = 0;
    for (let i = 0; i < length; i++) {
      at = (at + step) | 0;
      sum += values[(mix(at) * scale) | 0];
    }
    sums[r] = sum;
  }
}

/** One sum Σ ±valueᵢ from a state on: a draw whose lowest bit is 1 keeps the sign. Multiplied, since a branch on chance stalls. */
export function signedSum(values: Float64Array, state: number): number {
  let at = state | 0;
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    at = (at + step) | 0;
    sum += (((mix(at) & 1) << 1) - 1) * values[i];
  }
  return sum;
}

function mix(state: number): number {
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return (t ^ (t >>> 14)) >>> 0;
}
