import type { Encoded } from '../encoded-items.js';

/** NumPy's own format, version 1.0 (NEP 1): a matrix of float32, little endian, a row per text. */
export function npyBytes({ parts, dims, family, model }: Encoded): Uint8Array {
  const rows = parts.map((part) => {
    if (part.kind === 'dense') return part.vectors;
    throw new Error(`${model} is a ${family} model, which a matrix cannot hold.`);
  });
  const count = rows.reduce((sum, row) => sum + row.length, 0) / dims;
  const header = headerOf(`{'descr': '<f4', 'fortran_order': False, 'shape': (${count}, ${dims}), }`);
  const file = new Uint8Array(header.length + 4 * count * dims);
  file.set(header);
  let at = header.length;
  for (const row of rows) {
    file.set(new Uint8Array(row.buffer, row.byteOffset, row.byteLength), at);
    at += row.byteLength;
  }
  return file;
}

/** Magic, version, length, and the text padded with blanks so that the data start at a multiple of 64. */
function headerOf(text: string): Uint8Array {
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const padded = `${text.padEnd(length - 1)}\n`;
  const head = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, length & 0xff, length >> 8);
  return Uint8Array.of(...head, ...new TextEncoder().encode(padded));
}
