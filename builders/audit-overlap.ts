import type { Analyzer } from '../runners/system.js';
import type { Doc, NanoSet } from '../tasks/types.js';
import { comparable } from './shingles.js';

export interface VerbatimQuery {
  readonly query: string;
  /** Documents that hold the query's text as it stands (letter case and white space aside). */
  readonly docs: number;
  /** How many of them are relevant. */
  readonly positives: number;
}

export interface QueryDocumentOverlap {
  /** Mean share of a query's distinct terms that stand in that positive of it which holds most of them. */
  readonly termsInPositives: number;
  /** Mean share of a query's distinct terms that stand in any document. */
  readonly termsInCorpus: number;
  readonly verbatim: readonly VerbatimQuery[];
}

export interface Overlap {
  readonly queryDocumentOverlap: QueryDocumentOverlap;
  /** Queries that no lexical system can answer: no positive shares a term with them. */
  readonly positivesWithoutSharedTerm: readonly string[];
}

/** How far the words of queries give their documents away, by the analyzer of the task. */
export function overlapOf({ docs, queries, judged }: NanoSet, analyzer: Analyzer): Overlap {
  const asked = queries.map(({ text }) => new Set(analyzer.analyze(text)));
  const found = termsFound(docs, asked, analyzer);
  const everywhere = new Set([...found.values()].flatMap((terms) => [...terms]));
  const rows = queries.map(({ id }, i) => {
    const positives = [...(judged.get(id) ?? [])].flatMap(([doc, grade]) => (grade > 0 ? [doc] : []));
    const shares = positives.map((doc) => shareOf(asked[i], found.get(doc) ?? new Set()));
    const inPositives = shares.reduce((most, share) => Math.max(most, share), 0);
    return { id, inPositives, inCorpus: shareOf(asked[i], everywhere) };
  });
  return {
    queryDocumentOverlap: {
      termsInPositives: mean(rows.map(({ inPositives }) => inPositives)),
      termsInCorpus: mean(rows.map(({ inCorpus }) => inCorpus)),
      verbatim: verbatimQueries(docs, queries, judged),
    },
    positivesWithoutSharedTerm: rows.filter(({ inPositives }) => inPositives === 0).map(({ id }) => id),
  };
}

/** For each document, which of the terms that any query holds stand in it. */
function termsFound(docs: readonly Doc[], asked: readonly ReadonlySet<string>[], analyzer: Analyzer) {
  const wanted = new Set(asked.flatMap((terms) => [...terms]));
  const foundIn = ({ text }: Doc) => new Set(analyzer.analyze(text).filter((term) => wanted.has(term)));
  return new Map<string, ReadonlySet<string>>(docs.map((doc) => [doc.id, foundIn(doc)]));
}

function shareOf(terms: ReadonlySet<string>, among: ReadonlySet<string>): number {
  const found = [...terms].filter((term) => among.has(term)).length;
  return terms.size === 0 ? 0 : found / terms.size;
}

/** O(queries · characters), by the engine's substring search: about 1 s for 200 queries over 10 MB. */
function verbatimQueries(docs: readonly Doc[], queries: NanoSet['queries'], judged: NanoSet['judged']) {
  const texts = docs.map(({ id, text }) => ({ id, text: comparable(text) }));
  const found: VerbatimQuery[] = [];
  for (const { id, text } of queries) {
    const needle = comparable(text);
    const holders = needle === '' ? [] : texts.filter((doc) => doc.text.includes(needle));
    const positives = holders.filter((doc) => (judged.get(id)?.get(doc.id) ?? 0) > 0).length;
    if (holders.length > 0) found.push({ query: id, docs: holders.length, positives });
  }
  return found;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
