import { docId, type QueryId, queryId } from '../../core/ids.js';
import type { Judgements, Pool, Ranking } from '../../tasks/types.js';

type Scored = readonly (readonly [doc: string, score: number])[];

export function rankings(lists: Readonly<Record<string, Scored>>): ReadonlyMap<QueryId, Ranking> {
  return new Map(
    Object.entries(lists).map(([query, rows]) => [
      queryId(query),
      { docs: rows.map(([doc]) => docId(doc)), scores: rows.map(([, score]) => score) },
    ]),
  );
}

/** Lists of ids, best first; those with `!` before them are forced. */
export function poolOf(lists: Readonly<Record<string, string>>): Pool {
  return new Map(
    Object.entries(lists).map(([query, text]) => {
      const words = text.split(' ').filter((word) => word !== '');
      const docs = words.map((word) => docId(word.replace('!', '')));
      const forced = docs.filter((_, i) => words[i].startsWith('!'));
      return [queryId(query), { docs, scores: docs.map((_, i) => docs.length - i), forced }];
    }),
  );
}

export function judgedOf(grades: Readonly<Record<string, Readonly<Record<string, number>>>>): Judgements {
  return new Map(
    Object.entries(grades).map(([query, docs]) => [
      queryId(query),
      new Map(Object.entries(docs).map(([doc, grade]) => [docId(doc), grade])),
    ]),
  );
}
