import { panelRows, type RowFormat } from './panel-kernel.js';
import { fits, type PanelLibrary, type Panels, panelBytes, panelLibrary, panelsIn } from './panels.js';

/** Panels that share the memory of one kernel. */
export interface PanelPart {
  readonly firstPanel: number;
  readonly panels: number;
}

/** What one kernel holds unless a single document needs more: far from the end of its addresses. */
export const defaultPartBytes = 2 ** 30;

export interface CodedMatrix {
  readonly format: RowFormat;
  readonly units: number;
  readonly parts: readonly PanelPart[];
  /** The row in each place of a panel. Places that are left over repeat a row that is there. */
  readonly rowAt: (panel: number, place: number) => number;
  /** Given the bytes of a panel, writes a row's code into one of its eight places, `units` units each. */
  readonly writer: (bytes: ArrayBuffer) => (row: number, place: number) => void;
}

export interface StoreOptions {
  /** Bytes of panels that one kernel holds at most: 1 GiB unless said otherwise. */
  readonly partBytes?: number;
  /** The kernel of a part, whose memory is overwritten; a new one for each unless said otherwise. */
  readonly libraryOf?: (format: RowFormat, part: number) => PanelLibrary;
}

/**
 * Codes rows into kernels, one for each part; null where a part does not fit the memory of a kernel, or this machine has
 * none left for it: everything can be done without.
 */
export function storePanels(matrix: CodedMatrix, { libraryOf = panelLibrary }: StoreOptions): readonly Panels[] | null {
  const { format, units, parts } = matrix;
  if (!parts.every(({ panels }) => fits(format, { units, panels }))) return null;
  try {
    return parts.map((part, i) => {
      const panels = panelsIn(libraryOf(format, i), format, { units, panels: part.panels });
      fillPanels(panels, matrix, part);
      return panels;
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function fillPanels(panels: Panels, { format, units, rowAt, writer }: CodedMatrix, part: PanelPart): void {
  const bytes = new ArrayBuffer(panelBytes(format, units));
  const coded = format.unitBytes === 4 ? new Int32Array(bytes) : new Uint16Array(bytes);
  const write = writer(bytes);
  for (let panel = 0; panel < part.panels; panel++) {
    for (let place = 0; place < panelRows; place++) write(rowAt(part.firstPanel + panel, place), place);
    panels.place(panel, coded);
  }
}

/** Panels one after another in parts of at most so many bytes, each a whole number of steps of `multiple` panels. */
export function equalParts(panels: number, oneBytes: number, multiple: number, partBytes: number): PanelPart[] {
  const size = Math.max(1, Math.floor(partBytes / oneBytes / multiple)) * multiple;
  return Array.from({ length: Math.ceil(panels / size) }, (_, i) => ({
    firstPanel: i * size,
    panels: Math.min(size, panels - i * size),
  }));
}
