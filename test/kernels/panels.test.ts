import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitRows, byteRows, int16Rows, type RowFormat } from '../../runners/kernels/panel-kernel.js';
import { equalParts, storePanels } from '../../runners/kernels/panel-store.js';
import { fits, mostQueries, panelLibrary, panelsIn } from '../../runners/kernels/panels.js';

/** A row's codes and a query's, from the bytes that the kernels see. */
const decoded: Readonly<Record<RowFormat['name'], (row: ArrayBuffer, query: ArrayBuffer) => number>> = {
  int16: (row, query) => sumOfProducts(new Int16Array(row), new Int16Array(query)),
  byte: (row, query) => sumOfProducts(new Uint8Array(row), new Int16Array(query)),
  bit: (row, query) => 0 - differing(new Uint32Array(row), new Uint32Array(query)),
};

/** In 32 bits: random codes go beyond them, and then the sum is what is left modulo 2^32. */
function sumOfProducts(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((sum, x, j) => sum + x * b[j], 0) | 0;
}

function differing(a: Uint32Array, b: Uint32Array): number {
  const ones = (x: number) => [...(x >>> 0).toString(2)].filter((bit) => bit === '1').length;
  return a.reduce((sum, x, j) => sum + ones(x ^ b[j]), 0);
}

const cases = fc.record({
  units: fc.integer({ min: 1, max: 9 }),
  queries: fc.integer({ min: 1, max: 9 }),
  panels: fc.integer({ min: 1, max: 4 }),
  seed: fc.nat(),
});

function bytesOf(seed: number, length: number): Uint8Array {
  let state = seed | 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  });
}

/** All values, row by row of each query, as the definition gives them. */
function naiveValues(format: RowFormat, rows: Uint8Array, queries: Uint8Array, units: number): number[][] {
  const cut = (bytes: Uint8Array, size: number) =>
    Array.from({ length: bytes.length / size }, (_, i) => bytes.slice(i * size, (i + 1) * size).buffer);
  const rowParts = cut(rows, units * format.unitBytes);
  return cut(queries, units * 4).map((query) => rowParts.map((row) => decoded[format.name](row, query)));
}

