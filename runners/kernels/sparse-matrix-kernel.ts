import * as wasm from './wasm-module.js';

// Parameters: addresses and strides in bytes, sizes in elements.
const [out, outStride, width, rows, offsets, terms, weights, factor, factorStride] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const [column, left, weight, last, term, source, target] = [9, 10, 11, 12, 13, 14, 15];
const sum = (i: number): number => 16 + i;
const scale = 24;

/** Bytes from the start of an array to offsets[row + next]. */
const offsetOf = (next: number, elementBytes: number): wasm.Code =>
  [wasm.get(offsets), wasm.loadI32(4 * next), wasm.constant(elementBytes), wasm.multiply].flat();

/**
 * Columns of one row of out, 2·pairs of them: the sums stay in registers while the row's terms pass, each added in its
 * turn as in a plain loop, so the result is the plain loop's to the last bit.
 */
function columnsOfRow(pairs: number, load: (pair: number) => wasm.Code, store: (pair: number) => wasm.Code): wasm.Code {
  const all = Array.from({ length: pairs }, (_, pair) => pair);
  const { get, set, add, multiply } = wasm;
  const product = (pair: number) => [get(source), load(pair), get(scale), wasm.multiplyPairs].flat();
  return [
    set(target, get(out), get(column), add),
    ...all.map((pair) => set(sum(pair), get(target), load(pair))),
    set(weight, get(weights), offsetOf(0, 8), add),
    set(last, get(weights), offsetOf(1, 8), add),
    set(term, get(terms), offsetOf(0, 4), add),
    wasm.whileTrue(
      [get(weight), get(last), wasm.lessThan],
      [
        set(source, get(term), wasm.loadI32(0), get(factorStride), multiply, get(factor), add, get(column), add),
        set(scale, get(weight), wasm.loadTwice),
        ...all.map((pair) => set(sum(pair), get(sum(pair)), product(pair), wasm.addPairs)),
        set(weight, get(weight), wasm.constant(8), add),
        set(term, get(term), wasm.constant(4), add),
      ],
    ),
    ...all.map((pair) => [...get(target), ...get(sum(pair)), ...store(pair)]),
  ].flat();
}

const step = (local: number, by: number): wasm.Code => wasm.set(local, wasm.get(local), wasm.constant(by), wasm.add);
const pairAt = (operation: (offset: number) => wasm.Code) => (pair: number) => operation(16 * pair);

function whileLeft(columns: number, body: wasm.Code): wasm.Code {
  const enough = [wasm.get(left), wasm.constant(columns), wasm.atLeast];
  return wasm.whileTrue(enough, [body, step(column, 8 * columns), step(left, -columns)]);
}

/**
 * out += sparse matrix · factor, for `addProduct` in sparse-matrix.ts. Rows of out and factor are strides apart; the
 * sparse rows are offsets, terms and weights as in `SparseRows`. Sixteen columns at a time, then pairs, then one.
 */
export const sparseProductModule: Uint8Array = wasm.moduleOf({
  parameters: 9,
  integers: 7,
  vectors: 9,
  body: [
    wasm.whileTrue(
      [wasm.get(rows)],
      [
        wasm.set(column, wasm.constant(0)),
        wasm.set(left, wasm.get(width)),
        whileLeft(16, columnsOfRow(8, pairAt(wasm.loadPair), pairAt(wasm.storePair))),
        whileLeft(2, columnsOfRow(1, pairAt(wasm.loadPair), pairAt(wasm.storePair))),
        whileLeft(
          1,
          columnsOfRow(
            1,
            () => wasm.loadOne,
            () => wasm.storeOne,
          ),
        ),
        wasm.set(out, wasm.get(out), wasm.get(outStride), wasm.add),
        step(offsets, 4),
        step(rows, -1),
      ],
    ),
  ],
});
