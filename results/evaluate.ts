import { TenbinError } from '../core/errors.js';
import { docId, type QueryId, queryId } from '../core/ids.js';
import type { Judgements, Ranking } from '../tasks/types.js';
import { parseMeasure } from './measures/parse.js';
import { type ScoreRequest, scoreRun } from './score.js';

/** Query → document → grade (qrels) or score (a run), as ir_measures and ranx take them. */
export type NumbersById = Readonly<Record<string, Readonly<Record<string, number>>>>;

export type EvaluateOptions = Pick<ScoreRequest, 'ties' | 'topics' | 'level' | 'documents' | 'precision'>;

export interface Evaluation {
  /** By the measure's canonical name; null where no query counts. Over ties the expected value. */
  readonly mean: Readonly<Record<string, number | null>>;
  /** The least and the greatest mean that an order inside the ties gives. */
  readonly range: Readonly<Record<string, { readonly min: number; readonly max: number } | null>>;
  readonly perQuery: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Topics of the qrels that the run lacks: they count with 0 unless `topics` is `retrieved`. */
  readonly missing: readonly string[];
}

/**
 * Scores a run in memory against qrels in memory. Throws `unknown-name` or `usage` for a measure, `not-finite` for a score
 * that is NaN, `malformed` for a grade that is no whole number.
 */
export function evaluate(
  qrels: NumbersById,
  run: NumbersById,
  measures: readonly string[],
  options: EvaluateOptions = {},
): Evaluation {
  const bound = [...new Map(measures.map(parseMeasure).map((measure) => [measure.name, measure])).values()];
  const scores = scoreRun({ rankings: rankingsOf(run), judged: judgementsOf(qrels), measures: bound, ...options });
  const totals = [...scores.totals];
  const columns = [...scores.values];
  return {
    mean: Object.fromEntries(totals.map(([name, value]) => [name, value === null ? null : value.expected])),
    range: Object.fromEntries(
      totals.map(([name, value]) => [name, value === null ? null : { min: value.min, max: value.max }]),
    ),
    perQuery: Object.fromEntries(
      scores.queries.map((query, row) => [
        query,
        Object.fromEntries(columns.map(([name, { expected }]) => [name, expected[row]])),
      ]),
    ),
    missing: scores.missing,
  };
}

function rankingsOf(run: NumbersById): ReadonlyMap<QueryId, Ranking> {
  return new Map(
    Object.entries(run).map(([query, scores]) => [
      queryId(query),
      { docs: Object.keys(scores).map(docId), scores: Object.values(scores) },
    ]),
  );
}

function judgementsOf(qrels: NumbersById): Judgements {
  return new Map(
    Object.entries(qrels).map(([query, grades]) => [
      queryId(query),
      new Map(Object.entries(grades).map(([doc, grade]) => [docId(doc), wholeGrade(grade, query, doc)])),
    ]),
  );
}

function wholeGrade(grade: number, query: string, doc: string): number {
  if (Number.isInteger(grade)) return grade;
  throw new TenbinError('malformed', {
    what: 'A grade is a whole number',
    value: `${grade} of document \`${doc}\` for query \`${query}\``,
    fix: 'Round it, or give it as a score of a run.',
  });
}
