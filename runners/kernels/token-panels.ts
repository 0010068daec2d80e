import { panelRows } from './panel-kernel.js';
import type { Coding } from './panel-pass.js';
import { defaultPartBytes, type PanelPart, type StoreOptions, storePanels } from './panel-store.js';
import { mostPanels, panelBytes } from './panels.js';

/** Rows of documents in kernels, each document in panels of its own. */
export interface TokenPanels {
  /** The query rows of what follows: at most 64. */
  readonly ask: (codes: Int32Array) => void;
  /** For a document with rows: four values for each query row, the greatest of which is the greatest of all rows. */
  readonly maxima: (doc: number) => Int32Array;
  /** Calls with the values of some of its rows, piece by piece. */
  readonly eachPiece: (doc: number, take: (piece: TokenValues) => void) => void;
}

/** The value of query row i and row `firstRow + r` is values[i · stride + r], for r below `rows`. */
export interface TokenValues {
  readonly values: Int32Array;
  readonly stride: number;
  readonly firstRow: number;
  readonly rows: number;
}

/** Null where one document is longer than the memory of a kernel. */
export function tokenPanels(coding: Coding, offsets: Int32Array, options: StoreOptions = {}): TokenPanels | null {
  const { format, units, writer } = coding;
  const { partBytes = defaultPartBytes } = options;
  const layout = layoutOf(offsets, Math.max(1, Math.floor(partBytes / panelBytes(format, units))));
  const { firstPanel, partOf, parts, firstRow, lastRow } = layout;
  // A panel that is not full repeats the document's last row, which changes no maximum: padding never scores.
  const rowAt = (panel: number, place: number) => Math.min(firstRow[panel] + place, lastRow[panel]);
  const kernels = storePanels({ format, units, parts, rowAt, writer }, options);
  if (kernels === null) return null;

  const ask = (codes: Int32Array): void => {
    for (const panels of kernels) panels.ask(codes);
  };
  const maxima = (doc: number): Int32Array => {
    const first = firstPanel[doc] - parts[partOf[doc]].firstPanel;
    return kernels[partOf[doc]].maxima(first, firstPanel[doc + 1] - firstPanel[doc]);
  };
  const eachPiece = (doc: number, take: (piece: TokenValues) => void): void => {
    const part = parts[partOf[doc]];
    for (let panel = firstPanel[doc]; panel < firstPanel[doc + 1]; panel += mostPanels) {
      const count = Math.min(mostPanels, firstPanel[doc + 1] - panel);
      const values = kernels[partOf[doc]].values(panel - part.firstPanel, count);
      const rows = Math.min(count * panelRows, offsets[doc + 1] - firstRow[panel]);
      take({ values, stride: count * panelRows, firstRow: firstRow[panel], rows });
    }
  };
  return { ask, maxima, eachPiece };
}

interface TokenLayout {
  /** Document d has the panels firstPanel[d] .. firstPanel[d + 1), all in one part. */
  readonly firstPanel: Int32Array;
  readonly partOf: Int32Array;
  readonly parts: readonly PanelPart[];
  /** Of each panel. */
  readonly firstRow: Int32Array;
  readonly lastRow: Int32Array;
}

/** Parts end where documents end, and hold `most` panels or one longer document. */
function layoutOf(offsets: Int32Array, most: number): TokenLayout {
  const docCount = offsets.length - 1;
  const firstPanel = new Int32Array(docCount + 1);
  const partOf = new Int32Array(docCount);
  const parts: { firstPanel: number; panels: number }[] = [];
  for (let doc = 0; doc < docCount; doc++) {
    const panels = Math.ceil((offsets[doc + 1] - offsets[doc]) / panelRows);
    const part = parts.at(-1);
    if (part === undefined || part.panels + panels > most) parts.push({ firstPanel: firstPanel[doc], panels });
    else part.panels += panels;
    partOf[doc] = parts.length - 1;
    firstPanel[doc + 1] = firstPanel[doc] + panels;
  }
  const firstRow = new Int32Array(firstPanel[docCount]);
  const lastRow = new Int32Array(firstPanel[docCount]);
  for (let doc = 0; doc < docCount; doc++) {
    for (let panel = firstPanel[doc]; panel < firstPanel[doc + 1]; panel++) {
      firstRow[panel] = offsets[doc] + (panel - firstPanel[doc]) * panelRows;
      lastRow[panel] = offsets[doc + 1] - 1;
    }
  }
  return { firstPanel, partOf, parts, firstRow, lastRow };
}
