import { type Command, Option } from 'commander';
import { TenbinError } from '../../core/errors.js';
import { fixed } from '../../core/numbers.js';
import { type CompareOptions, type Comparison, compareQueries } from '../../results/compare.js';
import { meansOnly } from '../../results/measures/means-only.js';
import { sliceNames } from '../../results/slices.js';
import { corrections } from '../../results/stats/corrections.js';
import { parseSystem } from '../../runners/grammar.js';
import { namingCatalog } from '../../runners/models/catalog.js';
import { comparedFiles } from '../compared-files.js';
import { comparedSystems } from '../compared-systems.js';
import { type CommonOptions, repeated, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { note, printJson, printText, textTable } from '../output.js';
import { measuresFrom } from '../read-runs.js';
import type { RegisterCommand } from './command.js';

interface CompareCommandOptions extends CommonOptions, CompareOptions {
  readonly qrels?: string;
  readonly measure?: readonly string[];
  readonly tasks?: readonly string[];
  readonly by?: readonly string[];
  readonly slices?: string;
}

export const registerCompare: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('compare')
    .description(
      'Two runs or two systems query by query: deltas with intervals, tests corrected over all of them, slices.',
    )
    .argument('<base>', 'a run file with --qrels, else a system that has runs')
    .argument('<candidate>', 'what is compared with it')
    .option('--qrels <file>', 'judgements of run files')
    .option('--tasks <selector...>', 'of systems: tasks, suites, globs, language:xx, !selector (default: all built)')
    .option('-m, --measure <name>', 'a measure; repeatable (default: nDCG@10, R@100)', repeated)
    .option('--by <slice>', `of systems, repeatable: ${sliceNames.join(', ')}`, repeated)
    .option('--slices <file>', 'slices of your own: lines of query id, tab, name')
    .option('--confidence <share>', 'of the intervals', confidenceOption, 0.95)
    .addOption(new Option('--correction <name>', 'of the p-values').choices(corrections).default('holm'))
    .option('--resamples <n>', 'of the bootstrap and the permutations', wholeNumberOption(100, 1_000_000), 10_000)
    .option('--seed <n>', 'of both', wholeNumberOption(0, 2 ** 32 - 1), 17)
    .option('--worst <n>', 'regressed queries that are named', wholeNumberOption(0, 1000), 5);
  withCommon(command);
  withExamples(command, [
    'tenbin compare --qrels qrels.txt old.run new.run -m nDCG@10 -m R@100',
    'tenbin compare bm25 "lsa@256+int8" --tasks embedded-code --by task --format json',
  ]);
  command.action(async (base: string, candidate: string, options: CompareCommandOptions) => {
    await compareCommand(base, candidate, options);
    onExit(0);
  });
};

async function compareCommand(base: string, candidate: string, options: CompareCommandOptions): Promise<void> {
  const measures = meansOnly(measuresFrom(options.measure ?? ['nDCG@10', 'R@100']));
  const { qrels, tasks, by = [], slices } = options;
  const given = { ...(slices !== undefined && { slices }) };
  const filesOnly = tasks !== undefined || by.length > 0;
  if (qrels !== undefined && filesOnly) throw oneOrTheOther();
  const { catalog } = namingCatalog();
  const named = (text: string) => (qrels === undefined ? parseSystem(text, catalog).id : text);
  const sides = { base: named(base), candidate: named(candidate) };
  const compared =
    qrels === undefined
      ? await comparedSystems({ ...sides, ...given, tasks: tasks ?? [], by }, measures, options)
      : await comparedFiles({ ...sides, ...given, qrels }, measures, options);
  const comparisons = compareQueries({ ...compared, options });
  if (options.format === 'json') return printJson({ ...sides, comparisons });
  printText(`${sides.base} → ${sides.candidate}\n${textOf(comparisons)}`);
  if (!options.quiet) for (const line of tieWarnings(comparisons)) note(line);
}

function textOf(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map((one) => [
    one.measure,
    one.slice,
    one.n,
    fixed(one.base),
    fixed(one.candidate),
    signed(one.delta),
    `[${signed(one.low)}, ${signed(one.high)}]`,
    fixed(one.p.permutation),
    fixed(one.pAdjusted),
    fixed(one.dz, 2),
    fixed(one.mde),
    `${one.improved} / ${one.tied} / ${one.regressed}`,
  ]);
  const head = [
    'measure',
    'slice',
    'n',
    'base',
    'candidate',
    'delta',
    'interval',
    'p',
    'p adj.',
    'dz',
    'MDE',
    '+ / = / −',
  ];
  const worst = comparisons[0]?.worst.map(({ query, delta, text }) =>
    `  ${signed(delta)}  ${query}  ${text ?? ''}`.trimEnd(),
  );
  const listed =
    worst === undefined || worst.length === 0 ? [] : ['', `Worst queries by ${comparisons[0].measure}:`, ...worst];
  return [textTable(head, rows), ...listed].join('\n');
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${fixed(value)}`;
}

/** Where ties alone could turn the sign. */
function tieWarnings(comparisons: readonly Comparison[]): string[] {
  return comparisons
    .filter(({ tieRange, delta }) => tieRange > 1e-12 && tieRange > Math.abs(delta))
    .map(
      ({ measure, slice, tieRange }) =>
        `ties leave ${measure} of ${slice} open by ${fixed(tieRange)}, more than the delta`,
    );
}

function oneOrTheOther(): TenbinError {
  return new TenbinError('usage', {
    what: 'Run files are compared by --qrels, systems by --tasks and --by',
    fix: 'Leave out --qrels, or --tasks and --by; --slices goes with both.',
  });
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
