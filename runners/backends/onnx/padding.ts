import type { TokenBatch } from './job.js';

/** A batch as a graph takes it: every row as wide as the longest, padded on the right, row-major. */
export interface Padded {
  readonly rows: number;
  readonly width: number;
  readonly ids: Int32Array;
  readonly typeIds: Uint8Array;
  /** 1 where a token is attended to. */
  readonly mask: Uint8Array;
  /** Tokens of each row before padding. */
  readonly lengths: Int32Array;
  /** How many tokens of each row are attended, from its start. */
  readonly attended: Int32Array;
}

/**
 * Pads on the right, decoders too: a causal graph never looks ahead, so a row's own positions cannot see its padding and
 * keep the positions 0, 1, 2 … that they have alone.
 */
export function padded({ ids, offsets, typeIds, attended }: TokenBatch, leastWidth = 1): Padded {
  const rows = offsets.length - 1;
  const lengths = Int32Array.from({ length: rows }, (_, row) => offsets[row + 1] - offsets[row]);
  const width = lengths.reduce((widest, length) => Math.max(widest, length), leastWidth);
  const out = {
    rows,
    width,
    ids: new Int32Array(rows * width),
    typeIds: new Uint8Array(rows * width),
    mask: new Uint8Array(rows * width),
    lengths,
    attended: attended ?? lengths,
  };
  for (let row = 0; row < rows; row++) {
    out.ids.set(ids.subarray(offsets[row], offsets[row + 1]), row * width);
    if (typeIds !== null) out.typeIds.set(typeIds.subarray(offsets[row], offsets[row + 1]), row * width);
    out.mask.fill(1, row * width, row * width + out.attended[row]);
  }
  return out;
}

/** Whether every position holds a token that is attended to. */
export function isFull({ mask }: Padded): boolean {
  return mask.every((attended) => attended === 1);
}

/** The batch of rows given one by one; a row without segments has segment 0 everywhere. */
export function batchOf(rows: readonly InputRow[]): TokenBatch {
  const offsets = new Int32Array(rows.length + 1);
  rows.forEach(({ ids }, row) => {
    offsets[row + 1] = offsets[row] + ids.length;
  });
  const ids = new Int32Array(offsets[rows.length]);
  const typeIds = rows.some((row) => row.typeIds !== undefined) ? new Uint8Array(ids.length) : null;
  const attended = rows.some((row) => row.attended !== undefined) ? new Int32Array(rows.length) : null;
  rows.forEach((row, r) => {
    ids.set(row.ids, offsets[r]);
    if (row.typeIds !== undefined) typeIds?.set(row.typeIds, offsets[r]);
    if (attended !== null) attended[r] = row.attended ?? row.ids.length;
  });
  return { ids, offsets, typeIds, attended };
}

export interface InputRow {
  readonly ids: readonly number[];
  readonly typeIds?: readonly number[];
  /** How many tokens are attended, from the start; absent: all. */
  readonly attended?: number;
}
