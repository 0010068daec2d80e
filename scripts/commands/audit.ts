import type { Command } from 'commander';
import { type Audit, auditNanoSet } from '../../builders/audit.js';
import { taskId } from '../../core/ids.js';
import { fixed } from '../../core/numbers.js';
import { readNanoSet } from '../../tasks/store.js';
import { selectBuilt } from '../catalog.js';
import { type CommonOptions, withCommon, withExamples } from '../options.js';
import { note, printJson, printText, textTable } from '../output.js';
import { startProgress } from '../progress.js';
import type { RegisterCommand } from './command.js';

export const registerAudit: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('audit')
    .description('What could make a nano-set mislead: duplicates, leaks, positives out of reach, what the pools miss.')
    .argument('<selector...>', 'tasks, suites, globs, language:xx, domain:xx, !selector');
  withCommon(command);
  withExamples(command, ['tenbin audit embedded-en/cwe', 'tenbin audit embedded --format json']);
  command.action(async (selectors: string[], options: CommonOptions) => onExit(await auditCommand(selectors, options)));
};

async function auditCommand(
  selectors: readonly string[],
  { out: root, format, quiet }: CommonOptions,
): Promise<number> {
  const { built, unbuilt } = await selectBuilt(root, selectors);
  if (!quiet) for (const { id, reason } of unbuilt) note(`left out  ${id}: ${reason}`);
  const progress = startProgress('audit', built.length, quiet);
  const audits: Audit[] = [];
  for (const manifest of built) {
    const id = taskId(`${manifest.suite}/${manifest.task}`);
    audits.push(auditNanoSet(await readNanoSet(root, id)));
    progress.tick(id);
  }
  progress.stop();
  if (format === 'json') printJson({ tasks: audits });
  else printText(auditTable(audits));
  return audits.some(({ errors }) => errors.length > 0) || unbuilt.length > 0 ? 1 : 0;
}

function auditTable(audits: readonly Audit[]): string {
  const findings = audits.map((audit) => [
    audit.task,
    audit.duplicates.length,
    audit.nearDuplicates.length,
    fixed(audit.queryDocumentOverlap.termsInPositives, 2),
    audit.queryDocumentOverlap.verbatim.length,
    audit.positivesWithoutSharedTerm.length,
    `${audit.lengths.docs.p50} / ${audit.lengths.docs.p95}`,
    `${audit.lengths.queries.p50} / ${audit.lengths.queries.p95}`,
    audit.errors.length,
  ]);
  const errors = audits.flatMap(({ task, errors: found }) => found.map((error) => `error  ${task}: ${error}`));
  return [textTable(findingColumns, findings), textTable(recallColumns, audits.flatMap(recallRows)), ...errors].join(
    '\n\n',
  );
}

const findingColumns = [
  'task',
  'duplicates',
  'near',
  'terms in positives',
  'verbatim',
  'no shared term',
  'doc chars p50 / p95',
  'query chars p50 / p95',
  'errors',
];
const recallColumns = ['task', 'pool', 'R@10', 'R@50', 'R@100', 'R@100 with forced', 'R@500'];

function recallRows({ task, candidateRecall }: Audit): string[][] {
  return Object.entries(candidateRecall).map(([pool, { withForced, withoutForced }]) => {
    const recall = (depth: string, of = withoutForced) => fixed(of[depth] ?? null, 3);
    return [task, pool, recall('10'), recall('50'), recall('100'), recall('100', withForced), recall('500')];
  });
}
