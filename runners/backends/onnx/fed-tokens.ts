import type { TokenFacts } from '../../open-model.js';
import type { BatchRule } from './plan.js';

/** Of a row that is fed, what is counted. */
interface Fed {
  readonly ids: readonly number[];
  readonly truncated: boolean;
  readonly decoder?: readonly number[];
  readonly predicted?: { readonly tokens: readonly number[] };
}

/** Counts of what is fed to a graph, filled batch by batch. */
interface FedTokens {
  /** `rows[i]` is the text at `positions[i]`; all of them go through the graph together. */
  readonly add: (rows: readonly Fed[], positions: readonly number[]) => void;
  readonly facts: () => TokenFacts;
}

/** Decoders and predicted tokens are counted only where a row has them: they are of some models and not of others. */
export function fedTokens(texts: number, { leastWidth }: Pick<BatchRule, 'leastWidth'>): FedTokens {
  const counts = new Int32Array(texts);
  const truncated = new Uint8Array(texts);
  const widths = new Int32Array(texts);
  let decoder: { readonly decoderCounts: Int32Array; readonly decoderWidths: Int32Array } | null = null;
  let predicted: Int32Array | null = null;
  const add: FedTokens['add'] = (rows, positions) => {
    const width = widest(rows, ({ ids }) => ids, leastWidth);
    const decoderWidth = widest(rows, ({ decoder: ids = [] }) => ids, leastWidth);
    for (const [i, position] of positions.entries()) {
      const row = rows[i];
      counts[position] = row.ids.length + (row.decoder?.length ?? 0);
      truncated[position] = row.truncated ? 1 : 0;
      widths[position] = width;
      if (row.decoder !== undefined) {
        decoder ??= { decoderCounts: new Int32Array(texts), decoderWidths: new Int32Array(texts) };
        decoder.decoderCounts[position] = row.decoder.length;
        decoder.decoderWidths[position] = decoderWidth;
      }
      if (row.predicted !== undefined) {
        predicted ??= new Int32Array(texts);
        predicted[position] = row.predicted.tokens.length;
      }
    }
  };
  return { add, facts: () => ({ counts, truncated, widths, ...decoder, ...(predicted && { predicted }) }) };
}

/** As wide as `padded` makes a batch of these rows. */
function widest(rows: readonly Fed[], idsOf: (row: Fed) => readonly number[], least: number): number {
  return rows.reduce((width, row) => Math.max(width, idsOf(row).length), least);
}
