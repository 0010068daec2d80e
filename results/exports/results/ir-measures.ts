import { TenbinError } from '../../../core/errors.js';
import { noArgument } from '../../../core/registry.js';
import { scoreRun } from '../../score.js';
import type { ExportedFile, ResultsFormat, ResultsRequest, ScoredRun } from './types.js';

/** What `ir_measures -q` prints: `query measure value` between tabs and `all measure value` at the end, at full precision. */
export const irMeasures: ResultsFormat = {
  name: 'ir_measures',
  summary: 'lines of query, measure and value between tabs, as `ir_measures -q` prints; one file for each task',
  bind: (argument) => {
    noArgument('ir_measures', argument);
    return ({ runs, measures }) => runs.map((scored) => fileOf(scored, measures));
  },
};

function fileOf({ run, judged, manifest }: ScoredRun, measures: ResultsRequest['measures']): ExportedFile {
  const { queries, values, totals } = scoreRun({ rankings: run.rankings, judged, measures, run: run.system });
  const lines = queries.flatMap((query, row) =>
    [...values].map(([name, { expected }]) => `${wholeField(query)}\t${name}\t${expected[row]}\n`),
  );
  const summary = [...totals].flatMap(([name, total]) => (total === null ? [] : [`all\t${name}\t${total.expected}\n`]));
  return { path: `${manifest.suite}__${manifest.task}.tsv`, text: [...lines, ...summary].join('') };
}

/** A tab or a line's end would make other columns of it, and `all` is the word of the summary. */
function wholeField(query: string): string {
  if (query !== '' && query !== 'all' && !/[\t\n\r]/.test(query) && query === query.trimEnd()) return query;
  throw new TenbinError('refused', {
    what: 'A query id cannot stand in lines of ir_measures: it is empty, `all`, holds a tab or ends a line',
    value: `\`${query}\``,
    fix: 'Export with `--to mteb` or `--to hakari`, which hold means only, or score with `tenbin score --format json`.',
  });
}
