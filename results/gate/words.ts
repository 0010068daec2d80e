import { fixed } from '../../core/numbers.js';
import { type CheckResult, type GateResult, type Verdict, verdicts } from './types.js';

/** `nDCG@10`, `bm25: nDCG@10` of several systems, `nDCG@10 on language:ja`, `RR (on-point)`, `bytesPerDoc`. Raw: it may hold a hostile name. */
export function checkName({ system, measure, cost, slice, fail }: CheckResult): string {
  const name = `${system === null ? '' : `${system}: `}${measure ?? cost ?? ''}`;
  const where = slice === null || slice === 'all' ? '' : ` on ${slice}`;
  return `${name}${where}${measure !== null && fail === 'on-point' ? ' (on-point)' : ''}`;
}

/** `queries` or `tasks`. */
export function plural(unit: GateResult['unit']): string {
  return unit === 'query' ? 'queries' : 'tasks';
}

/** Those that matter most first, otherwise in the order of the policy. */
export function byVerdict(checks: readonly CheckResult[]): readonly CheckResult[] {
  return [...checks].sort((a, b) => verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict));
}

/** What the verdict of the whole gate means, as a sentence without names. */
export function headline({ verdict, checks }: GateResult): string {
  const found = checks.filter((check) => check.verdict === verdict).length;
  const of = `${found} of ${checks.length} ${checks.length === 1 ? 'check' : 'checks'}`;
  const sentences: Readonly<Record<Verdict, string>> = {
    regressed: `${of} got worse by more than the budget allows.`,
    missing: `${of} could not be judged: something is not there.`,
    inconclusive: `${of} cannot be decided by so few queries.`,
    improved: `${of} improved, and none got worse by more than the budget allows.`,
    pass: `No check got worse by more than the budget allows.`,
  };
  return sentences[verdict];
}

/** What one check says, with its numbers: phrases below 200 characters each. */
export function phrases(check: CheckResult, unit: GateResult['unit']): readonly string[] {
  const { delta, budget, direction, reason, n, nNeeded } = check;
  const missing = reason === null ? [] : [reason];
  if (delta === null) return missing;
  const wanted = nNeeded === null ? [] : [`about ${nNeeded} ${plural(unit)} would decide`];
  const counted = n === null ? '' : `, ${n} ${n === 1 ? unit : plural(unit)}`;
  const allowed = `a ${direction} of ${numberText(budget)} is allowed`;
  return [`${signedText(delta)}${intervalText(check)}${counted}`, allowed, ...wanted, ...missing];
}

/** ` in [-0.0312, -0.0105] at 95 %`, or nothing where there is none. */
function intervalText({ low, high, confidence }: CheckResult): string {
  if (low === null || high === null || confidence === null) return '';
  return ` in [${signedText(low)}, ${signedText(high)}] at ${percentText(confidence)}`;
}

/** `95 %`, `98.75 %` */
export function percentText(share: number): string {
  return `${Number((share * 100).toFixed(3))} %`;
}

/** Four decimals; what would read as 0 or is large in significant digits. */
export function numberText(value: number | null): string {
  if (value === null) return '–';
  const size = Math.abs(value);
  if (size !== 0 && size < 0.00005) return value.toExponential(1);
  return size >= 1000 ? String(Number(value.toPrecision(6))) : fixed(value);
}

export function signedText(value: number | null): string {
  return `${value !== null && value > 0 ? '+' : ''}${numberText(value)}`;
}
