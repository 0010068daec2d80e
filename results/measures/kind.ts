import { TenbinError } from '../../core/errors.js';
import { nearest } from '../../core/suggest.js';
import { condensed } from '../ties.js';
import type { Aggregate, GradedList, Measure, MeasureKind, MeasureParameters, TieValue } from '../types.js';
import type { Setting } from './settings.js';

type Settings = Readonly<Record<string, Setting<unknown>>>;
type Values<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer Value> ? Value : never };

interface Definition<S extends Settings> extends Omit<MeasureKind, 'settings' | 'bind'> {
  readonly aggregate?: Aggregate;
  /** What stands after `@`: a rank, a whole number from 1, unless said; a recall is any number from 0. */
  readonly cutoffs?: 'ranks' | 'recall';
  /** By name, in the order in which the canonical form prints them. */
  readonly settings: S;
  /** `k` is Infinity without a cut-off. */
  readonly evaluate: (list: GradedList, k: number, values: Values<S>) => TieValue;
}

/** A kind of measure from its definition: settings are checked, and the name printed, in one way for all. */
export function measureKind<S extends Settings>(definition: Definition<S>): MeasureKind {
  const { settings, evaluate, aggregate = 'mean', cutoffs = 'ranks', ...facts } = definition;
  const bind = ({ cutoff, settings: given }: MeasureParameters): Measure => {
    checkCutoff(facts, cutoff);
    const at = cutoff === null ? '' : `@${cutoffs === 'ranks' ? wholeCutoff(facts.name, cutoff) : recallText(cutoff)}`;
    const { values, printed } = readSettings(facts.name, settings, given);
    const k = cutoff ?? Number.POSITIVE_INFINITY;
    const judgedOnly = 'judged_only' in values && values.judged_only === true;
    return {
      name: canonicalName(facts.name, at, printed),
      aggregate,
      evaluate: (list) => evaluate(judgedOnly ? condensed(list) : list, k, values),
    };
  };
  const help = Object.entries(settings).map(([name, setting]) => `${name}=${setting.help}`);
  return { ...facts, settings: help, bind };
}

function checkCutoff({ name, cutoff }: Pick<MeasureKind, 'name' | 'cutoff'>, given: number | null): void {
  if (cutoff === 'required' && given === null) {
    throw new TenbinError('usage', {
      what: `The measure ${name} needs a cut-off`,
      value: `\`${name}\``,
      fix: `Write for example \`${name}@10\`.`,
    });
  }
  if (cutoff !== 'none' || given === null) return;
  throw new TenbinError('usage', {
    what: `The measure ${name} takes no cut-off`,
    value: `\`${name}@${given}\``,
    fix: `Write \`${name}\`.`,
  });
}

function wholeCutoff(name: string, cutoff: number): number {
  if (Number.isSafeInteger(cutoff) && cutoff >= 1) return cutoff;
  throw new TenbinError('usage', {
    what: `The cut-off of the measure ${name} is a whole number from 1`,
    value: `\`${name}@${cutoff}\``,
    fix: `Write for example \`${name}@10\`.`,
  });
}

/** A recall always has a point, as ir_measures prints it: `IPrec@1.0` is no cut-off at rank 1. */
function recallText(recall: number): string {
  return Number.isInteger(recall) ? recall.toFixed(1) : String(recall);
}

function readSettings<S extends Settings>(kind: string, settings: S, given: ReadonlyMap<string, string>) {
  for (const name of given.keys()) if (!Object.hasOwn(settings, name)) throw unknownSetting(kind, name, settings);
  const printed: string[] = [];
  const values = Object.entries(settings).map(([name, setting]) => {
    const text = given.get(name);
    if (text === undefined) return [name, setting.absent];
    const written = setting.parse(text);
    if (written === undefined) throw wrongSetting(`${kind}(${name}=${text})`, `${name}=${setting.help}`);
    if (written.printed !== null) printed.push(`${name}=${written.printed}`);
    return [name, written.value];
  });
  // The one place where names and types part: each value came from the setting of its name.
  return { values: Object.fromEntries(values) as Values<S>, printed };
}

function wrongSetting(value: string, help: string): TenbinError {
  return new TenbinError('usage', {
    what: 'A measure has a wrong setting',
    value: `\`${value}\``,
    fix: `Write \`${help}\`.`,
  });
}

function unknownSetting(kind: string, name: string, settings: Settings): TenbinError {
  const known = Object.keys(settings);
  const near = nearest(name, known);
  const takes = known.map((key) => `\`${key}=${settings[key].help}\``).join(', ');
  return new TenbinError('usage', {
    what: `The measure ${kind} has no setting of that name`,
    value: `\`${name}\``,
    fix: `${near === undefined ? '' : `Did you mean \`${near}\`? `}${takes === '' ? `It takes none: write \`${kind}\`.` : `It takes ${takes}.`}`,
  });
}

function canonicalName(name: string, at: string, settings: readonly string[]): string {
  return `${name}${settings.length === 0 ? '' : `(${settings.join(',')})`}${at}`;
}
