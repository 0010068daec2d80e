import type { z } from 'zod';
import { TenbinError } from '../../core/errors.js';
import { nearest } from '../../core/suggest.js';
import { corrections } from '../stats/corrections.js';
import type { KeyPath, PolicySource } from './policy-yaml.js';

/** What a key wants to be, by its name. */
const wants: Readonly<Record<string, string>> = {
  '': 'wants to be a map of keys and values',
  qrels: 'wants to be the path of a file',
  baseline: 'wants to be a text',
  candidate: 'wants to be a text',
  system: 'wants to be a name, a list of names, or a map of baseline and candidate',
  tasks: 'wants to be a list of one or more selectors',
  slices: 'wants to be the path of a file',
  confidence: 'wants to be a share between 0 and 1',
  correction: 'wants to be the name of a correction',
  seed: 'wants to be a whole number from 0 to 4294967295',
  resamples: 'wants to be a whole number from 100 to 1000000',
  minQueries: 'wants to be a whole number from 1',
  worst: 'wants to be a whole number from 0 to 1000',
  checks: 'wants to be a list of 1 to 1000 checks',
  onMissing: 'wants to be fail or warn',
  onInconclusive: 'wants to be pass or fail',
  measure: 'wants to be the name of a measure',
  cost: 'wants to be the name of a cost',
  slice: 'wants to be the name of a slice',
  fail: 'wants to be interval or on-point',
  drop: 'wants to be a number from 0 or a share such as 2%',
  rise: 'wants to be a number from 0 or a share such as 2%',
};

const budgetFix = "Write 0.01 for an absolute budget, or 2% for a share of the baseline's value.";

/** What to write instead; other keys say it by what they want to be. */
const fixes: Readonly<Record<string, (value: unknown) => string>> = {
  confidence: (value) => `Write ${confidenceFrom(value)}.`,
  correction: (value) => oneOf(corrections, value),
  onMissing: (value) => oneOf(['fail', 'warn'], value),
  onInconclusive: (value) => oneOf(['pass', 'fail'], value),
  fail: (value) => oneOf(['interval', 'on-point'], value),
  checks: () => 'Write for example `checks: [{measure: nDCG@10, drop: 0.01}]`.',
  drop: () => budgetFix,
  rise: () => budgetFix,
};

/** `95` and `95%` mean 0.95. */
function confidenceFrom(value: unknown): string {
  const percent = Number(/^\s*([\d.]+)\s*%?\s*$/.exec(String(value))?.[1]);
  return percent > 1 && percent < 100 ? String(Number((percent / 100).toPrecision(12))) : '0.95';
}

function oneOf(known: readonly string[], value: unknown): string {
  const near = typeof value === 'string' ? nearest(value, known) : undefined;
  return `${near === undefined ? '' : `Did you mean \`${near}\`? `}Write one of ${known.join(', ')}.`;
}

/** `checks[1].drop` */
export function keyText(path: KeyPath): string {
  return path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${key}`)).join('');
}

interface PolicyFault {
  readonly path: KeyPath;
  /** What is said of the key, as `wants to be a number`. */
  readonly what: string;
  /** Left out where there is none to show. */
  readonly value?: unknown;
  readonly fix: string;
}

/** The error for one key: its path, its value and its line. */
export function policyError({ path, what, value, fix }: PolicyFault, source: PolicySource): TenbinError {
  const shown =
    value === undefined ? '' : `\`${typeof value === 'object' ? JSON.stringify(value) : String(value)}\` in `;
  const key = path.length === 0 ? 'The policy' : keyText(path);
  return new TenbinError('usage', { what: `${key} ${what}`, value: `${shown}${source.at(path)}`, fix });
}

/** A key that does not belong where it stands. */
export function unknownKey(path: KeyPath, known: readonly string[]): PolicyFault {
  const near = nearest(String(path.at(-1)), known);
  const fix = `${near === undefined ? '' : `Did you mean \`${near}\`? `}The keys here are ${known.join(', ')}.`;
  return { path, what: 'is no key of a policy', fix };
}

/** The first fault that a schema found. A key that is not known comes first: it is why another one lacks. */
export function schemaFault(issues: readonly Issue[], whole: unknown, known: (path: KeyPath) => readonly string[]) {
  const unknown = issues.flatMap((issue) => unknownKeys(issue, []))[0];
  if (unknown !== undefined) return unknownKey(unknown, known(unknown.slice(0, -1)));
  return wrongValue(pathOf(issues[0]), whole);
}

type Issue = z.core.$ZodIssue;

function unknownKeys(issue: Issue, around: KeyPath): readonly KeyPath[] {
  const path = [...around, ...pathOf(issue)];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key]);
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap((inner) => unknownKeys(inner, path)) : [];
}

function pathOf({ path }: Issue): KeyPath {
  return path.filter((key) => typeof key !== 'symbol');
}

/** The value at a path of the whole policy is not what its key wants. */
export function wrongValue(path: KeyPath, whole: unknown): PolicyFault {
  const name = String(path.findLast((key) => typeof key === 'string') ?? '');
  const value = path.reduce(valueUnder, whole);
  const what = Object.hasOwn(wants, name) ? wants[name] : 'is not as it should be';
  const fix = Object.hasOwn(fixes, name) ? fixes[name](value) : 'docs/gate.md lists the keys and their values.';
  return { path, what, value: path.length === 0 ? undefined : value, fix };
}

function valueUnder(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string | number, unknown>>)[key];
}
