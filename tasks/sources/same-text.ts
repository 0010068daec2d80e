import type { SourceQrel, SourceQuery } from '../types.js';

/**
 * Judgements of a collection in which query and document of one id belong together. Where several queries read the
 * same, nobody can tell which one is meant: each of them gets the documents of all.
 */
export function qrelsOfSameText(queries: readonly SourceQuery[]): SourceQrel[] {
  const idsByText = new Map<string, string[]>();
  for (const { id, text } of queries) {
    const ids = idsByText.get(text);
    if (ids === undefined) idsByText.set(text, [id]);
    else ids.push(id);
  }
  return queries.flatMap(({ id, text, at }) =>
    (idsByText.get(text) ?? []).map((doc) => ({ query: id, doc, grade: '1', at })),
  );
}
