import * as wasm from './wasm-module.js';

// Parameters: addresses and strides in bytes. Rows and query are padded to whole steps of four elements.
const [query, queryBytes, rows, rowBytes, count, out] = [0, 1, 2, 3, 4, 5];
const [at, last] = [6, 7];
const row = (i: number): number => 8 + i;
const sum = (i: number): number => 12 + i;
const [x, codes] = [16, 17];
const four = [0, 1, 2, 3];

const { get, set, add, multiply } = wasm;
const step = (local: number, by: number): wasm.Code => set(local, get(local), wasm.constant(by), add);

const addTo = (i: number, pair: wasm.Code): wasm.Code =>
  set(sum(i), get(sum(i)), get(x), pair, wasm.multiplyPairs, wasm.addPairs);

/** Two float32 of each of four rows times two of the query. */
const floatPair = (offset: number): wasm.Code =>
  [
    set(x, get(at), wasm.loadPair(2 * offset)),
    ...four.map((i) => addTo(i, [...get(row(i)), ...wasm.loadTwoFloats(offset)])),
  ].flat();

/** Four bytes of each of four rows, row by row: the codes of one row are needed twice. */
const byteQuad: wasm.Code = four.flatMap((i) => [
  ...set(codes, get(row(i)), wasm.loadFourBytes(0)),
  ...set(x, get(at), wasm.loadPair(0)),
  ...addTo(i, [...get(codes), ...wasm.toPair]),
  ...set(x, get(at), wasm.loadPair(16)),
  ...addTo(i, [...wasm.lastTwo(codes), ...wasm.toPair]),
]);

/**
 * Dot products of a float64 query with four rows at a time. Even and odd dimensions are summed apart, each from first
 * to last, and added at the end: always in this order, so a score does not depend on its neighbours.
 */
function dotModule(elementBytes: number, fourElements: wasm.Code): Uint8Array {
  return wasm.moduleOf({
    parameters: 6,
    integers: 6,
    vectors: 6,
    body: [
      wasm.whileTrue(
        [get(count)],
        [
          ...four.map((i) => set(row(i), get(rows), get(rowBytes), wasm.constant(i), multiply, add)),
          ...four.map((i) => set(sum(i), wasm.zeroPair)),
          set(at, get(query)),
          set(last, get(query), get(queryBytes), add),
          wasm.whileTrue(
            [get(at), get(last), wasm.lessThan],
            [fourElements, step(at, 32), ...four.map((i) => step(row(i), 4 * elementBytes))],
          ),
          ...four.map((i) => [...get(out), ...wasm.storeSumOfPair(sum(i), 8 * i)]),
          set(rows, get(rows), get(rowBytes), wasm.constant(4), multiply, add),
          step(out, 32),
          step(count, -4),
        ],
      ),
    ],
  });
}

export const floatDotModule: Uint8Array = dotModule(4, [...floatPair(0), ...floatPair(8)]);
export const byteDotModule: Uint8Array = dotModule(1, byteQuad);
