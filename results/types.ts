/**
 * One query's list as a measure sees it: grades in rank order, cut into tie groups. A document's grade is `null` when
 * it is unjudged; negative grades are TREC's "in the pool, unjudged".
 */
export interface GradedList {
  readonly grades: readonly (number | null)[];
  /** Exclusive ends of the tie groups: [1, 4] is one document, then three tied ones. */
  readonly groupEnds: readonly number[];
  /** Grades of every judged document of the query, retrieved or not, in descending order. */
  readonly judged: readonly number[];
}

/** A measure over all orders inside the tie groups: mean under a uniform random order, and both extremes. */
export interface TieValue {
  readonly expected: number;
  readonly min: number;
  readonly max: number;
}

export interface WorkedExample {
  readonly what: string;
  readonly list: GradedList;
  /** The parameters as they stand in the name: `@10`, `(rel=2)@5`. */
  readonly measure: string;
  readonly value: TieValue;
}

/** A measure is a value whose printed form is its identity, in the spelling of ir_measures: `nDCG@10`, `P(rel=2)@5`. */
export interface Measure {
  readonly name: string;
  readonly evaluate: (list: GradedList) => TieValue;
}

export interface MeasureKind {
  /** The base name: `nDCG`. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  /** Smallest and largest value, for the listing: `[0, 1]`. */
  readonly range: string;
  /** Paper or program that defines it, with its section. */
  readonly source: string;
  readonly examples: readonly WorkedExample[];
  readonly bind: (parameters: MeasureParameters) => Measure;
}

export interface MeasureParameters {
  /** The cut-off after `@`, or null. */
  readonly cutoff: number | null;
  /** What stands in parentheses. */
  readonly settings: ReadonlyMap<string, string>;
}
