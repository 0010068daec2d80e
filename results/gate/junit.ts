import { escape as escapeXml } from 'html-escaper';
import { printable } from '../../core/errors.js';
import { exitCode } from './exit-code.js';
import type { ReportContext } from './markdown.js';
import type { CheckResult, GateConditions, GateResult } from './types.js';
import { isGood } from './verdict.js';
import { checkName, phrases } from './words.js';

/** How a check ends for a test runner. */
type Ending = 'passed' | 'failure' | 'error' | 'skipped';

/**
 * JUnit XML, one testcase per check: failure where it regressed, error where the policy wants what is missing or undecided
 * to stop the change, skipped where it does not. No times: a gate takes none worth telling, and same inputs, same bytes.
 */
export function junit(result: GateResult, context: ReportContext): string {
  const endings = result.checks.map((check) => endingOf(check, result.conditions));
  const count = (ending: Ending) => endings.filter((other) => other === ending).length;
  const totals = attributes({
    ...{ tests: endings.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') },
  });
  const { policy, baseline, candidate } = context;
  const ended = { verdict: result.verdict, exitCode: exitCode(result, result.conditions) };
  const properties = Object.entries({ policy, baseline, candidate, ...ended });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'tenbin gate' })}${totals}>`,
    `  <testsuite${attributes({ name: policy })}${totals}>`,
    '    <properties>',
    ...properties.map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    '    </properties>',
    ...result.checks.map((check, i) => testcase(check, endings[i], result)),
    ...warningLines(result),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function warningLines({ warnings }: GateResult): readonly string[] {
  return warnings.length === 0 ? [] : [`    <system-out>${warnings.map(text).join('\n')}</system-out>`];
}

function endingOf({ verdict }: CheckResult, conditions: GateConditions): Ending {
  if (verdict === 'regressed') return 'failure';
  if (isGood(verdict)) return 'passed';
  return exitCode({ checks: [{ verdict }] }, conditions) === 0 ? 'skipped' : 'error';
}

function testcase(check: CheckResult, ending: Ending, { unit }: GateResult): string {
  const open = `    <testcase${attributes({ classname: 'tenbin.gate', name: checkName(check) })}`;
  if (ending === 'passed') return `${open}/>`;
  const message = phrases(check, unit).map(text).join('; ');
  const type = ending === 'skipped' ? {} : { type: check.verdict };
  return `${open}>\n      <${ending} message="${message}"${attributes(type)}/>\n    </testcase>`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${text(String(value))}"`)
    .join('');
}

/** Control characters are printed as their numbers; the two code points that no XML 1.0 may hold are left out. */
function text(value: string): string {
  return escapeXml(printable(value)).replace(/[\ufffe\uffff]/g, '');
}
