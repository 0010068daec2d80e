import { type Command, Option } from 'commander';
import { printable, TenbinError } from '../../core/errors.js';
import { unknownName } from '../../core/suggest.js';
import { type GraphOptions, graphReport } from '../flops/graph-report.js';
import { headNames } from '../flops/heads.js';
import { lengthsFrom, mostTexts, mostTokens } from '../flops/lengths.js';
import { lookUpSubject } from '../flops/look-up.js';
import { closedFormReport, type FlopsReport } from '../flops/report.js';
import { flopsTable } from '../flops/table.js';
import { type CommonOptions, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { note, printJson, printText } from '../output.js';
import type { RegisterCommand } from './command.js';
import { registerFlopsCompare } from './flops-compare.js';

interface FlopsOptions extends CommonOptions, GraphOptions {
  readonly model?: string;
  readonly from: 'closed-form' | 'graph';
}

export const registerFlops: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('flops')
    .description('FLOPs of a forward pass, from the layers of a model or from its ONNX graph; no weights are needed.')
    .option('--model <model>', 'a card, a known architecture, ./folder, the path of a config.json, hub:org/name');
  withLengths(command)
    .addOption(new Option('--by <kind>', 'what the parts are').choices(['op', 'layer', 'part']).default('part'))
    .addOption(
      new Option('--from <source>', 'what is counted').choices(['closed-form', 'graph']).default('closed-form'),
    )
    .addOption(
      new Option('--head <name>', 'what stands on the layers (default: as the model has it)').choices(headNames),
    )
    .option('--dtype <name>', 'with --from graph: number format of the graph')
    .option('--no-cache', 'generate without keeping keys and values')
    .option('--backward', 'estimate a backward pass too, as twice the forward one');
  withCommon(command);
  withExamples(command, [
    'tenbin flops --model dense-tiny --tokens 128 --by layer',
    'tenbin flops --model flan-t5-large --source-tokens 198 --tokens 3 --generate 2 --format json',
  ]);
  // Commander would only count the words; one that stands here was meant as a command.
  command.allowExcessArguments().action(async (options: FlopsOptions) => {
    const [word] = command.args;
    if (word !== undefined) throw unknownName('command of `tenbin flops`', word, ['compare'], 'tenbin flops --help');
    await flopsCommand(options);
    onExit(0);
  });
  registerFlopsCompare(command, onExit);
};

function withLengths(command: Command): Command {
  const tokens = wholeNumberOption(1, mostTokens);
  return command
    .option('--tokens <n>', 'length of the text; of an encoder-decoder the prefix of its decoder (default: 1)', tokens)
    .option('--source-tokens <n>', 'length of the text that an encoder-decoder reads', tokens)
    .option('--generate <n>', 'tokens to generate; the pass over the prompt gives the first', tokens)
    .option('--lengths <list>', 'texts of a batch, such as 5,9,12: shown with and without padding', lengthsFrom)
    .option('--batch <n>', 'texts in a batch', wholeNumberOption(1, mostTexts));
}

async function flopsCommand(options: FlopsOptions): Promise<void> {
  const { model, quiet } = options;
  if (model === undefined) {
    throw new TenbinError('usage', {
      what: 'The model is missing',
      value: '--model',
      fix: 'Write for example `tenbin flops --model dense-tiny --tokens 128`.',
    });
  }
  const subject = await lookUpSubject(model, quiet);
  const { report, texts } =
    options.from === 'graph' ? await graphReport(subject, options) : closedFormReport(subject, options);
  const longest =
    (texts.sourceTokens ?? texts.tokens) + (texts.sourceTokens === undefined ? (options.generate ?? 1) - 1 : 0);
  if (subject.positions !== null && longest > subject.positions && !quiet)
    note(`note: ${longest} tokens are more than the ${subject.positions} of ${subject.model}; counted all the same`);
  if (report.atLeast === true && !quiet) for (const line of problemLines(report)) note(line);
  if (options.format === 'json') printJson(report);
  else printText(flopsTable(report));
}

const mostProblems = 5;

function problemLines({ problems = [] }: FlopsReport): readonly string[] {
  const lines = problems.slice(0, mostProblems).map(({ node, op, why }) => printable(`note: ${op} ${node}: ${why}`));
  return [...lines, ...(problems.length > mostProblems ? [`note: and ${problems.length - mostProblems} more`] : [])];
}
