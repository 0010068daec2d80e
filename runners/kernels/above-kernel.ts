import * as vector from './wasm-integers.js';
import * as wasm from './wasm-module.js';

// Parameters: addresses in bytes, the least value that counts, and where the places and their number go.
const [values, end, lowest, places, found] = [0, 1, 2, 3, 4];
const [place, out] = [5, 6];
const limit = 7;
const atOnce = 8;

const { get, set, add, constant } = wasm;
const step = (local: number, by: number): wasm.Code => set(local, get(local), constant(by), add);
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

const vectorReaches = (offset: number): wasm.Code =>
  [get(values), vector.loadVector(offset), get(limit), vector.atLeastFours].flat();

/** Writes the place, and moves on where the value there counts: no branch that has to be guessed. */
const keepIfReached = (i: number): readonly wasm.Code[] => [
  [...get(out), ...get(place), ...constant(i), ...add, ...wasm.storeI32],
  set(out, get(out), get(values), wasm.loadI32(4 * i), get(lowest), wasm.reaches, constant(4), wasm.multiply, add),
];

/**
 * The places of values that are at least `lowest`, ascending, and four times their number. Eight values are passed by at
 * once where none of them is. The number of values is a multiple of eight; there is room for one place more.
 */
export const aboveShape: wasm.KernelShape = {
  parameters: 5,
  integers: 2,
  vectors: 1,
  body: [
    set(out, get(places)),
    set(limit, get(lowest), vector.inAllFours),
    wasm.whileTrue(
      [get(values), get(end), wasm.lessThan],
      [
        wasm.when(
          [vectorReaches(0), vectorReaches(16), vector.either, vector.anyBit],
          upTo(atOnce).flatMap((i) => keepIfReached(i)),
        ),
        step(values, 4 * atOnce),
        step(place, atOnce),
      ],
    ),
    [...get(found), ...get(out), ...get(places), ...wasm.subtract, ...wasm.storeI32],
  ],
};
