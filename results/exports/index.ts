import { registry } from '../../core/registry.js';
import { json } from './json.js';
import { parquet } from './parquet.js';
import { trec } from './trec.js';
import type { Exporter } from './types.js';

export type { ExportedRun, Exporter, ExportFormat } from './types.js';

/** The registry of exports: one line each. */
export const exportFormats = registry<Exporter>('export', 'tenbin export --help', [trec, json, parquet]);
