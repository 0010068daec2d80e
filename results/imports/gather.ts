import { printable, TenbinError } from '../../core/errors.js';
import { measureKinds } from '../measures/index.js';
import { parseMeasure } from '../measures/parse.js';
import { measureWrappers } from '../measures/wrappers/index.js';
import type { Measure } from '../types.js';
import type { MeasureValue } from './types.js';

/** What a file calls a measure, and the number it gives. Anything that is no number is left out. */
export type Entry = readonly [name: string, value: unknown];

export interface Gathering {
  readonly where: string;
  /** Our name of a measure of theirs, by definition and not by sound; null where there is none. */
  readonly counterpart: (name: string) => string | null;
  /** Names that the caller told apart: theirs → ours. They win. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly n: number | null;
}

interface Gathered {
  readonly measures: ReadonlyMap<string, MeasureValue>;
  readonly notes: readonly string[];
}

/**
 * The measures that have a counterpart here; the names of the others are told in notes. Throws `malformed` for a value
 * outside its measure's range and for two values of one measure.
 */
export function gather(entries: Iterable<Entry>, { where, counterpart, renamed, n }: Gathering): Gathered {
  const measures = new Map<string, MeasureValue>();
  const unknown: string[] = [];
  const undefinedOnes: string[] = [];
  for (const [name, value] of entries) {
    const measure = meanOrNull(renamed.get(name) ?? counterpart(name));
    if (measure === null || (value !== null && typeof value !== 'number')) unknown.push(name);
    else if (value === null || !Number.isFinite(value)) undefinedOnes.push(name);
    else {
      checkRange(measure.name, value, `${where}: \`${name}\` is ${value}`);
      const known = measures.get(measure.name);
      if (known !== undefined && known.value !== value) throw twoValues(measure.name, `${where}: \`${name}\``);
      measures.set(measure.name, { value, n });
    }
  }
  return {
    measures,
    notes: [...named('no counterpart here', unknown), ...named('no number in the file', undefinedOnes)],
  };
}

/** A measure of that name that is a mean over queries: sums and geometric means cannot stand on a board. */
export function meanOrNull(name: string | null): Measure | null {
  if (name === null) return null;
  try {
    const measure = parseMeasure(name);
    return measure.aggregate === 'mean' ? measure : null;
  } catch (error) {
    if (error instanceof TenbinError) return null;
    throw error;
  }
}

const shown = 5;

function named(why: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > shown ? ` and ${names.length - shown} more` : '';
  return [`left out, ${why}: ${names.slice(0, shown).map(printable).join(', ')}${more}`];
}

const ranges = new Map([...measureKinds, ...measureWrappers].map(({ name, range }) => [name, range]));
/** A mean of ones may come out an ulp above 1. */
const rounding = 1e-9;

function checkRange(measure: string, value: number, where: string): void {
  const most = ranges.get(/^[^(@]+/.exec(measure)?.[0] ?? '') === '[0, 1]' ? 1 + rounding : Number.POSITIVE_INFINITY;
  if (value >= -rounding && value <= most) return;
  throw new TenbinError('malformed', {
    what: `A value of ${measure} lies outside its range`,
    value: where,
    fix: 'Measures are between 0 and 1: divide a file in percent by 100. `--measure-as` says what a name means.',
  });
}

function twoValues(measure: string, where: string): TenbinError {
  return new TenbinError('malformed', {
    what: `There are two values of ${measure}`,
    value: where,
    fix: 'Keep one, or give one of the names another meaning with `--measure-as`.',
  });
}
