import type { EncodedTexts } from '../../runners/open-model.js';
import type { Encoded } from '../encoded-items.js';

/**
 * An Arrow IPC stream with a row per text: `id`, and `vector` (fixed-size list of float32) or `tokenVectors` (list of
 * such), or `terms` and `weights`. apache-arrow takes a quarter of a second to load, so only this format loads it. It
 * writes a damaged file where two columns share a buffer (arrow-js#315): every column here has its own, and the file is
 * read back before it is given out.
 */
export async function arrowBytes(ids: readonly string[], { parts, dims }: Encoded): Promise<Uint8Array> {
  const arrow = await import('apache-arrow');
  const float = new arrow.Float32();
  const row = new arrow.FixedSizeList(dims, new arrow.Field('item', float, false));
  const values = parts.flatMap((part) => rowsOf(part, dims));
  const columns = columnsOf(parts[0].kind);
  const types = {
    vector: row,
    tokenVectors: new arrow.List(new arrow.Field('item', row, false)),
    terms: new arrow.List(new arrow.Field('item', new arrow.Int32(), false)),
    weights: new arrow.List(new arrow.Field('item', float, false)),
  };
  const vectors = columns.map(
    (name) =>
      [
        name,
        arrow.vectorFromArray(
          values.map((value) => value[name]),
          types[name],
        ),
      ] as const,
  );
  const table = new arrow.Table({
    id: arrow.vectorFromArray([...ids], new arrow.Utf8()),
    ...Object.fromEntries(vectors),
  });
  const bytes = arrow.tableToIPC(table, 'stream');
  if (arrow.tableFromIPC(bytes).numRows !== ids.length)
    throw new Error('apache-arrow wrote a file that it cannot read.');
  return bytes;
}

type Column = 'vector' | 'tokenVectors' | 'terms' | 'weights';

function columnsOf(kind: EncodedTexts['kind']): readonly Column[] {
  if (kind === 'dense') return ['vector'];
  return kind === 'sparse' ? ['terms', 'weights'] : ['tokenVectors'];
}

function rowsOf(encoded: EncodedTexts, dims: number): Readonly<Partial<Record<Column, unknown>>>[] {
  const vectorAt = (vectors: Float32Array, at: number) => Array.from(vectors.subarray(at * dims, (at + 1) * dims));
  if (encoded.kind === 'dense') {
    const count = encoded.vectors.length / dims;
    return Array.from({ length: count }, (_, i) => ({ vector: vectorAt(encoded.vectors, i) }));
  }
  const { offsets } = encoded;
  return Array.from({ length: offsets.length - 1 }, (_, i) => {
    const [start, end] = [offsets[i], offsets[i + 1]];
    if (encoded.kind === 'sparse') {
      return {
        terms: Array.from(encoded.terms.subarray(start, end)),
        weights: Array.from(encoded.weights.subarray(start, end)),
      };
    }
    return { tokenVectors: Array.from({ length: end - start }, (__, j) => vectorAt(encoded.vectors, start + j)) };
  });
}
