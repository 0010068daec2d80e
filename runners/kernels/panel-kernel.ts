import { aboveShape } from './above-kernel.js';
import * as vector from './wasm-integers.js';
import * as wasm from './wasm-module.js';

/** Rows that lie side by side: two vectors of four. Wider panels leave too few registers for the sums. */
export const panelRows = 8;
/** Queries whose sums are held in registers together. */
export const tileQueries = 4;

/** How rows are coded. The query side is always units of four bytes, one after another. */
export interface RowFormat {
  readonly name: 'int16' | 'byte' | 'bit';
  /** Bytes of one row's unit: two 16-bit integers, two bytes, or a word of 32 bits. */
  readonly unitBytes: 2 | 4;
  /** The sum in `sum` plus one unit of four rows (in `rows`) times that of a query (in `query`). */
  readonly accumulate: (sum: number, rows: number, query: number) => wasm.Code;
  readonly load: (offset: number) => wasm.Code;
  /** Four 32-bit values of a finished sum. */
  readonly finish: wasm.Code;
}

const { get, set, add, constant } = wasm;
const step = (local: number, by: number): wasm.Code => set(local, get(local), constant(by), add);
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

const products = (sum: number, rows: number, query: number): wasm.Code =>
  [get(sum), get(rows), get(query), vector.multiplyAddNeighbours, vector.addFours].flat();

/** Counts are added as 16-bit integers: 16 for each word, so up to 4,095 words. */
const differences = (sum: number, rows: number, query: number): wasm.Code =>
  [
    [...get(sum), ...get(rows), ...get(query)],
    [vector.differingBits, vector.countOnes, vector.addBytePairs, vector.addEights].flat(),
  ].flat();

/** Exact dot products of signed 16-bit rows with signed 16-bit queries, while they stay below 2^31. */
export const int16Rows: RowFormat = {
  name: 'int16',
  unitBytes: 4,
  load: vector.loadVector,
  accumulate: products,
  finish: [],
};
/** Exact dot products of unsigned bytes with signed 16-bit queries, while they stay below 2^31. */
export const byteRows: RowFormat = {
  name: 'byte',
  unitBytes: 2,
  load: vector.loadEightBytes,
  accumulate: products,
  finish: [],
};
/** Minus the number of differing bits. */
export const bitRows: RowFormat = {
  name: 'bit',
  unitBytes: 4,
  load: vector.loadVector,
  accumulate: differences,
  finish: [vector.addEightPairs, vector.negateFours].flat(),
};

// Parameters: addresses in bytes, sizes in tiles of queries, panels of rows, units of a row.
const [queries, tiles, rows, panels, units, out, outStride] = [0, 1, 2, 3, 4, 5, 6];
const [query, row, last, left, target] = [7, 8, 9, 10, 11];
const integers = 5;
const firstVector = 12;

interface Registers {
  readonly queryCount: number;
  readonly sums: readonly (readonly number[])[];
  readonly loaded: readonly number[];
  readonly spread: number;
}

const vectorsFor = (queryCount: number): number => (queryCount + 1) * (panelRows / 4) + 1;

function registersFor(queryCount: number): Registers {
  const halves = panelRows / 4;
  const loaded = firstVector + queryCount * halves;
  return {
    queryCount,
    sums: upTo(queryCount).map((q) => upTo(halves).map((half) => firstVector + q * halves + half)),
    loaded: upTo(halves).map((half) => loaded + half),
    spread: loaded + halves,
  };
}

/**
 * The sums of one panel (at `row`, which ends behind it) and one tile of queries (at `query`, likewise): for each unit,
 * two vectors of rows are loaded and met by every query's unit, spread over the lanes. A lane is a row, so nothing is
 * added across lanes.
 */
function sumsOfPanel(format: RowFormat, { queryCount, sums, loaded, spread }: Registers): wasm.Code {
  const panelUnit = panelRows * format.unitBytes;
  const oneQuery = (q: number): wasm.Code => [
    ...set(spread, get(query), vector.loadFourTimes(4 * q)),
    ...sums[q].flatMap((sum, half) => set(sum, format.accumulate(sum, loaded[half], spread))),
  ];
  return [
    ...sums.flat().map((sum) => set(sum, vector.zeroVector)),
    set(last, get(row), get(units), constant(panelUnit), wasm.multiply, add),
    wasm.whileTrue(
      [get(row), get(last), wasm.lessThan],
      [
        ...loaded.map((register, half) => set(register, get(row), format.load(4 * half * format.unitBytes))),
        ...upTo(queryCount).map(oneQuery),
        step(row, panelUnit),
        step(query, 4 * queryCount),
      ],
    ),
  ].flat();
}

const whileLeft = (counter: number, body: readonly wasm.Code[]): wasm.Code =>
  wasm.whileTrue([get(counter)], [...body, step(counter, -1)]);

/** Writes the value of every query and row: queries outStride bytes apart, rows of a query one after another. */
function valuesShape(format: RowFormat, queryCount: number): wasm.KernelShape {
  const registers = registersFor(queryCount);
  const storeQuery = (q: number): readonly wasm.Code[] => [
    ...registers.sums[q].map((sum, half) =>
      [get(target), get(sum), format.finish, vector.storeVector(16 * half)].flat(),
    ),
    set(target, get(target), get(outStride), add),
  ];
  return {
    parameters: 7,
    integers,
    vectors: vectorsFor(queryCount),
    body: [
      whileLeft(panels, [
        set(query, get(queries)),
        set(left, get(tiles)),
        set(target, get(out)),
        whileLeft(left, [
          set(row, get(rows)),
          sumsOfPanel(format, registers),
          ...upTo(queryCount).flatMap((q) => storeQuery(q)),
        ]),
        set(rows, get(last)),
        step(out, 4 * panelRows),
      ]),
    ],
  };
}

/**
 * Raises the four greatest values of every query, of every fourth row, by the rows of some panels; they are 16 bytes for
 * each query, whatever outStride says. No matrix of values is written, and a panel is loaded once for all queries.
 */
function maximaShape(format: RowFormat, queryCount: number): wasm.KernelShape {
  const registers = registersFor(queryCount);
  const raiseQuery = (q: number): wasm.Code => [
    ...get(target),
    ...get(target),
    ...vector.loadVector(16 * q),
    ...registers.sums[q].flatMap((sum) => [...get(sum), ...format.finish, ...vector.greaterOfFours]),
    ...vector.storeVector(16 * q),
  ];
  return {
    parameters: 7,
    integers,
    vectors: vectorsFor(queryCount),
    body: [
      whileLeft(panels, [
        set(query, get(queries)),
        set(left, get(tiles)),
        set(target, get(out)),
        whileLeft(left, [
          set(row, get(rows)),
          sumsOfPanel(format, registers),
          ...upTo(queryCount).map(raiseQuery),
          step(target, 16 * queryCount),
        ]),
        set(rows, get(last)),
      ]),
    ],
  };
}

/** The functions of a module for one format: values and maxima, of tiles of four queries or of single ones; see `above`. */
export function panelModule(format: RowFormat): Uint8Array {
  return wasm.libraryOf([
    ['valuesOfTiles', valuesShape(format, tileQueries)],
    ['valuesOfSingles', valuesShape(format, 1)],
    ['maximaOfTiles', maximaShape(format, tileQueries)],
    ['maximaOfSingles', maximaShape(format, 1)],
    ['above', aboveShape],
  ]);
}
