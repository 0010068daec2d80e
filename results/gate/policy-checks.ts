import type { z } from 'zod';
import { TenbinError } from '../../core/errors.js';
import { meansOnly } from '../measures/means-only.js';
import { kindOfMeasure, parseMeasure } from '../measures/parse.js';
import { keyText, policyError, unknownKey, wrongValue } from './policy-faults.js';
import { checkSchemas } from './policy-schema.js';
import type { KeyPath, PolicySource } from './policy-yaml.js';

/** How much worse a value may get. */
export type Budget =
  | { readonly kind: 'absolute'; readonly value: number }
  /** Of the baseline's value; 2 stands for 2 %. */
  | { readonly kind: 'relative'; readonly percent: number };

interface Budgeted {
  /** The direction in which the value gets worse. */
  readonly direction: 'drop' | 'rise';
  readonly budget: Budget;
}

export interface MeasureCheck extends Budgeted {
  readonly kind: 'measure';
  /** In canonical spelling. */
  readonly measure: string;
  /** `all`, or the name of a slice. */
  readonly slice: string;
  readonly fail: 'interval' | 'on-point';
  readonly minQueries: number;
}

export interface CostCheck extends Budgeted {
  readonly kind: 'cost';
  readonly cost: string;
}

export type Check = MeasureCheck | CostCheck;

/** The checks of a policy; `minQueries` is for those that say nothing of it. */
export function checksIn(values: readonly unknown[], minQueries: number, source: PolicySource): readonly Check[] {
  const checks = values.map((value, i) => checkOf(value, ['checks', i], { minQueries, source }));
  const first = new Map<string, number>();
  checks.forEach((check, i) => {
    const other = first.get(identity(check));
    if (other !== undefined) {
      const fix = 'Leave one of them out, or let them differ in slice, in `fail`, or in the kind of budget.';
      throw policyError({ path: ['checks', i], what: `checks what checks[${other}] does`, fix }, source);
    }
    first.set(identity(check), i);
  });
  return checks;
}

/** What a check looks at, and by which rule; two budgets of one kind for the same would contradict each other. */
function identity(check: Check): string {
  const { direction, budget } = check;
  const what = check.kind === 'cost' ? [check.cost] : [check.measure, check.slice, check.fail];
  return JSON.stringify([check.kind, ...what, direction, budget.kind]);
}

interface Around {
  readonly minQueries: number;
  readonly source: PolicySource;
}

function checkOf(value: unknown, path: KeyPath, { minQueries, source }: Around): Check {
  const { subject, direction } = shapeOf(value, path, source);
  if (subject === 'cost') {
    const { cost, ...rest } = read(checkSchemas.cost[direction], value, { path, source });
    return { kind: 'cost', cost, direction, budget: budgetOf(rest) };
  }
  const parsed = read(checkSchemas.measure[direction], value, { path, source });
  const { measure, slice, fail, ...rest } = parsed;
  const name = measureNamed(measure, [...path, 'measure'], source);
  const budget = budgetOf(rest);
  if (budget.kind === 'absolute' && budget.value > 1 && kindOfMeasure(name)?.range === '[0, 1]') {
    throw policyError(beyondRange([...path, direction], name, budget.value), source);
  }
  return { kind: 'measure', measure: name, slice, direction, budget, fail, minQueries: rest.minQueries ?? minQueries };
}

const subjects = ['measure', 'cost'] as const;
const directions = ['drop', 'rise'] as const;
const measureOnly = ['slice', 'fail', 'minQueries'] as const;

/** Which of the four shapes a check has, by its keys, so that an error is about the shape that was meant. */
function shapeOf(value: unknown, path: KeyPath, source: PolicySource) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw policyError({ path, what: 'wants to be a map of keys and values', value, fix: example }, source);
  }
  const keys = Object.keys(value);
  const known: readonly string[] = [...subjects, ...directions, ...measureOnly];
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) throw policyError(unknownKey([...path, unknown], known), source);
  const subject = onlyOf(subjects, keys, { path, source });
  const direction = onlyOf(directions, keys, { path, source });
  const foreign = measureOnly.find((key) => subject === 'cost' && keys.includes(key));
  if (foreign === undefined) return { subject, direction };
  const fix = 'Leave it out: a cost is one number of a run, without queries.';
  throw policyError(
    { path: [...path, foreign], what: 'goes with a measure, and this check is of a cost', fix },
    source,
  );
}

const example = 'Write for example `{measure: nDCG@10, drop: 0.01}` or `{cost: bytesPerDoc, rise: 10%}`.';

function onlyOf<T extends string>(names: readonly T[], keys: readonly string[], { path, source }: Located): T {
  const [one, other] = names.filter((name) => keys.includes(name));
  if (one !== undefined && other === undefined) return one;
  const what = one === undefined ? `wants ${names.join(' or ')}` : `has both ${names.join(' and ')}, and wants one`;
  throw policyError({ path, what, fix: example }, source);
}

interface Located {
  readonly path: KeyPath;
  readonly source: PolicySource;
}

function read<S extends z.ZodType>(schema: S, value: unknown, { path, source }: Located): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [{ path: inside }] = parsed.error.issues;
  throw policyError(wrongValue([...path, ...inside.filter((key) => typeof key !== 'symbol')], source.value), source);
}

function budgetOf(check: { readonly drop: string | number } | { readonly rise: string | number }): Budget {
  const written = 'drop' in check ? check.drop : check.rise;
  if (typeof written === 'number') return { kind: 'absolute', value: written };
  return { kind: 'relative', percent: Number.parseFloat(written) };
}

/** The canonical name; the errors of a measure's name get the path of the key in front. */
function measureNamed(text: string, path: KeyPath, source: PolicySource): string {
  try {
    return meansOnly([parseMeasure(text)])[0].name;
  } catch (thrown) {
    if (!(thrown instanceof TenbinError)) throw thrown;
    const { what, value, fix } = thrown.parts;
    throw new TenbinError(thrown.code, {
      what: `${keyText(path)}: ${what}`,
      value: `${value ?? `\`${text}\``} in ${source.at(path)}`,
      fix,
      cause: thrown,
    });
  }
}

/** A check that cannot fail: most likely points of a hundred were meant. */
function beyondRange(path: KeyPath, measure: string, value: number) {
  const what = `can never be exceeded, as ${measure} lies between 0 and 1`;
  return { path, what, value, fix: `Write ${Number((value / 100).toPrecision(12))} or ${value}%.` };
}
