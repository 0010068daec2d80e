import type { Slot } from '../collection.js';
import type { Sample } from './sampler.js';

export interface FillRequest {
  /** Positions of the chosen queries, in the order in which they take turns. */
  readonly queries: readonly number[];
  readonly judged: readonly ReadonlyMap<Slot, number>[];
  readonly limit: number;
  /** For each query, its judged documents that are not relevant, in the order to take them. */
  readonly negatives: readonly (readonly Slot[])[];
  /** What fills the rest, in order; asked for only when there is room. */
  readonly rest: () => AsyncIterable<Slot>;
}

/** Positives of every query, then judged negatives, then the rest up to the limit. Positives are never left out. */
export async function fill({ queries, judged, limit, negatives, rest }: FillRequest): Promise<Sample> {
  const docs = new Set<Slot>(queries.flatMap((query) => positivesOf(judged[query])));
  const notes = docs.size > limit ? [gaveWay(docs.size, limit)] : [];
  takeUpTo(limit, docs, roundRobin(negatives));
  const leftOut = new Set(negatives.flat().filter((slot) => !docs.has(slot))).size;
  if (leftOut > 0) notes.push(noRoom(leftOut));
  if (docs.size < limit) {
    for await (const slot of rest()) {
      docs.add(slot);
      if (docs.size >= limit) break;
    }
  }
  return { queries, docs, notes };
}

function takeUpTo(limit: number, docs: Set<Slot>, slots: Iterable<Slot>): void {
  for (const slot of slots) {
    if (docs.size >= limit) return;
    docs.add(slot);
  }
}

/** The first of every list, then the second of every list, and so on. */
export function* roundRobin<T>(lists: readonly (readonly T[])[]): Generator<T> {
  const longest = lists.reduce((max, { length }) => Math.max(max, length), 0);
  for (let turn = 0; turn < longest; turn++) {
    for (const list of lists) if (turn < list.length) yield list[turn];
  }
}

export function positivesOf(grades: ReadonlyMap<Slot, number>): Slot[] {
  return [...grades].flatMap(([slot, grade]) => (grade > 0 ? [slot] : []));
}

export function negativesOf(grades: ReadonlyMap<Slot, number>): Slot[] {
  return [...grades].flatMap(([slot, grade]) => (grade > 0 ? [] : [slot]));
}

/** Positions of the queries that have a positive. */
export function answerable(judged: readonly ReadonlyMap<Slot, number>[]): number[] {
  return [...judged.keys()].filter((query) => positivesOf(judged[query]).length > 0);
}

function gaveWay(positives: number, limit: number): string {
  return `The chosen queries have ${positives} relevant documents, more than the limit of ${limit}: the limit gave way.`;
}

function noRoom(documents: number): string {
  return `${documents} documents judged not relevant found no room under the limit; their judgements are left out.`;
}
