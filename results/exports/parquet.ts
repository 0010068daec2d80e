import { encodeParquet } from '../../core/parquet.js';
import { noArgument } from '../../core/registry.js';
import { rankingColumns } from '../../tasks/ranking-rows.js';
import type { ExportedRun, ExportFormat } from './types.js';

/** The columns of `rankings.parquet` (formats.md §3): `query-id`, `corpus-ids`, `scores`. */
export const parquet: ExportFormat = {
  name: 'parquet',
  summary: 'Apache Parquet with query-id, corpus-ids and scores, as runs are stored; for DuckDB, pandas and the hub.',
  bind: (argument) => {
    noArgument('parquet', argument);
    return render;
  },
};

async function* render({ rankings }: ExportedRun): AsyncIterable<Uint8Array> {
  yield encodeParquet(rankingColumns(rankings));
}
