import type { Command } from 'commander';
import { type Audit, auditNanoSet } from '../../builders/audit.js';
import { taskId } from '../../core/ids.js';
import { fixed } from '../../core/numbers.js';
import { manifestAnalyzer } from '../../runners/plan.js';
import { readNanoSet } from '../../tasks/store.js';
import { selectBuilt } from '../catalog.js';
import { type CommonOptions, withCommon, withExamples } from '../options.js';
import { note, printJson, printText, textTable } from '../output.js';
import { startProgress } from '../progress.js';
import type { RegisterCommand } from './index.js';

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
  if (unbuilt.length > 0) note(`not built, left out: ${unbuilt.join(', ')}`);
  const progress = startProgress('audit', built.length, quiet);
  const audits: Audit[] = [];
  for (const manifest of built) {
    const id = taskId(`${manifest.suite}/${manifest.task}`);
    audits.push(auditNanoSet(await readNanoSet(root, id), manifestAnalyzer(manifest)));
    progress.tick(id);
  }
  progress.stop();
  if (format === 'json') printJson({ tasks: audits });
  else printText(auditTable(audits));
  return audits.some(({ errors }) => errors.length > 0) || unbuilt.length > 0 ? 1 : 0;
}

function auditTable(audits: readonly Audit[]): string {
  return (
    audits.map(String).join('\n') &&
    textTable(
      ['task'],
      audits.map(({ task }) => [task]),
    ) &&
    fixed(0)
  );
}
