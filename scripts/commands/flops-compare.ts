import { type Command, Option } from 'commander';
import { TenbinError } from '../../core/errors.js';
import { paperList, paperSource } from '../../runners/cost/paper-table2.js';
import { schedules } from '../../runners/schedules/index.js';
import { comparedModels } from '../flops-compare/models.js';
import { ourRows } from '../flops-compare/our-rows.js';
import { paperRows } from '../flops-compare/paper-compare.js';
import { schedulesFrom } from '../flops-compare/schedule-names.js';
import { summaryOf } from '../flops-compare/summary.js';
import { assumptionLines, ourTables, paperTables, summaryLines } from '../flops-compare/tables.js';
import { type CommonOptions, repeated, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { printJson, printText } from '../output.js';

interface CompareOptions extends CommonOptions {
  readonly model: readonly string[];
  readonly schedules?: string;
  readonly docs: number;
  readonly top: number;
  readonly estimator: 'ours' | 'eer';
  readonly queryTokens: number;
  readonly docTokens: number;
  readonly promptTokens?: number;
  readonly outputTokens?: number;
  readonly orders: number;
  readonly seed: number;
}

/** `tenbin flops compare`, below `tenbin flops`, whose options of the same names belong to it alone. */
export function registerFlopsCompare(parent: Command, onExit: (code: number) => void): void {
  // Otherwise `tenbin` hands `--model` to `flops`, which has one too, before it looks for `compare`.
  for (let above: Command | null = parent; above !== null; above = above.parent) above.enablePositionalOptions();
  const command = parent
    .command('compare')
    .description('What rerank schedules cost a query: calls, tokens and FLOPs, counted by running them.')
    .showHelpAfterError('See `tenbin flops compare --help`.');
  withCommon(withCompareOptions(command));
  command.addHelpText(
    'after',
    `\nSchedules:\n${schedules.plugins.map(({ summary, name }) => `  ${name}: ${summary}`).join('\n')}`,
  );
  withExamples(command, [
    'tenbin flops compare --model flan-t5-large --schedules pointwise.yes_no,setwise.heapsort@children=3',
    'tenbin flops compare --model flan-t5-large --model flan-t5-xl --estimator eer --format json',
  ]);
  command.action(async (options: CompareOptions) => {
    if (options.estimator === 'eer') await comparePaper(options, command);
    else await compareOurs(options);
    onExit(0);
  });
}

function withCompareOptions(command: Command): Command {
  return command
    .requiredOption('--model <name>', 'a model as for `tenbin flops`; repeatable', repeated)
    .option('--schedules <names>', 'separated by commas, with parameters after @ (default: all)')
    .option('--docs <n>', 'passages to rerank', wholeNumberOption(1, 1000), paperList.docs)
    .option('--top <n>', 'places that must be right', wholeNumberOption(1, 1000), paperList.top)
    .addOption(
      new Option('--estimator <name>', 'our count, or that of arXiv 2507.06223 on the calls and tokens of its table 2')
        .choices(['ours', 'eer'])
        .default('ours'),
    )
    .option('--query-tokens <n>', 'assumed length of a query', wholeNumberOption(1, 100_000), 8)
    .option('--doc-tokens <n>', 'assumed length of a passage', wholeNumberOption(1, 100_000), 128)
    .option(
      '--prompt-tokens <n>',
      'of a prompt around query and passages (default: ours)',
      wholeNumberOption(0, 100_000),
    )
    .option(
      '--output-tokens <n>',
      'of an answer that is generated (default: the shortest)',
      wholeNumberOption(1, 100_000),
    )
    .option('--orders <n>', 'random orders that heaps are counted on', wholeNumberOption(1, 1000), 20)
    .option('--seed <n>', 'of these orders', wholeNumberOption(0, 4_294_967_295), 1);
}

async function compareOurs(options: CompareOptions): Promise<void> {
  const { docs, top, orders, seed } = options;
  const list = { docs, top, orders, seed };
  const texts = {
    query: options.queryTokens,
    passage: options.docTokens,
    ...(options.promptTokens !== undefined && { instruction: options.promptTokens }),
    ...(options.outputTokens !== undefined && { answer: options.outputTokens }),
  };
  const rows = await ourRows(await comparedModels(options.model, options.quiet), schedulesFrom(options.schedules), {
    list,
    texts,
  });
  const assumptions = assumptionLines(list, texts);
  if (options.format === 'json') printJson({ estimator: 'ours', docs, top, rows, assumptions });
  else printText([ourTables(rows), '', ...(options.quiet ? [] : assumptions)].join('\n'));
}

async function comparePaper(options: CompareOptions, command: Command): Promise<void> {
  refuseTokens(options, command);
  const rows = paperRows(
    await comparedModels(options.model, options.quiet),
    schedulesFrom(options.schedules),
    options.queryTokens,
  );
  const summary = summaryOf(rows);
  const assumptions = paperLines(options.queryTokens);
  if (options.format === 'json') {
    printJson({ estimator: 'eer', source: paperSource, ...paperList, rows, assumptions, summary });
    return;
  }
  const closing = summary === null ? [] : ['', ...summaryLines(summary)];
  printText([paperTables(rows), ...closing, ...(options.quiet ? [] : ['', ...assumptions])].join('\n'));
}

function paperLines(queryTokens: number): readonly string[] {
  return [
    `Calls, tokens and nDCG@10: ${paperSource}.`,
    'PFLOP, RPP and QPP by that paper’s estimator and in its digits; `as printed` names what it prints otherwise.',
    'Its schedules are windows of 4 in steps of 2, five times over, and sets of 3; models outside it have the tokens of Flan-T5-large.',
    `Our PFLOP are of the same calls and tokens; assumed for pointwise.qlm: a query of ${queryTokens} tokens.`,
  ];
}

/** The table's list and tokens are what they are. */
function refuseTokens({ docs, top }: CompareOptions, command: Command): void {
  const given = ['docTokens', 'promptTokens', 'outputTokens', 'orders', 'seed'].find(
    (name) => !['default', undefined].includes(command.getOptionValueSource(name)),
  );
  if (given === undefined && docs === paperList.docs && top === paperList.top) return;
  const value =
    given === undefined
      ? `--docs ${docs} --top ${top}`
      : (command.options.find((option) => option.attributeName() === given)?.long ?? given);
  throw new TenbinError('usage', {
    what: 'The estimator of table 2 takes its calls and tokens, for the best 10 of 100 passages',
    value,
    fix: 'Leave it out, or take `--estimator ours`.',
  });
}
