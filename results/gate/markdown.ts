import { markdownText, row } from '../reports/markdown-text.js';
import { shownName } from '../reports/names.js';
import { fitSections, type Section } from './fit.js';
import type { CheckResult, GateResult } from './types.js';
import { byVerdict, checkName, headline, numberText, percentText, plural, signedText } from './words.js';

/** What a report names besides the result; all of it is shown as text and may be hostile. */
export interface ReportContext {
  /** The policy's file. */
  readonly policy: string;
  /** What the sides were read from. */
  readonly baseline: string;
  readonly candidate: string;
}

/** GitHub refuses a comment of 65,536 characters; counted in bytes of UTF-8, which are never fewer. */
const mostBytes = 65_000;

/** Worst queries are told for so many checks, those that matter first: each has a frame of its own. */
const mostTables = 20;

/**
 * The result as a comment of a pull request, GitHub-flavoured: the verdict in one line, the checks, those that matter
 * first, what lacks, and the worst queries folded away. What does not fit is left out, and said so.
 */
export function markdown(result: GateResult, context: ReportContext): string {
  const checks = byVerdict(result.checks);
  const sections: readonly Section[] = [
    { open: [`**${result.verdict}**: ${headline(result)}`, '', sidesLine(context)], lines: [], close: [] },
    { open: tableHead(result), lines: checks.map(tableRow), close: ['', conditionsLine(result)] },
    ...listed('To know:', notes(checks, result)),
    ...listed(
      'Warnings:',
      result.warnings.map((line) => cell(line, 200)),
    ),
    ...worstSections(checks),
  ];
  return fitSections(sections, mostBytes);
}

function sidesLine({ policy, baseline, candidate }: ReportContext): string {
  return `${cell(baseline)} → ${cell(candidate)} by ${cell(policy)}`;
}

function tableHead({ unit }: GateResult): readonly string[] {
  const head = ['check', 'verdict', 'base', 'candidate', 'delta', 'interval', 'allowed', plural(unit)];
  return [row(head), row(head.map((_, i) => (i < 2 ? ':--' : '--:')))];
}

function tableRow(check: CheckResult): string {
  const { verdict, base, candidate, delta, low, high, direction, budget, n } = check;
  return row([
    ...[cell(checkName(check)), verdict === 'regressed' ? `**${verdict}**` : verdict],
    ...[numberText(base), numberText(candidate), signedText(delta)],
    low === null ? '–' : `[${signedText(low)}, ${signedText(high)}]`,
    budget === null ? '–' : `${direction} of ${numberText(budget)}`,
    n === null ? '–' : String(n),
  ]);
}

function conditionsLine({ conditions, unit, checks }: GateResult): string {
  const { confidence, correction, resamples, seed } = conditions;
  const family = checks.filter(({ fail, pBudget }) => fail === 'interval' && pBudget !== null).length;
  const corrected = family < 2 || correction === 'none' ? '' : ` over ${family} checks (${correction})`;
  return (
    `Intervals hold ${percentText(confidence)}${corrected}: BCa bootstrap over ${plural(unit)}, ` +
    `${resamples} resamples, seed ${seed}.`
  );
}

/** What the table has no column for. */
function notes(checks: readonly CheckResult[], { unit }: GateResult): readonly string[] {
  return checks.flatMap((check) => {
    const about = [
      ...(check.reason === null ? [] : [check.reason]),
      ...(check.nNeeded === null ? [] : [`about ${check.nNeeded} ${plural(unit)} would decide`]),
      ...(byChance(check) ? ['judged by its mean alone, which may be chance'] : []),
    ];
    return about.map((phrase) => `${cell(checkName(check))}: ${cell(phrase, 200)}`);
  });
}

/** A mean beyond the budget with an interval that is not. */
function byChance({ verdict, fail, measure, high, low, budget, direction }: CheckResult): boolean {
  if (verdict !== 'regressed' || fail !== 'on-point' || measure === null) return false;
  if (low === null || high === null || budget === null) return false;
  return direction === 'drop' ? high >= -budget : low <= budget;
}

/** Lines are Markdown already. */
function listed(title: string, lines: readonly string[]): readonly Section[] {
  return lines.length === 0 ? [] : [{ open: [title, ''], lines: lines.map((line) => `- ${line}`), close: [] }];
}

/** No name stands in the summary: in a line of HTML, Markdown's escapes would not count. */
function worstSections(checks: readonly CheckResult[]): readonly Section[] {
  const tables = checks.filter(({ worst }) => worst.length > 0).slice(0, mostTables);
  return tables.map((check, i) => ({
    open: [
      ...(i === 0 ? ['<details><summary>Worst queries</summary>', ''] : []),
      ...[cell(checkName(check)), '', row(['query', 'delta', 'task', 'text']), row([':--', '--:', ':--', ':--'])],
    ],
    lines: check.worst.map(({ query, delta, task, text }) =>
      row([cell(query), signedText(delta), cell(task ?? '–'), cell(text ?? '–', 120)]),
    ),
    close: i === tables.length - 1 ? ['', '</details>'] : [],
  }));
}

function cell(text: string, limit = 60): string {
  return markdownText(shownName(text, limit));
}
