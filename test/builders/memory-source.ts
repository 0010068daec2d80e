import { digestOf } from '../../core/digest.js';
import type { Source, SourceDoc, SourceFacts, SourceQuery } from '../../tasks/types.js';

export interface MemoryRows {
  /** Id, body, and a title where there is one. */
  readonly docs: readonly (readonly [id: string, text: string, title?: string])[];
  readonly queries: readonly (readonly [id: string, text: string])[];
  readonly qrels: readonly (readonly [query: string, doc: string, grade: string | number])[];
  readonly facts?: Partial<SourceFacts>;
  readonly meta?: ReadonlyMap<string, SourceQuery['meta']>;
}

const facts: SourceFacts = {
  title: 'Memory',
  licence: 'MIT',
  attribution: 'Nobody, 2026.',
  citation: '',
  language: 'en',
  domain: 'test',
};

/** A collection in memory that says where each row stands, and whose revision does not show their order. */
export function memorySource(rows: MemoryRows): Source {
  const { docs, queries, qrels, meta } = rows;
  return {
    id: 'memory:test',
    facts: { ...facts, ...rows.facts },
    revision: async () => digestOf([docs, queries, qrels].map((part) => part.map((row) => JSON.stringify(row)).sort())),
    docs: () =>
      stream(docs, ([id, text, title = ''], at): SourceDoc => ({ id, text, title, at: `corpus.jsonl:${at}` })),
    queries: () =>
      stream(queries, ([id, text], at): SourceQuery => {
        const facts = meta?.get(id);
        return { id, text, at: `queries.jsonl:${at}`, ...(facts === undefined ? {} : { meta: facts }) };
      }),
    qrels: () =>
      stream(qrels, ([query, doc, grade], at) => ({ query, doc, grade: String(grade), at: `qrels.tsv:${at}` })),
  };
}

async function* stream<T, Row>(rows: readonly T[], make: (row: T, line: number) => Row): AsyncGenerator<Row> {
  for (const [i, row] of rows.entries()) yield make(row, i + 1);
}

const words = 'amber basalt cedar dune ember fjord grove harbor inlet jade kelp lagoon mesa nectar opal pine'.split(
  ' ',
);

/** A collection with n documents of 4 to 9 words each, one query per three documents, and graded judgements. */
export function wordCollection(n: number, seed = 1): MemoryRows {
  const pick = (i: number, salt: number) =>
    words[(i * 7919 + salt * 104729 + seed * 31 + ((i * salt) % 13)) % words.length];
  const text = (i: number, length: number) => Array.from({ length }, (_, j) => pick(i + j * 3, j + 1)).join(' ');
  const docs = Array.from({ length: n }, (_, i) => [`d${i}`, `${text(i, 4 + (i % 6))} number${i}`] as const);
  const queries = Array.from({ length: Math.ceil(n / 3) }, (_, i) => [`q${i}`, text(i * 3, 3)] as const);
  const qrels = queries.flatMap(([id], i) => [
    [id, `d${i * 3}`, 2] as const,
    [id, `d${(i * 5 + 1) % n}`, i % 2] as const,
    [id, `d${(i * 7 + 2) % n}`, 0] as const,
  ]);
  const unique = new Map(qrels.map((row) => [`${row[0]} ${row[1]}`, row]));
  return { docs, queries, qrels: [...unique.values()] };
}

/** The same rows in another order, by a fixed permutation. */
export function shuffled(rows: MemoryRows, step = 7): MemoryRows {
  const mix = <T>(items: readonly T[]) =>
    items
      .map((item, i) => ({ item, key: (i * 2654435761 * step) % 4294967291 }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  return { ...rows, docs: mix(rows.docs), queries: mix(rows.queries), qrels: mix(rows.qrels) };
}
