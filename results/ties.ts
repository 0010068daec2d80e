import { TenbinError } from '../core/errors.js';
import type { DocId, QueryId } from '../core/ids.js';
import type { Ranking } from '../tasks/types.js';
import type { GradedList, TiedDocs } from './types.js';

/**
 * Puts a ranking in order and finds its tie groups: documents whose stored scores are exactly equal (-0 equals 0). Equal
 * scores keep the order in which they were given. `where` names the query, and the run if there is one, for errors.
 */
export function tiedDocs(ranking: Ranking, where: string): TiedDocs {
  refuseBrokenScores(ranking, where);
  refuseDuplicates(ranking.docs, where);
  const { docs, scores } = isDescending(ranking.scores) ? ranking : byScore(ranking);
  return { docs, groupEnds: groupEnds(scores) };
}

export function queryLabel(query: QueryId, run: string | undefined): string {
  return run === undefined ? `query \`${query}\`` : `query \`${query}\` of ${run}`;
}

function refuseBrokenScores({ docs, scores }: Ranking, where: string): void {
  if (docs.length !== scores.length) {
    throw new TenbinError('malformed', {
      what: 'A ranking needs one score per document',
      value: `${where}: ${docs.length} documents, ${scores.length} scores`,
      fix: 'Give both lists the same length.',
    });
  }
  const broken = scores.findIndex((score) => Number.isNaN(score));
  if (broken < 0) return;
  throw new TenbinError('not-finite', {
    what: 'A score is not a number (NaN), and NaN never ranks',
    value: `${where}, document \`${docs[broken]}\``,
    fix: 'Mend the system that gave it: NaN often comes from 0/0 in a normalization or from an overflow in half precision.',
  });
}

/** One document twice pushes a measure above its maximum, so it is refused, not merged. Costs one set per ranking. */
function refuseDuplicates(docs: readonly DocId[], where: string): void {
  if (new Set(docs).size === docs.length) return;
  const seen = new Set<DocId>();
  const twice = docs.find((doc) => seen.size === seen.add(doc).size);
  throw new TenbinError('malformed', {
    what: 'A document stands twice in one ranking',
    value: `${where}, document \`${twice}\``,
    fix: 'Keep one row per document and query, for example the one with the best score.',
  });
}

function isDescending(scores: readonly number[]): boolean {
  for (let i = 1; i < scores.length; i++) if (scores[i] > scores[i - 1]) return false;
  return true;
}

function byScore({ docs, scores }: Ranking): Ranking {
  // Array sort is stable, and a difference would be NaN between two infinities.
  const order = [...docs.keys()].sort((a, b) => (scores[a] > scores[b] ? -1 : scores[a] < scores[b] ? 1 : 0));
  return { docs: order.map((i) => docs[i]), scores: order.map((i) => scores[i]) };
}

function groupEnds(scores: readonly number[]): number[] {
  const ends: number[] = [];
  for (let i = 1; i < scores.length; i++) if (scores[i] !== scores[i - 1]) ends.push(i);
  if (scores.length > 0) ends.push(scores.length);
  return ends;
}

/** What the measures see of one query: the list with its grades, and all grades there are. */
export function gradedList(tied: TiedDocs, grades: ReadonlyMap<DocId, number>, level = 1): GradedList {
  return {
    grades: tied.docs.map((doc) => grades.get(doc) ?? null),
    groupEnds: tied.groupEnds,
    judged: [...grades.values()].sort((a, b) => b - a),
    level,
  };
}

/**
 * The condensed list (Sakai, SIGIR 2007; trec_eval's `-J`): unjudged and negative documents are taken out before ranks are
 * given. A group keeps its ties; a group that loses all its documents is gone. What is relevant stays what it was.
 */
export function condensed(list: GradedList): GradedList {
  const grades: number[] = [];
  const ends: number[] = [];
  let start = 0;
  for (const end of list.groupEnds) {
    const before = grades.length;
    for (let i = start; i < end; i++) {
      const grade = list.grades[i];
      if (grade !== null && grade >= 0) grades.push(grade);
    }
    if (grades.length > before) ends.push(grades.length);
    start = end;
  }
  return { ...list, grades, groupEnds: ends };
}
