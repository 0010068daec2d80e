import type { Command } from 'commander';
import { TenbinError } from '../../core/errors.js';
import type { PairScorer } from '../../runners/open-model.js';
import type { PretrainedModel } from '../../runners/system.js';
import { withModelOptions } from '../model-options.js';
import { type OneModelOptions, type Task, withModel } from '../one-model.js';
import { type CommonOptions, withCommon, withExamples } from '../options.js';
import { printJson, printText, textTable } from '../output.js';
import { pairLine, readLines } from '../text-lines.js';
import type { RegisterCommand } from './command.js';

interface RerankOptions extends CommonOptions, OneModelOptions {
  readonly pairs: string;
}

export const registerRerank: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('rerank')
    .description('Score pairs of query and document with a reranker.')
    .argument('<model>', 'a card, ./folder, hub:org/name[@revision], tei:…, cohere:…, jina:…')
    .requiredOption('--pairs <file>', 'JSONL, a line for each pair: {"id","query","document"}; - for stdin')
    .option('--dtype <name>', 'number format: fp32 where there is one, else the only one');
  withModelOptions(command);
  withCommon(command);
  withExamples(command, [
    'tenbin rerank ce-tiny --pairs pairs.jsonl',
    'tenbin rerank ce-tiny --pairs pairs.jsonl --format json',
  ]);
  command.action(async (model: string, options: RerankOptions) => {
    await rerankCommand(model, options);
    onExit(0);
  });
};

async function rerankCommand(text: string, options: RerankOptions): Promise<void> {
  const lines = await readLines(options.pairs, pairLine);
  const task: Task = { title: 'rerank', count: lines.length, check: ({ model }) => checkScores(model) };
  await withModel(text, options, task, async ({ model, runtime }) => {
    const scorer = await runtime.runtime.use(model);
    if (scorer.kind !== 'scorer') throw new Error(`${model.id} is a reranker that scores no pairs.`);
    const { margins, tokens } = await scorer.score(lines, runtime.runtime.onStep);
    const broken = margins.findIndex(Number.isNaN);
    if (broken !== -1) throw notFinite(model.id, lines[broken].id);
    const items = lines.map((line, i) => ({
      id: line.id,
      tokens: scorer.tokenIds(line),
      truncated: tokens === null ? null : tokens.truncated[i] === 1,
      ...scoreOf(scorer, margins[i]),
    }));
    if (options.format === 'json') return printJson({ model: model.id, items });
    const rows = items.map(({ id, truncated, score }) => [
      id,
      score,
      truncated === null ? '–' : truncated ? 'yes' : 'no',
    ]);
    printText(textTable(['id', 'score', 'truncated'], rows));
  });
}

function notFinite(model: string, pair: string): TenbinError {
  return new TenbinError('not-finite', {
    what: 'A reranker gave a score that is not a number (NaN)',
    value: `${model}, pair \`${pair}\``,
    fix: 'Try another number format (--dtype); half precision overflows first.',
  });
}

/** The probability that a margin stands for; a service's own score has no margin that we know of. */
function scoreOf(
  { probability }: PairScorer,
  margin: number,
): { readonly logit: number | null; readonly score: number } {
  switch (probability) {
    case 'sigmoid':
      return { logit: margin, score: 1 / (1 + Math.exp(-margin)) };
    case 'exp':
      return { logit: margin, score: Math.exp(margin) };
    case 'margin':
      return { logit: null, score: margin };
  }
}

/** Known before the model is opened, and before a service is asked. */
function checkScores({ id, family, ranksLists }: PretrainedModel): void {
  if (family === 'reranker' && ranksLists !== true) return;
  throw new TenbinError('usage', {
    what: 'This model scores no pairs',
    value: id,
    fix:
      family === 'reranker'
        ? `It orders lists: \`hybrid > ${id}\` in \`tenbin run\`.`
        : `\`tenbin encode ${id} --texts texts.jsonl\` gives what it makes of texts; \`tenbin models\` lists rerankers.`,
  });
}
