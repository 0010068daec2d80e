import { canonicalJson } from '../core/canonical.js';
import { queryId } from '../core/ids.js';
import { byCodePoint } from '../core/order.js';
import type { Query, Source, SourceQuery } from '../tasks/types.js';
import { isStorableId, normalText } from './normal-text.js';
import type { Policy } from './read-policy.js';
import { textDigest } from './text-digest.js';

export interface QueryTable {
  /** Queries that are not empty, in source order. */
  readonly queries: readonly Query[];
  readonly emptyIds: ReadonlySet<string>;
  readonly read: number;
  readonly repaired: number;
}

interface Row {
  readonly query: Query;
  readonly repaired: boolean;
}

/** Queries are kept in memory: they are short, and few collections have more than a million. */
export async function readQueries(source: Source, policy: Policy): Promise<QueryTable> {
  const rows = new Map<string, Row>();
  for await (const raw of source.queries()) {
    if (!hasStorableId(raw, policy)) continue;
    const row = rowOf(raw);
    const known = rows.get(raw.id);
    if (known !== undefined) policy.fault(repeatedId(raw));
    if (known === undefined || replaces(row.query, known.query)) rows.set(raw.id, row);
  }
  const all = [...rows.values()];
  return {
    queries: all.flatMap(({ query }) => (query.text === '' ? [] : [query])),
    emptyIds: new Set(all.flatMap(({ query }) => (query.text === '' ? [query.id] : []))),
    read: all.length,
    repaired: all.filter((row) => row.repaired).length,
  };
}

function rowOf({ id, text, meta }: SourceQuery): Row {
  const normal = normalText(text);
  const query = { id: queryId(id), text: normal.text };
  return { query: meta === undefined ? query : { ...query, meta }, repaired: normal.repaired };
}

/** As for documents: the smallest digest, and an empty query only where there is no other. */
function replaces(query: Query, known: Query): boolean {
  if (query.text === '' || known.text === '') return query.text !== '' && known.text === '';
  return byCodePoint(queryDigest(query), queryDigest(known)) < 0;
}

function queryDigest({ text, meta = {} }: Query): string {
  return textDigest(canonicalJson([text, meta]));
}

function hasStorableId({ id, at }: SourceQuery, policy: Policy): boolean {
  if (isStorableId(id)) return true;
  policy.fault({
    kind: 'droppedQueries',
    what: 'A query id is empty or not valid Unicode',
    value: id,
    at,
    fix: 'Give every query an id that UTF-8 can hold.',
  });
  return false;
}

function repeatedId({ id, at }: SourceQuery) {
  return {
    kind: 'droppedQueries',
    what: 'A query id stands twice',
    value: id,
    at,
    fix: 'Ids must be unique: rename or remove one of the two.',
  } as const;
}
