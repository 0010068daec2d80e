import { type Command, Option } from 'commander';
import { TenbinError } from '../../core/errors.js';
import { fixed } from '../../core/numbers.js';
import { type CompareOptions, type Comparison, compareQueries, corrected } from '../../results/compare.js';
import { meansOnly } from '../../results/measures/means-only.js';
import { sliceNames } from '../../results/slices.js';
import { corrections } from '../../results/stats/corrections.js';
import { type CommonOptions, repeated, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { note, printJson, printText, textTable } from '../output.js';
import { measuresFrom } from '../read-runs.js';
import { type ComparedOptions, comparedPairs } from '../sides/compared.js';
import { readWeights } from '../sides/query-table.js';
import type { RegisterCommand } from './command.js';

interface CompareCommandOptions extends Omit<CommonOptions, 'quiet'>, CompareOptions, Omit<ComparedOptions, 'out'> {
  readonly measure?: readonly string[];
  /** A file of weights. */
  readonly weights?: string;
}

export const registerCompare: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('compare')
    .description(
      'Two runs, systems, boards or baselines query by query: deltas with intervals, corrected tests, slices.',
    )
    .argument('<base>', 'a run file with --qrels, a system that has runs, a board.json, a baseline or an out/ folder')
    .argument('<candidate>', 'what is compared with it')
    .option('--qrels <file>', 'judgements of run files')
    .option('--tasks <selector...>', 'of systems: tasks, suites, globs, language:xx, !selector (default: all built)')
    .option('--system <id>', 'of boards, baselines and folders; repeatable (default: all that both hold)', repeated)
    .option('-m, --measure <name>', 'a measure; repeatable (default: nDCG@10, R@100)', repeated)
    .option('--by <slice>', `of systems, repeatable: ${sliceNames.join(', ')}`, repeated)
    .option('--slices <file>', 'slices of your own: lines of query id, tab, name')
    .option('--weights <file>', 'how often queries are asked: lines of query id, tab, weight')
    .option('--confidence <share>', 'of the intervals', confidenceOption, 0.95)
    .addOption(new Option('--correction <name>', 'of the p-values').choices(corrections).default('holm'))
    .option('--resamples <n>', 'of the bootstrap and the permutations', wholeNumberOption(100, 1_000_000), 10_000)
    .option('--seed <n>', 'of both', wholeNumberOption(0, 2 ** 32 - 1), 17)
    .option('--worst <n>', 'regressed queries that are named', wholeNumberOption(0, 1000), 5);
  withCommon(command);
  withExamples(command, [
    'tenbin compare --qrels qrels.txt old.run new.run -m nDCG@10 -m R@100',
    'tenbin compare bm25 "lsa@256+int8" --tasks embedded-code --by task --format json',
    'tenbin compare baseline.json out --system bm25',
  ]);
  command.action(async (base: string, candidate: string, options: CompareCommandOptions) => {
    await compareCommand(base, candidate, options);
    onExit(0);
  });
};

type SystemComparison = Comparison & { readonly system?: string };

async function compareCommand(base: string, candidate: string, options: CompareCommandOptions): Promise<void> {
  const measures = meansOnly(measuresFrom(options.measure ?? ['nDCG@10', 'R@100']));
  const weights = options.weights === undefined ? undefined : await readWeights(options.weights);
  const pairs = await comparedPairs({ base, candidate }, measures, options);
  const found = pairs.flatMap(({ system, paired }): SystemComparison[] => {
    if (weights !== undefined && !options.quiet) noteUnasked(paired.queries, weights);
    const request = { ...paired, options, ...(weights !== undefined && { weights }) };
    return compareQueries(request).map((one) => ({ ...(system !== null && { system }), ...one }));
  });
  const comparisons = corrected(found, options.correction);
  const names = { base: pairs[0]?.base ?? base, candidate: pairs[0]?.candidate ?? candidate };
  if (options.format === 'json') return printJson({ ...names, unit: pairs[0]?.paired.unit ?? 'query', comparisons });
  printText(`${names.base} → ${names.candidate}\n${textOf(comparisons)}`);
  if (options.quiet) return;
  if (pairs.some(({ paired }) => paired.unit === 'task')) note('A board holds means of tasks: n counts tasks.');
  for (const line of tieWarnings(comparisons)) note(line);
}

function noteUnasked(queries: readonly { readonly id: string }[], weights: ReadonlyMap<string, number>): void {
  const unasked = queries.filter(({ id }) => !weights.has(id)).length;
  if (unasked > 0)
    note(`${unasked} of ${queries.length} queries have no weight and count nowhere in the weighted rows`);
}

function textOf(comparisons: readonly SystemComparison[]): string {
  const columns: readonly (readonly [head: string, cell: (one: SystemComparison) => string | number])[] = [
    ...(comparisons.some(({ system }) => system !== undefined)
      ? [['system', (one: SystemComparison) => one.system ?? ''] as const]
      : []),
    ['measure', (one) => one.measure],
    ['slice', (one) => (one.weighting === 'traffic' ? `${one.slice}, weighted` : one.slice)],
    ['n', (one) => one.n],
    ['base', (one) => fixed(one.base)],
    ['candidate', (one) => fixed(one.candidate)],
    ['delta', (one) => signed(one.delta)],
    ['interval', (one) => `[${signed(one.low)}, ${signed(one.high)}]`],
    ['p', (one) => fixed(one.p.permutation)],
    ['p adj.', (one) => fixed(one.pAdjusted)],
    ['dz', (one) => fixed(one.dz, 2)],
    ['MDE', (one) => fixed(one.mde)],
    ['+ / = / −', (one) => `${one.improved} / ${one.tied} / ${one.regressed}`],
  ];
  const rows = comparisons.map((one) => columns.map(([, cell]) => cell(one)));
  const head = columns.map(([name]) => name);
  return [textTable(head, rows), ...worstLines(comparisons)].join('\n');
}

function worstLines([first]: readonly SystemComparison[]): readonly string[] {
  if (first === undefined || first.worst.length === 0) return [];
  const lines = first.worst.map(({ query, delta, text }) => `  ${signed(delta)}  ${query}  ${text ?? ''}`.trimEnd());
  return ['', `Worst queries by ${first.measure}:`, ...lines];
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${fixed(value)}`;
}

/** Where ties alone could turn the sign. */
function tieWarnings(comparisons: readonly Comparison[]): string[] {
  return comparisons
    .filter(({ tieRange, delta }) => Math.abs(delta) > 1e-12 && tieRange > Math.abs(delta))
    .map(
      ({ measure, slice, tieRange }) =>
        `ties leave ${measure} of ${slice} open by ${fixed(tieRange)}, more than the delta`,
    );
}

function confidenceOption(text: string): number {
  const value = Number(text);
  if (value > 0 && value < 1) return value;
  throw new TenbinError('usage', {
    what: 'A confidence is a share between 0 and 1',
    value: text,
    fix: 'Write for example `--confidence 0.95`.',
  });
}
