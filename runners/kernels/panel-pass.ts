import { panelRows, type RowFormat } from './panel-kernel.js';
import { defaultPartBytes, equalParts, type StoreOptions, storePanels } from './panel-store.js';
import { mostPanels, mostQueries, panelBytes } from './panels.js';
import type { Errors, QuickPass, RowBlock } from './quick-pass.js';

/** Rows and queries as whole numbers. */
export interface Coding {
  readonly format: RowFormat;
  /** Of a row and of a query. */
  readonly units: number;
  /** Given the bytes of eight rows, writes the code of a row into one of its places. */
  readonly writer: (bytes: ArrayBuffer) => (row: number, place: number) => void;
  /** Writes the code of a query, and says what its values mean; asked when all rows are written. */
  readonly codeQuery: (query: number, codes: Int32Array, at: number) => QueryCode;
  /** What the values of rows mean; known when all rows are written. */
  readonly errors: () => Errors;
}

export interface QueryCode {
  readonly unit: number;
  readonly slack: number;
}

/** A quick pass by kernels over coded rows; null where a row is longer than their memory. */
export function panelPass(coding: Coding, rowCount: number, options: StoreOptions = {}): QuickPass | null {
  const { format, units, codeQuery, writer } = coding;
  const { partBytes = defaultPartBytes } = options;
  const panelCount = Math.ceil(rowCount / panelRows);
  const parts = equalParts(panelCount, panelBytes(format, units), mostPanels, partBytes);
  const rowAt = (panel: number, place: number) => Math.min(panel * panelRows + place, rowCount - 1);
  const kernels = storePanels({ format, units, parts, rowAt, writer }, options);
  if (kernels === null) return null;
  const blocks = blocksOf(rowCount);
  const partPanels = parts.length === 0 ? 1 : parts[0].panels;

  const ask = (queries: Int32Array) => {
    const codes = new Int32Array(queries.length * units);
    const coded = Array.from(queries, (query, i) => codeQuery(query, codes, i * units));
    for (const panels of kernels) panels.ask(codes);
    const valuesOf = ({ firstDoc, count }: RowBlock) => {
      const first = firstDoc / panelRows;
      const panels = Math.ceil(count / panelRows);
      const kernel = kernels[Math.floor(first / partPanels)];
      const values = kernel.values(first % partPanels, panels);
      return { values, stride: panels * panelRows, above: kernel.above, places: kernel.places };
    };
    return {
      units: Float64Array.from(coded, ({ unit }) => unit),
      slacks: Float64Array.from(coded, ({ slack }) => slack),
      blocks,
      valuesOf,
    };
  };
  return { errors: coding.errors(), mostQueries, ask };
}

function blocksOf(rowCount: number): RowBlock[] {
  const size = mostPanels * panelRows;
  return Array.from({ length: Math.ceil(rowCount / size) }, (_, i) => ({
    firstDoc: i * size,
    count: Math.min(size, rowCount - i * size),
  }));
}
