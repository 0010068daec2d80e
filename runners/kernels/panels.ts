import { panelModule, panelRows, type RowFormat, tileQueries } from './panel-kernel.js';
import { addressableBytes, instanceOf, type Library, layout, memoryOf } from './wasm-memory.js';

export type PanelLibrary = Library<'valuesOfTiles' | 'valuesOfSingles' | 'maximaOfTiles' | 'maximaOfSingles' | 'above'>;

/** Queries that meet the rows together, and panels whose values are written together: both fit the cache. */
export const mostQueries = 64;
export const mostPanels = 64;

/** Coded rows in the memory of a kernel, eight side by side, and the queries that are asked about them. */
export interface Panels {
  /** Puts eight rows of `units` units, one after another, into a panel. */
  readonly place: (panel: number, rows: Int32Array | Uint16Array) => void;
  /** The queries of what follows: at most 64, each of `units` units, one after another. */
  readonly ask: (queries: Int32Array) => void;
  /**
   * The value of every query and row of up to 64 panels: query after query, eight for each panel. The array is
   * overwritten by the next call.
   */
  readonly values: (first: number, count: number) => Int32Array;
  /**
   * How many of the values that a query was just given are at least `lowest`; `places` begins with where they are among
   * its values, ascending.
   */
  readonly above: (query: number, lowest: number) => number;
  readonly places: Int32Array;
  /** Greatest values over the rows of one panel or more: four of them for each query, the greatest of which counts. */
  readonly maxima: (first: number, count: number) => Int32Array;
}

export interface PanelSize {
  /** Units of a row and of a query. */
  readonly units: number;
  readonly panels: number;
}

export function panelLibrary(format: RowFormat): PanelLibrary {
  return instanceOf(panelModule(format));
}

function sizesOf(format: RowFormat, { units, panels }: PanelSize): readonly number[] {
  const values = mostPanels * panelRows;
  return [4 * units * mostQueries, 4 * mostQueries * values, 4 * values + 4, 4, panels * panelBytes(format, units)];
}

export function panelBytes({ unitBytes }: RowFormat, units: number): number {
  return unitBytes * units * panelRows;
}

/** Whether so many panels fit the memory of one kernel. */
export function fits(format: RowFormat, size: PanelSize): boolean {
  return layout(sizesOf(format, size)).size <= addressableBytes;
}

/** Lays panels out in the memory of a library, over whatever it held before. */
export function panelsIn(library: PanelLibrary, format: RowFormat, size: PanelSize): Panels {
  const { units } = size;
  const { starts, size: bytes } = layout(sizesOf(format, size));
  const [queriesAt, outAt, placesAt, foundAt, rowsAt] = starts;
  const memory = memoryOf(library, bytes);
  const queriesHere = new Int32Array(memory, queriesAt, units * mostQueries);
  const oneBytes = panelBytes(format, units);
  const places = new Int32Array(memory, placesAt, mostPanels * panelRows);
  const foundHere = new Int32Array(memory, foundAt, 1);
  let asked = 0;
  let given = 0;

  const place = (panel: number, rows: Int32Array | Uint16Array): void => {
    const start = rowsAt + panel * oneBytes;
    const length = units * panelRows;
    const target =
      format.unitBytes === 4 ? new Int32Array(memory, start, length) : new Uint16Array(memory, start, length);
    for (let row = 0; row < panelRows; row++) {
      for (let u = 0, to = row; u < units; u++, to += panelRows) target[to] = rows[row * units + u];
    }
  };

  /** Tiles of four queries, unit by unit; those that are left over follow as they are. */
  const ask = (queries: Int32Array): void => {
    asked = queries.length / units;
    const tiled = asked - (asked % tileQueries);
    for (let q = 0; q < tiled; q++) {
      const start = (q - (q % tileQueries)) * units + (q % tileQueries);
      for (let u = 0; u < units; u++) queriesHere[start + u * tileQueries] = queries[q * units + u];
    }
    queriesHere.set(queries.subarray(tiled * units), tiled * units);
  };

  /** Both functions of a kind, over the tiles and over what is left of the queries. */
  const run = (kind: 'values' | 'maxima', first: number, count: number, outBytes: number): void => {
    const tiles = Math.floor(asked / tileQueries);
    const rest = asked - tiles * tileQueries;
    const rows = [rowsAt + first * oneBytes, count, units] as const;
    const [queriesOfRest, outOfRest] = [queriesAt + 4 * units * (asked - rest), outAt + outBytes * (asked - rest)];
    if (tiles > 0) library[`${kind}OfTiles`](queriesAt, tiles, ...rows, outAt, outBytes);
    if (rest > 0) library[`${kind}OfSingles`](queriesOfRest, rest, ...rows, outOfRest, outBytes);
  };

  const values = (first: number, count: number): Int32Array => {
    given = 4 * panelRows * count;
    run('values', first, count, given);
    return new Int32Array(memory, outAt, asked * count * panelRows);
  };

  const maxima = (first: number, count: number): Int32Array => {
    const greatest = new Int32Array(memory, outAt, 4 * asked).fill(-(2 ** 31));
    run('maxima', first, count, 16);
    return greatest;
  };

  const above = (query: number, lowest: number): number => {
    const start = outAt + query * given;
    library.above(start, start + given, wholeFrom(lowest), placesAt, foundAt);
    return foundHere[0] / 4;
  };

  return { place, ask, values, above, places, maxima };
}

/** The least whole number that is not below, within 32 bits: beyond them one value too many may be found. */
function wholeFrom(lowest: number): number {
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.ceil(lowest)));
}