describe.each([int16Rows, byteRows, bitRows])('panels of $name rows', (format) => {
  const library = panelLibrary(format);
  const filled = (units: number, panels: number, rows: Uint8Array) => {
    const size = units * format.unitBytes * 8;
    const memory = panelsIn(library, format, { units, panels });
    for (let panel = 0; panel < panels; panel++) {
      const { buffer } = rows.slice(panel * size, (panel + 1) * size);
      memory.place(panel, format.unitBytes === 4 ? new Int32Array(buffer) : new Uint16Array(buffer));
    }
    return memory;
  };

  it('give the value of every query and row, and the greatest of each query', () => {
    fc.assert(
      fc.property(cases, ({ units, queries, panels, seed }) => {
        const rows = bytesOf(seed, panels * 8 * units * format.unitBytes);
        const asked = bytesOf(seed + 1, queries * units * 4);
        const memory = filled(units, panels, rows);
        memory.ask(new Int32Array(asked.buffer));
        const expected = naiveValues(format, rows, asked, units);
        expect([...memory.values(0, panels)]).toEqual(expected.flat());
        const last = expected.map((values) => values.slice((panels - 1) * 8));
        expect([...memory.values(panels - 1, 1)]).toEqual(last.flat());
        const greatest = (maxima: Int32Array) => expected.map((_, q) => Math.max(...maxima.subarray(4 * q, 4 * q + 4)));
        expect(greatest(memory.maxima(0, panels))).toEqual(expected.map((values) => Math.max(...values)));
        expect(greatest(memory.maxima(panels - 1, 1))).toEqual(last.map((values) => Math.max(...values)));
      }),
    );
  });

  it('tell where the values of a query are that reach a number, whole or not, within 32 bits and beyond', () => {
    fc.assert(
      fc.property(cases, fc.double({ noNaN: true }), ({ units, queries, panels, seed }, other) => {
        const memory = filled(units, panels, bytesOf(seed, panels * 8 * units * format.unitBytes));
        memory.ask(new Int32Array(bytesOf(seed + 1, queries * units * 4).buffer));
        const values = memory.values(0, panels).slice();
        for (const lowest of [values[0], values[0] + 0.5, values[0] - 0.5, other, -Infinity, 2 ** 31 - 1, -(2 ** 31)]) {
          for (let query = 0; query < queries; query++) {
            const ofQuery = [...values.subarray(query * panels * 8, (query + 1) * panels * 8)];
            const expected = ofQuery.flatMap((value, place) => (value >= lowest ? [place] : []));
            expect([...memory.places.subarray(0, memory.above(query, lowest))]).toEqual(expected);
          }
        }
      }),
    );
  });

  it('tell all 512 places of the largest block', () => {
    const memory = filled(1, 64, new Uint8Array(64 * 8 * format.unitBytes));
    memory.ask(new Int32Array(2));
    memory.values(0, 64);
    expect(memory.above(1, 0)).toBe(512);
    expect([...memory.places]).toEqual(Array.from({ length: 512 }, (_, place) => place));
    expect(memory.above(0, 1)).toBe(0);
  });

  it('take 64 queries, and serve new rows and new queries in the same memory', () => {
    for (const queries of [mostQueries, 1, 4, 5]) {
      const rows = bytesOf(queries, 2 * 8 * 3 * format.unitBytes);
      const asked = bytesOf(queries + 7, queries * 3 * 4);
      const memory = filled(3, 2, rows);
      memory.ask(new Int32Array(asked.buffer));
      expect([...memory.values(0, 2)]).toEqual(naiveValues(format, rows, asked, 3).flat());
    }
  });

  it('fit 4 GiB and no more', () => {
    const perPanel = 100 * format.unitBytes * 8;
    expect(fits(format, { units: 100, panels: Math.floor(2 ** 31 / perPanel) })).toBe(true);
    expect(fits(format, { units: 100, panels: Math.ceil(2 ** 32 / perPanel) })).toBe(false);
  });
});

describe('bits', () => {
  it('count every bit of 65,536 dimensions', () => {
    const units = 2048;
    const memory = panelsIn(panelLibrary(bitRows), bitRows, { units, panels: 1 });
    memory.place(0, new Int32Array(8 * units).fill(-1));
    memory.ask(new Int32Array(units));
    expect([...memory.values(0, 1)]).toEqual(Array(8).fill(-65_536));
  });
});

describe('storing panels', () => {
  const matrix = {
    format: int16Rows,
    units: 40_000,
    parts: [{ firstPanel: 0, panels: 1 }],
    rowAt: (_panel: number, place: number) => place,
    writer: () => () => {},
  };
  const libraryThat = (grow: () => number) => () => {
    const library = panelLibrary(int16Rows);
    return { ...library, memory: { buffer: library.memory.buffer, grow } };
  };

  it('does without where no memory is left, and hides no other error', () => {
    const failing = (error: Error) =>
      storePanels(matrix, {
        libraryOf: libraryThat(() => {
          throw error;
        }),
      });
    expect(failing(new RangeError('Maximum memory size exceeded'))).toBeNull();
    expect(() => failing(new TypeError('something else'))).toThrow('something else');
  });

  it('does without where a part is longer than the memory of a kernel', () => {
    const grow = () => {
      throw new Error('it was asked for memory');
    };
    expect(
      storePanels({ ...matrix, parts: [{ firstPanel: 0, panels: 4000 }] }, { libraryOf: libraryThat(grow) }),
    ).toBeNull();
  });
});

describe('equal parts', () => {
  it('cover all panels in whole multiples, at least one multiple each', () => {
    expect(equalParts(10, 100, 4, 900)).toEqual([
      { firstPanel: 0, panels: 8 },
      { firstPanel: 8, panels: 2 },
    ]);
    expect(equalParts(9, 100, 4, 1)).toEqual([
      { firstPanel: 0, panels: 4 },
      { firstPanel: 4, panels: 4 },
      { firstPanel: 8, panels: 1 },
    ]);
    expect(equalParts(0, 100, 4, 900)).toEqual([]);
  });
});
