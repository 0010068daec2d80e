import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type DocId, docId } from '../../core/ids.js';
import type { TieValue } from '../../results/types.js';

const folder = join(import.meta.dirname, '..', 'golden');

export function goldenBytes(path: string): Uint8Array {
  return readFileSync(join(folder, path));
}

/** A golden JSON file that is kept under gzip. */
export function golden<T>(path: string): T {
  return JSON.parse(gunzipSync(goldenBytes(`${path}.gz`)).toString('utf8')) as T;
}

/** A document as the fixtures write it; a grade of null is unjudged. */
export interface GoldenDoc {
  readonly id: string;
  readonly score: number;
  readonly grade: number | null;
}

export function rankingOf(docs: readonly GoldenDoc[]) {
  return { docs: docs.map(({ id }) => docId(id)), scores: docs.map(({ score }) => score) };
}

/** Grades of the documents, and of others that were judged and not retrieved. */
export function gradesOf(docs: readonly GoldenDoc[], extra: readonly number[]): ReadonlyMap<DocId, number> {
  const retrieved = docs.flatMap(({ id, grade }): [DocId, number][] => (grade === null ? [] : [[docId(id), grade]]));
  return new Map([...retrieved, ...extra.map((grade, i): [DocId, number] => [docId(`extra ${i}`), grade])]);
}

export function worstDifference(a: TieValue, b: TieValue): number {
  return Math.max(Math.abs(a.expected - b.expected), Math.abs(a.min - b.min), Math.abs(a.max - b.max));
}
