import type { GradedList } from '../types.js';

/** A setting of a measure, as it stands in parentheses: `dcg='exp-log2'`. */
export interface Setting<Value> {
  /** What may be written after `=`. */
  readonly help: string;
  /** Undefined for a text that is none of them. */
  readonly parse: (text: string) => Written<Value> | undefined;
  /** The value when nothing is said. */
  readonly absent: Value;
}

interface Written<Value> {
  readonly value: Value;
  /** The canonical text; null where it is left out because it is what holds anyway. */
  readonly printed: string | null;
}

/** One of several words; the first is what holds when nothing is said, and is left out of the canonical form. */
export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words): Setting<Words[number]> {
  const parse = (text: string): Written<Words[number]> | undefined => {
    const value = words.find((word) => word === text);
    return value === undefined ? undefined : { value, printed: value === words[0] ? null : `'${value}'` };
  };
  return { help: words.map((word) => `'${word}'`).join('|'), parse, absent: words[0] };
}

/**
 * The lowest relevant grade, as ir_measures' `rel`. A level that is written down stays in the name even where it is 1:
 * `P(rel=1)@5` keeps its level under `-l 2`, and `P@5` does not, so they are two measures.
 */
const rel: Setting<number | null> = {
  help: '2',
  parse: (text) => (/^\d{1,9}$/.test(text) ? { value: Number(text), printed: String(Number(text)) } : undefined),
  absent: null,
};

/** ir_measures' `judged_only`: unjudged documents are taken out before ranks are given. Python's spelling of true. */
export const judgedOnly: Setting<boolean> = {
  help: 'True',
  parse: (text) => {
    if (/^true$/i.test(text)) return { value: true, printed: 'True' };
    return /^false$/i.test(text) ? { value: false, printed: null } : undefined;
  },
  absent: false,
};

/** A number above 0; what holds when nothing is said is left out of the name. */
export function positive(absent: number): Setting<number> {
  const parse = (text: string): Written<number> | undefined => {
    const value = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
    if (value <= 0) return undefined;
    return { value, printed: value === absent ? null : String(value) };
  };
  return { help: '2', parse, absent };
}

/** RBP's p, between 0 and 1. It always stands in the name, as in ir_measures: `RBP(p=0.8)`. */
export const persistence: Setting<number> = {
  help: '0.8',
  parse: (text) => {
    const value = /^0?\.\d{1,9}$/.test(text) ? Number(text) : 0;
    return value > 0 && value < 1 ? { value, printed: String(value) } : undefined;
  },
  absent: 0.8,
};

/** The highest grade of ERR's scale; gdeval's 4 is left out of the name. */
export const highestGrade: Setting<number> = {
  help: '3',
  parse: (text) => {
    if (!/^[1-9]\d?$/.test(text)) return undefined;
    return { value: Number(text), printed: text === '4' ? null : text };
  },
  absent: 4,
};

/** Settings of measures that see gains, and of those that see relevant or not. */
export const graded = { judged_only: judgedOnly };
export const binary = { rel, judged_only: judgedOnly };
export const level = { rel };

/** The level that holds: the measure's own, else the one that the list is looked at with. */
export function levelOf(list: GradedList, { rel: own }: { readonly rel: number | null }): number {
  return own ?? list.level;
}
