import bm25 from 'wink-bm25-text-search';
import { TenbinError } from '../../core/errors.js';
import { selectTop } from '../kernels/top-k.js';
import type { Analyzer, Hits, Index, Texts } from '../system.js';

export interface WinkParameters {
  readonly k1: number;
  readonly b: number;
}

type Engine = ReturnType<typeof bm25>;

/** wink-bm25-text-search rounds each weight to 4 decimals unless told otherwise; 9 is the finest that it takes. */
const decimals = 9;
const leastDocuments = 3;

/**
 * The texts in wink-bm25-text-search, with our terms as its words: (k1 + 1)·tf / (tf + k1·B) times Lucene's idf. It is
 * asked for all that match, because its limit cuts inside ties and its order inside one is that of the query's words;
 * the selection is ours. A document that it gives no score has 0.
 */
export function winkIndex(texts: Texts, analyzer: Analyzer, parameters: WinkParameters): Index {
  const docCount = texts.docs.length;
  if (docCount < leastDocuments) throw tooFew(docCount);
  const engine = filledEngine(texts.docs, analyzer, parameters);
  const { postings, bytes, bytesPerDoc } = sizes(engine, docCount);
  const scores = new Float64Array(docCount);
  const search = (query: number, k: number, among?: Int32Array): Hits => {
    const text = texts.queries[query];
    const found = engine.search(text, docCount);
    const candidates = among ?? Int32Array.from(found, ([id]) => Number(id));
    scores.fill(0);
    for (const [id, score] of found) scores[Number(id)] = score;
    const read = analyzer.analyze(text).reduce((sum, term) => sum + (postings.get(term) ?? 0), 0);
    return { ...selectTop(scores, candidates, candidates.length, k), work: { postings: read } };
  };
  return { bytes, bytesPerDoc, search };
}

function filledEngine(docs: readonly string[], analyzer: Analyzer, { k1, b }: WinkParameters): Engine {
  const engine = bm25();
  // The order of these calls is the engine's; k 1 makes its idf Lucene's.
  engine.defineConfig({ fldWeights: { text: 1 }, bm25Params: { k1, b, k: 1 } });
  engine.definePrepTasks([(text) => analyzer.analyze(text)]);
  docs.forEach((text, position) => {
    engine.addDoc({ text }, position);
  });
  engine.consolidate(decimals);
  return engine;
}

/**
 * Postings of each term, and bytes of the state as its JSON export has it: objects in memory take more, which cannot be
 * counted from here. A document's share is its own weights and its number in the list of each of its terms.
 */
function sizes(engine: Engine, docCount: number) {
  const documents = engine.getDocs();
  const tokens = engine.getTokens();
  const counts = new Map<string, number>();
  let perDoc = 0;
  for (const [id, document] of Object.entries(documents)) {
    const terms = Object.keys(document.freq);
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    perDoc += id.length + 4 + Buffer.byteLength(JSON.stringify(document)) + terms.length * (id.length + 1);
  }
  const postings = new Map(Object.entries(tokens).map(([term, number]) => [term, counts.get(String(number)) ?? 0]));
  const bytes = perDoc + Buffer.byteLength(JSON.stringify(tokens)) + 2 * postings.size;
  return { postings, bytes, bytesPerDoc: perDoc / docCount };
}

function tooFew(docCount: number): TenbinError {
  return new TenbinError('refused', {
    what: `wink-bm25-text-search wants at least ${leastDocuments} documents`,
    value: String(docCount),
    fix: 'Use `bm25`, which ranks the same.',
  });
}
