import { wordAnalyzer, wordRulesOf } from '../runners/analyzers/words.js';
import { lexicalIndexBuilder } from '../runners/families/lexical.js';
import { parseSystem } from '../runners/grammar.js';
import { cutByPlace } from '../runners/searcher.js';
import type { Analyzer, LexicalModel } from '../runners/system.js';
import type { Collection, Slot } from './collection.js';
import { lexicalSystem } from './pools.js';

export interface WholeRanking {
  readonly collection: Pick<Collection, 'queries' | 'texts'>;
  readonly analyzer: Analyzer;
  /** Positions of the queries that ask. */
  readonly queries: readonly number[];
  /** Documents wanted for each query. */
  readonly depth: number;
  /** The order of slots inside a tie. */
  readonly places: Int32Array;
}

/**
 * What BM25 ranks best for each query in the whole collection, best first; documents that match nothing are left out.
 * One streamed pass: the index holds the postings of the queries' terms and a length for each document.
 */
export async function rankWhole({ collection, analyzer, queries, depth, places }: WholeRanking): Promise<Slot[][]> {
  const asked = queries.map((query) => collection.queries[query].text);
  const slots: Slot[] = [];
  const builder = lexicalIndexBuilder(lexicalModel(), onlyTermsOf(asked, analyzer));
  for await (const { slot, text } of collection.texts()) {
    slots.push(slot);
    builder.addDocument(text);
  }
  const { index } = builder.finish(asked);
  const placesHere = Int32Array.from(slots, (slot) => places[slot]);
  const lists: Slot[][] = [];
  for (const query of queries.keys()) {
    const { docs, scores } = await index.search(query, depth);
    const end = scores.findIndex((score) => score <= 0);
    const matching = end < 0 ? { docs, scores } : { docs: docs.subarray(0, end), scores: scores.subarray(0, end) };
    lists.push([...cutByPlace(matching, depth, placesHere)].map((position) => slots[position]));
  }
  return lists;
}

/**
 * Folds every term that no query holds into one. The scores are those of the full index, since lengths and the
 * frequencies of the queries' terms stay; the postings shrink to what is asked for.
 */
function onlyTermsOf(queries: readonly string[], analyzer: Analyzer): Analyzer {
  const wanted = new Set(queries.flatMap((query) => analyzer.analyze(query)));
  const folded = (terms: readonly string[]) => terms.map((term) => (wanted.has(term) ? term : otherTerm));
  const rules = wordRulesOf(analyzer);
  if (rules === undefined) return { ...analyzer, analyze: (text) => folded(analyzer.analyze(text)) };
  return wordAnalyzer({ ...analyzer, ...rules, termsOf: (word) => folded(rules.termsOf(word)) });
}

/** No analyzer gives it. */
const otherTerm = '\0';

function lexicalModel(): LexicalModel {
  const system = parseSystem(lexicalSystem);
  if (system.kind !== 'model' || system.model.kind !== 'lexical') throw new Error(`${lexicalSystem} is not lexical.`);
  return system.model;
}
