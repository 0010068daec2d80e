import type { DocId } from '../core/ids.js';

/**
 * One query's list as a measure sees it: grades in rank order, cut into tie groups. A document's grade is `null` when
 * it is unjudged; negative grades are TREC's "in the pool, unjudged". Both are non-relevant and gain nothing.
 */
export interface GradedList {
  readonly grades: readonly (number | null)[];
  /** Exclusive ends of the tie groups: [1, 4] is one document, then three tied ones. */
  readonly groupEnds: readonly number[];
  /** Grades of every judged document of the query, retrieved or not, in descending order. */
  readonly judged: readonly number[];
  /** The grade from which a document counts as relevant, for measures that name no level of their own. */
  readonly level: number;
}

/** A ranking put in order: scores descending, equal scores cut into groups (ends exclusive). */
export interface TiedDocs {
  readonly docs: readonly DocId[];
  readonly groupEnds: readonly number[];
}

/** A measure over all orders inside the tie groups: mean under a uniform random order, and both extremes. */
export interface TieValue {
  readonly expected: number;
  readonly min: number;
  readonly max: number;
}

/**
 * An example that is documentation and test at once. `list` is the notation of `measures/notation.ts`:
 * `1 (0 2) - / 3` is a document of grade 1, two tied ones, an unjudged one, and one of grade 3 that was not retrieved.
 */
export interface WorkedExample {
  readonly what: string;
  readonly measure: string;
  readonly list: string;
  /** One number where every order inside the ties gives it. */
  readonly value: number | TieValue;
}

/** How the values of the queries become the one value of a run. */
export type Aggregate = 'mean' | 'sum' | 'geometric-mean';

/** A measure is a value whose printed form is its identity, in the spelling of ir_measures: `nDCG@10`, `P(rel=2)@5`. */
export interface Measure {
  readonly name: string;
  readonly aggregate: Aggregate;
  readonly evaluate: (list: GradedList) => TieValue;
}

export interface MeasureKind {
  /** The base name: `nDCG`. */
  readonly name: string;
  /** Other base names that people type; case, `_` and `-` make no difference. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly range: '[0, 1]' | '[0, ∞)';
  /** `less` where a smaller value is the better one; `more` when nothing is said. */
  readonly better?: 'more' | 'less';
  /** Paper or program that defines it. */
  readonly source: string;
  readonly cutoff: 'required' | 'optional' | 'none';
  /** What may stand in parentheses, as help: `dcg='log2'|'exp-log2'`. */
  readonly settings: readonly string[];
  readonly examples: readonly WorkedExample[];
  /** Throws `usage` with a fix for a wrong cut-off or setting. */
  readonly bind: (parameters: MeasureParameters) => Measure;
}

export interface MeasureParameters {
  /** The cut-off after `@`, or null. */
  readonly cutoff: number | null;
  /** What stands in parentheses, quotes taken off. */
  readonly settings: ReadonlyMap<string, string>;
}

/** A measure of many queries, in columns: three arrays in one order of the queries. No value is NaN. */
export interface TieColumns {
  readonly expected: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
}
