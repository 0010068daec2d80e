import { Argument, type Command } from 'commander';
import { TenbinError } from '../../core/errors.js';
import { groupBy } from '../../core/group.js';
import { bytesText } from '../../core/numbers.js';
import { damageOf, describe, type EntrySummary, entriesOf, pruneTo } from '../../runners/cache/entries.js';
import { cacheFolder } from '../../runners/cache/vector-cache.js';
import { sizeFrom } from '../model-options.js';
import { type CommonOptions, withCommon, withExamples } from '../options.js';
import { printJson, printText, textTable } from '../output.js';
import type { RegisterCommand } from './command.js';

interface CacheOptions extends CommonOptions {
  readonly to?: number;
}

const actions = { list, verify, prune } as const;
type Action = keyof typeof actions;

export const registerCache: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('cache')
    .description('Vectors and scores that models gave: list them by model, verify every file, prune to a size.')
    .addArgument(new Argument('[action]', 'what to do').choices(Object.keys(actions)).default('list'))
    .option('--to <size>', 'with prune: size to keep, such as 500MB; what was used longest ago goes', sizeFrom);
  withCommon(command);
  withExamples(command, ['tenbin cache list', 'tenbin cache prune --to 1GB']);
  command.action(async (action: Action, options: CacheOptions) => onExit(await actions[action](options)));
};

async function list({ out, format }: CommonOptions): Promise<number> {
  const entries = await Promise.all((await entriesOf(cacheFolder(out))).map(describe));
  const models = [...groupBy(entries, ({ model, kind }) => `${model}\0${kind}`).values()].map(modelRow);
  const total = { files: entries.length, bytes: sumOf(entries) };
  if (format === 'json') printJson({ folder: cacheFolder(out), ...total, models });
  else {
    const rows = models.map(({ model, kind, files, bytes, usedAt }) => [model, kind, files, bytesText(bytes), usedAt]);
    printText(textTable(['model', 'kind', 'files', 'size', 'last used'], rows));
  }
  return 0;
}

function modelRow(entries: readonly EntrySummary[]) {
  const [{ model, kind }] = entries;
  const usedAt = new Date(Math.max(...entries.map(({ usedMs }) => usedMs))).toISOString();
  return { model, kind, files: entries.length, bytes: sumOf(entries), usedAt };
}

function sumOf(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** A damaged file does no harm, since it counts as absent, but the disk that damaged it might. */
async function verify({ out, format }: CommonOptions): Promise<number> {
  const files = await entriesOf(cacheFolder(out));
  const damaged: { readonly path: string; readonly reason: string }[] = [];
  for (const file of files) {
    const reason = await damageOf(file);
    if (reason !== null) damaged.push({ path: file.path, reason });
  }
  if (format === 'json') printJson({ files: files.length, damaged });
  else {
    const rows = damaged.map(({ path, reason }) => `damaged  ${path}: ${reason}`);
    printText([`${files.length} files, ${damaged.length} damaged`, ...rows].join('\n'));
  }
  return damaged.length > 0 ? 1 : 0;
}

async function prune({ out, format, to }: CacheOptions): Promise<number> {
  if (to === undefined) throw sizeWanted();
  const files = await entriesOf(cacheFolder(out));
  const removed = await pruneTo(files, to);
  const facts = {
    removedFiles: removed.length,
    removedBytes: sumOf(removed),
    keptBytes: sumOf(files) - sumOf(removed),
  };
  if (format === 'json') printJson(facts);
  else
    printText(
      `removed ${facts.removedFiles} files (${bytesText(facts.removedBytes)}), kept ${bytesText(facts.keptBytes)}`,
    );
  return 0;
}

function sizeWanted(): TenbinError {
  return new TenbinError('usage', {
    what: 'Pruning needs a size to keep',
    fix: 'Write for example `tenbin cache prune --to 1GB`, or `--to 1B` to remove everything.',
  });
}
