import { type Command, Option } from 'commander';
import type { Role } from '../../runners/open-model.js';
import { writeAtomic } from '../../tasks/files.js';
import { checkWish, type Encoded, encodeTexts, itemsOf } from '../encoded-items.js';
import { withModelOptions } from '../model-options.js';
import { type OneModelOptions, type Task, withModel } from '../one-model.js';
import { type CommonOptions, wholeNumberOption, withCommon, withExamples } from '../options.js';
import { printJson, printText, textTable } from '../output.js';
import { readLines, textLine } from '../text-lines.js';
import { arrowBytes } from '../vector-formats/arrow.js';
import { npyBytes } from '../vector-formats/npy.js';
import type { RegisterCommand } from './command.js';

interface EncodeOptions extends CommonOptions, OneModelOptions {
  readonly texts: string;
  readonly as: Role;
  readonly truncate?: number;
  readonly output?: string;
}

export const registerEncode: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('encode')
    .description('Turn texts into vectors, weights of terms, or token vectors, as a model gives them.')
    .argument('<model>', 'a card, ./folder, hub:org/name[@revision], openai:…, ollama:…, tei:…')
    .requiredOption('--texts <file>', 'JSONL, a line for each text: {"id","text"}; - for stdin')
    .addOption(
      new Option('--as <role>', 'what the texts are to the model').choices(['query', 'document']).default('document'),
    )
    .option('--dtype <name>', 'number format: fp32 where there is one, else the only one')
    .option('--truncate <dims>', 'keep the first dimensions, scaled to unit length again', wholeNumberOption(1, 65_536))
    .option('--output <file>', 'write there instead of stdout');
  withModelOptions(command);
  withCommon(command, ['npy', 'arrow']);
  withExamples(command, [
    'tenbin encode dense-tiny --texts texts.jsonl --as query --format json',
    'tenbin encode dense-tiny --texts texts.jsonl --truncate 64 --format npy --output vectors.npy',
  ]);
  command.action(async (model: string, options: EncodeOptions) => {
    await encodeCommand(model, options);
    onExit(0);
  });
};

async function encodeCommand(text: string, options: EncodeOptions): Promise<void> {
  const lines = await readLines(options.texts, textLine);
  const task: Task = { title: 'encode', count: lines.length, check: (one) => checkWish(one, options) };
  await withModel(text, options, task, async (one) => {
    const { as: role, truncate } = options;
    const encoded = await encodeTexts(
      one,
      lines.map((line) => line.text),
      { role, truncate },
    );
    const ids = lines.map(({ id }) => id);
    if (options.format === 'npy') return give(options, npyBytes(encoded));
    if (options.format === 'arrow') return give(options, await arrowBytes(ids, encoded));
    if (options.format === 'table') return printText(summary(ids, encoded));
    const opened = await one.runtime.runtime.use(one.model);
    const items = itemsOf(lines, encoded, (line) => (opened.kind === 'encoder' ? opened.tokenIds(line, role) : null));
    const result = { model: encoded.model, family: encoded.family, dims: encoded.dims, items };
    if (options.output === undefined) printJson(result);
    else await writeAtomic(options.output, `${JSON.stringify(result)}\n`);
  });
}

/** Bytes go to stdout as they are, so that they can be piped. */
async function give({ output }: EncodeOptions, bytes: Uint8Array): Promise<void> {
  if (output !== undefined) return writeAtomic(output, bytes);
  await new Promise<void>((resolve, reject) =>
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())),
  );
}

function summary(ids: readonly string[], { parts, dims }: Encoded): string {
  const rows = parts.flatMap((part) => {
    const count = part.kind === 'dense' ? part.vectors.length / part.dims : part.offsets.length - 1;
    return Array.from({ length: count }, (_, i) => [
      part.tokens?.counts[i] ?? '–',
      part.tokens === null ? '–' : part.tokens.truncated[i] === 1 ? 'yes' : 'no',
      part.kind === 'dense' ? dims : part.offsets[i + 1] - part.offsets[i],
    ]);
  });
  const what = { dense: 'dims', sparse: 'terms', 'late-interaction': 'vectors' }[parts[0].kind];
  return textTable(
    ['id', 'tokens', 'truncated', what],
    rows.map((row, i) => [ids[i], ...row]),
  );
}
