import type { Source, SourceQrel } from '../tasks/types.js';
import type { Slot } from './collection.js';
import type { DocTable } from './read-docs.js';
import type { Fault, Policy } from './read-policy.js';
import type { QueryTable } from './read-queries.js';

export interface QrelTable {
  /** Grades by slot for each query of the table, by its position. */
  readonly judged: readonly ReadonlyMap<Slot, number>[];
  readonly read: number;
  readonly merged: number;
  readonly ofEmptyDocs: number;
  readonly ofEmptyQueries: number;
}

export interface QrelRequest {
  readonly source: Source;
  readonly docs: DocTable;
  readonly queries: QueryTable;
  readonly policy: Policy;
}

/** Judgements as they stand, by query id, then document id: duplicates are told before documents collapse. */
type RawGrades = ReadonlyMap<string, Map<string, number>>;

/** Reads the judgements against the ids that are there. A judgement made twice is a fault; the highest grade stays. */
export async function readQrels({ source, docs, queries, policy }: QrelRequest): Promise<QrelTable> {
  const raw = new Map<string, Map<string, number>>([
    ...queries.queries.map(({ id }): [string, Map<string, number>] => [id, new Map()]),
    ...[...queries.emptyIds].map((id): [string, Map<string, number>] => [id, new Map()]),
  ]);
  for await (const row of source.qrels()) {
    const grades = raw.get(row.query);
    const grade = parseGrade(row.grade);
    const wrong = faultOf(row, grade, grades, docs);
    if (wrong !== null) policy.fault(wrong.fault);
    if (grades === undefined || wrong?.drops === 'row') continue;
    grades.set(row.doc, Math.max(grade, grades.get(row.doc) ?? grade));
  }
  return resolve(raw, docs, queries);
}

/** Whole numbers that fit int32, the type of the column they are stored in; NaN for anything else. */
function parseGrade(text: string): number {
  const grade = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return grade === (grade | 0) ? grade | 0 : Number.NaN;
}

interface QrelFault {
  readonly fault: Fault;
  /** Of two judgements of one pair the one with the higher grade stays, whichever comes first. */
  readonly drops: 'row' | 'lower grade';
}

function faultOf(
  row: SourceQrel,
  grade: number,
  grades: ReadonlyMap<string, number> | undefined,
  docs: DocTable,
): QrelFault | null {
  const fault = (what: string, value: string, fix: string): Fault => ({
    kind: 'droppedQrels',
    what,
    value,
    at: row.at,
    fix,
  });
  if (Number.isNaN(grade)) {
    const fix = 'Write grades as 0, 1, 2, …, where 0 is not relevant.';
    return { fault: fault('A grade is not a whole number', row.grade, fix), drops: 'row' };
  }
  if (grades === undefined) {
    const fix = 'Add the query or remove the row.';
    return { fault: fault('A judgement names a query that is not there', row.query, fix), drops: 'row' };
  }
  if (!docs.slotOf.has(row.doc) && !docs.emptyIds.has(row.doc)) {
    const fix = 'Add the document or remove the row.';
    return { fault: fault('A judgement names a document that is not there', row.doc, fix), drops: 'row' };
  }
  if (!grades.has(row.doc)) return null;
  const fix = 'Remove one of the two rows.';
  return { fault: fault('A document is judged twice for one query', row.doc, fix), drops: 'lower grade' };
}

/** Judgements of what stays, by position and slot. */
function resolve(raw: RawGrades, docs: DocTable, { queries, emptyIds }: QueryTable): QrelTable {
  const judged = queries.map(({ id }) => bySlot(raw.get(id), docs));
  const read = sumOf([...raw.values()], ({ size }) => size);
  const ofEmptyQueries = sumOf([...emptyIds], (id) => raw.get(id)?.size ?? 0);
  const ofEmptyDocs = sumOf(queries, ({ id }) => emptyDocsAmong(raw.get(id), docs));
  const resolved = sumOf(judged, ({ size }) => size);
  return { judged, read, ofEmptyDocs, ofEmptyQueries, merged: read - ofEmptyQueries - ofEmptyDocs - resolved };
}

/** Documents that collapsed into one keep their highest grade. */
function bySlot(grades: ReadonlyMap<string, number> | undefined, docs: DocTable): Map<Slot, number> {
  const judged = new Map<Slot, number>();
  for (const [id, grade] of grades ?? []) {
    const slot = docs.slotOf.get(id);
    if (slot !== undefined) judged.set(slot, Math.max(grade, judged.get(slot) ?? grade));
  }
  return judged;
}

function emptyDocsAmong(grades: ReadonlyMap<string, number> | undefined, docs: DocTable): number {
  return [...(grades?.keys() ?? [])].filter((id) => docs.emptyIds.has(id)).length;
}

function sumOf<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0);
}
