import { TenbinError } from '../../../core/errors.js';
import { registry } from '../../../core/registry.js';
import { hakari } from './hakari.js';
import { irMeasures } from './ir-measures.js';
import { mteb } from './mteb.js';
import type { ExportedFile, ResultsExporter, ResultsRequest } from './types.js';

export type { ExportedFile, ResultsRequest, ScoredRun } from './types.js';

/** The registry of forms for measured results: one line each. */
export const resultsFormats = registry<ResultsExporter>('form of results', 'tenbin export --help', [
  mteb,
  hakari,
  irMeasures,
]);

/** The files of one system's results in a form of another program. Throws `usage` for runs of several systems, or of none. */
export function exportResults(form: string, request: ResultsRequest): readonly ExportedFile[] {
  const systems = new Set(request.runs.map(({ run }) => run.system));
  if (systems.size === 1) return resultsFormats.bind(form)(request);
  throw new TenbinError('usage', {
    what: systems.size === 0 ? 'There is no run to export' : 'Results are exported of one system at a time',
    ...(systems.size > 0 && { value: [...systems].join(', ') }),
    fix: 'Give runs of one system.',
  });
}
