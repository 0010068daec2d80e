import type { Command } from 'commander';
import { TenbinError } from '../../core/errors.js';
import type { PairScorer } from '../../runners/open-model.js';
import { withModelOptions } from '../model-options.js';
import { type OneModelOptions, withModel } from '../one-model.js';
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
    .requiredOption('--pairs <file>', 'JSONL, a line for each pair: {"id","query","document"}')
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
  await withModel(text, options, { title: 'rerank', count: lines.length }, async ({ model, runtime }) => {
    const scorer = await runtime.runtime.use(model);
    if (scorer.kind !== 'scorer') throw scoresNoPairs(model.id);
    const { margins, tokens } = await scorer.score(lines, runtime.runtime.onStep);
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

function scoresNoPairs(id: string): TenbinError {
  return new TenbinError('usage', {
    what: 'This model scores no pairs',
    value: id,
    fix: '`tenbin models` shows the family of each; encoders are for `tenbin encode`, list rankers for `tenbin run`.',
  });
}
