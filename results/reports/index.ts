import { registry } from '../../core/registry.js';
import { csv } from './csv.js';
import { html } from './html.js';
import { json } from './json.js';
import { markdown } from './markdown.js';
import type { Report } from './report.js';
import { table } from './table.js';

export const reports = registry<Report>('report', 'tenbin board --help', [table, json, markdown, csv, html]);
