import { printable } from '../core/errors.js';
import type { Candidates, NanoSet } from '../tasks/types.js';

/** What must not be in a nano-set, as sentences that name it. Any of them ends `tenbin audit` with exit code 1. */
export function auditErrors(nano: NanoSet, duplicates: readonly (readonly string[])[]): string[] {
  return [
    ...repeated(nano.docs).map((id) => `The document id ${quoted(id)} stands twice.`),
    ...repeated(nano.queries).map((id) => `The query id ${quoted(id)} stands twice.`),
    ...duplicates.map((ids) => `Documents are byte-identical: ${ids.slice(0, 5).map(quoted).join(', ')}.`),
    ...emptyTexts(nano),
    ...withoutPositive(nano).map((id) => `The query ${quoted(id)} has no relevant document.`),
    ...judgementErrors(nano),
    ...[...nano.pools].flatMap(([name, pool]) => poolErrors(name, pool, nano)),
  ];
}

function quoted(id: string): string {
  return `\`${printable(id)}\``;
}

function repeated(rows: readonly { readonly id: string }[]): string[] {
  const seen = new Set<string>();
  return rows.flatMap(({ id }) => (seen.size === seen.add(id).size ? [id] : []));
}

function emptyTexts({ docs, queries }: NanoSet): string[] {
  const empty = (kind: string, rows: readonly { readonly id: string; readonly text: string }[]) =>
    rows.filter(({ text }) => text.trim() === '').map(({ id }) => `The ${kind} ${quoted(id)} is empty.`);
  return [...empty('document', docs), ...empty('query', queries)];
}

function withoutPositive({ queries, judged }: NanoSet): string[] {
  return queries
    .filter(({ id }) => ![...(judged.get(id)?.values() ?? [])].some((grade) => grade > 0))
    .map(({ id }) => id);
}

function judgementErrors({ docs, queries, judged }: NanoSet): string[] {
  const known = { docs: idsOf(docs), queries: idsOf(queries) };
  const strangers = [
    ...[...judged.keys()].filter((query) => !known.queries.has(query)),
    ...[...judged.values()].flatMap((grades) => [...grades.keys()].filter((doc) => !known.docs.has(doc))),
  ];
  return [...new Set<string>(strangers)].map((id) => `A judgement names ${quoted(id)}, which is not there.`);
}

function idsOf(rows: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id));
}

function poolErrors(name: string, pool: ReadonlyMap<string, Candidates>, { docs, queries }: NanoSet): string[] {
  const known = idsOf(docs);
  const about = (query: string) => `Pool \`${name}\`, query ${quoted(query)}`;
  const missing = queries.filter(({ id }) => !pool.has(id)).map(({ id }) => `${about(id)}: it has no row.`);
  const rows = [...pool].flatMap(([query, row]) => [
    ...row.docs.filter((doc) => !known.has(doc)).map((doc) => `${about(query)}: ${quoted(doc)} is not there.`),
    ...(new Set(row.docs).size < row.docs.length ? [`${about(query)}: a document stands twice.`] : []),
    ...(row.scores.some((score, i) => i > 0 && score > row.scores[i - 1])
      ? [`${about(query)}: scores do not descend.`]
      : []),
    ...row.forced
      .filter((doc) => !row.docs.includes(doc))
      .map((doc) => `${about(query)}: ${quoted(doc)} is marked as forced but is not in the row.`),
  ]);
  return [...missing, ...rows];
}
