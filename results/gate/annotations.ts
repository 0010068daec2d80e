import { printable } from '../../core/errors.js';
import { exitCode } from './exit-code.js';
import type { CheckResult, GateResult } from './types.js';
import { isGood } from './verdict.js';
import { byVerdict, checkName, headline, phrases } from './words.js';

const levels = ['error', 'warning', 'notice'] as const;
type Level = (typeof levels)[number];

/** GitHub shows ten annotations of a level per step; the first tells of the whole gate, the last of what is left out. */
const mostPerLevel = 10;

/**
 * Workflow commands of GitHub Actions, one per line: the verdict first, then each check that is not simply good, then the
 * warnings. An error is what stops the change. No name can end a line or begin a command of its own.
 */
export function annotations(result: GateResult): string {
  const { verdict, checks, unit, warnings } = result;
  const whole = { level: levelOf(checks, result), title: `Gate: ${verdict}`, message: headline(result) };
  const single = byVerdict(checks)
    .filter(({ verdict }) => !isGood(verdict))
    .map((check) => ({
      level: levelOf([check], result),
      title: `${check.verdict}: ${checkName(check)}`,
      message: phrases(check, unit).map(printable).join('; '),
    }));
  const warned = warnings.map((message) => ({ level: 'warning' as const, title: 'Gate', message: printable(message) }));
  const all = [whole, ...single, ...warned];
  const ordered = [whole.level, ...levels.filter((level) => level !== whole.level)];
  return ordered
    .flatMap((level) => shortened(all.filter((one) => one.level === level)))
    .map(command)
    .join('');
}

interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
}

function levelOf(checks: readonly CheckResult[], { conditions }: GateResult): Level {
  if (exitCode({ checks }, conditions) !== 0) return 'error';
  return checks.every(({ verdict }) => isGood(verdict)) ? 'notice' : 'warning';
}

function shortened(all: readonly Annotation[]): readonly Annotation[] {
  if (all.length <= mostPerLevel) return all;
  const kept = all.slice(0, mostPerLevel - 1);
  const message = `${all.length - kept.length} more are not shown here; the log and the JSON have them.`;
  return [...kept, { level: all[0].level, title: 'Gate', message }];
}

function command({ level, title, message }: Annotation): string {
  return `::${level} title=${property(printable(title))}::${data(message)}\n`;
}

/** As @actions/core writes them: `%` and line ends, and in properties what parts them. */
function data(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function property(text: string): string {
  return data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
