import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Texts } from '../../runners/system.js';
import { collections, prepare, scoresOf } from './collections.js';

/** What a formula is made of, counted from the words themselves. */
interface Counts {
  readonly N: number;
  readonly df: number;
  /** Occurrences in the collection, and of all terms. */
  readonly cf: number;
  readonly C: number;
  readonly tf: number;
  /** Length of the document and the mean. */
  readonly L: number;
  readonly A: number;
}

const words = (text: string) => text.split(' ').filter((word) => word !== '');

function countsOf(docs: readonly string[], doc: string, term: string): Counts {
  const lists = docs.map(words);
  const times = (list: readonly string[]) => list.filter((word) => word === term).length;
  const C = lists.reduce((sum, list) => sum + list.length, 0);
  return {
    N: docs.length,
    df: lists.filter((list) => list.includes(term)).length,
    cf: lists.reduce((sum, list) => sum + times(list), 0),
    C,
    tf: times(words(doc)),
    L: words(doc).length,
    A: C / docs.length,
  };
}

type Formula = (counts: Counts) => number;
const length = ({ L, A }: Counts, b: number) => 1 - b + (b * L) / A;
const saturated = (counts: Counts, k1: number, b: number) => counts.tf / (counts.tf + k1 * length(counts, b));

/** Each scoring as its paper has it, for one matching query term. */
const formulas: Readonly<Record<string, Formula>> = {
  bm25: (c) => Math.log(1 + (c.N - c.df + 0.5) / (c.df + 0.5)) * saturated(c, 1.2, 0.75),
  'bm25@k1=0.9,b=0.4': (c) => Math.log(1 + (c.N - c.df + 0.5) / (c.df + 0.5)) * saturated(c, 0.9, 0.4),
  'bm25@k1=0,b=1': (c) => Math.log(1 + (c.N - c.df + 0.5) / (c.df + 0.5)),
  'bm25@scoring=robertson': (c) => Math.max(0, Math.log((c.N - c.df + 0.5) / (c.df + 0.5))) * saturated(c, 1.2, 0.75),
  'bm25@scoring=atire': (c) => Math.log(c.N / c.df) * (1.2 + 1) * saturated(c, 1.2, 0.75),
  'bm25@scoring=bm25+': (c) => Math.log((c.N + 1) / c.df) * ((1.2 + 1) * saturated(c, 1.2, 0.75) + 1),
  'bm25@scoring=bm25+,delta=0.25': (c) => Math.log((c.N + 1) / c.df) * ((1.2 + 1) * saturated(c, 1.2, 0.75) + 0.25),
  'bm25@scoring=bm25l': (c) => {
    const normalized = c.tf / length(c, 0.75);
    return Math.log((c.N + 1) / (c.df + 0.5)) * (((1.2 + 1) * (normalized + 0.5)) / (1.2 + normalized + 0.5));
  },
};

function naiveSum(formula: Formula, docs: readonly string[], doc: string, query: string): number {
  const matching = words(query).filter((term) => words(doc).includes(term));
  return matching.reduce((sum, term) => sum + formula(countsOf(docs, doc, term)), 0);
}

/** The likelihood itself, ln Π p(t|d), less the part that no document changes: ln Π mu·p(t|C) / mu. */
function naiveLikelihood(mu: number, docs: readonly string[], doc: string, query: string): number {
  const held = words(query).filter((term) => docs.some((other) => words(other).includes(term)));
  return held.reduce((sum, term) => {
    const { tf, L, cf, C } = countsOf(docs, doc, term);
    return sum + Math.log((tf + (mu * cf) / C) / (L + mu)) - Math.log(cf / C);
  }, 0);
}

function naiveCosine(docs: readonly string[], doc: string, query: string): number {
  const terms = [...new Set(docs.flatMap(words))];
  const vector = (text: string) =>
    terms.map((term) => {
      const tf = words(text).filter((word) => word === term).length;
      const { N, df } = countsOf(docs, doc, term);
      return tf === 0 ? 0 : (1 + Math.log(tf)) * Math.log(N / df);
    });
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const [d, q] = [vector(doc), vector(query)];
  const norms = Math.sqrt(dot(d, d)) * Math.sqrt(dot(q, q));
  return norms === 0 ? 0 : dot(d, q) / norms;
}

type Oracle = (docs: readonly string[], doc: string, query: string) => number;
const oracles: readonly (readonly [string, Oracle])[] = [
  ...Object.entries(formulas).map(
    ([id, formula]) => [id, (...at: Parameters<Oracle>) => naiveSum(formula, ...at)] as const,
  ),
  ['ql-dirichlet', (...at) => naiveLikelihood(2000, ...at)],
  ['ql-dirichlet@mu=10', (...at) => naiveLikelihood(10, ...at)],
  ['tf-idf', naiveCosine],
];

const near = (actual: number, expected: number) =>
  Math.abs(actual - expected) <= 1e-12 * Math.max(1, Math.abs(expected));

describe.each(oracles)('%s', (system, oracle) => {
  it('scores as its formula says', async () => {
    await fc.assert(
      fc.asyncProperty(collections, async (texts: Texts) => {
        const scores = await scoresOf(await prepare(system, texts), texts);
        texts.queries.forEach((query, q) => {
          texts.docs.forEach((doc, d) => {
            const expected = oracle(texts.docs, doc, query);
            if (!near(scores[q][d], expected)) expect(scores[q][d], `"${query}" in "${doc}"`).toBe(expected);
          });
        });
      }),
    );
  });

  it('gives the same bits in any order of the documents', async () => {
    const shuffled = collections.chain((texts) =>
      fc.record({
        texts: fc.constant(texts),
        order: fc.shuffledSubarray([...texts.docs.keys()], { minLength: texts.docs.length }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ({ texts, order }) => {
        const other = { ...texts, docs: order.map((doc) => texts.docs[doc]) };
        const [before, after] = [await prepare(system, texts), await prepare(system, other)];
        const [scores, moved] = [await scoresOf(before, texts), await scoresOf(after, other)];
        expect(moved).toEqual(scores.map((row) => order.map((doc) => row[doc])));
      }),
    );
  });
});

it('gives the value that a hand gets', async () => {
  // Three documents of 3, 4 and 5 words: mean length 4. The query's "cat" is in two of them, once in the first.
  // idf = ln(1 + (3 - 2 + 0.5) / (2 + 0.5)) = ln 1.6 = 0.470003629…
  // tf part = 1 / (1 + 1.2 · (0.25 + 0.75 · 3/4)) = 1 / (1 + 1.2 · 0.8125) = 1 / 1.975 = 0.506329113…
  // score = 0.470003629 · 0.506329113 = 0.237976521…
  const texts = { docs: ['the cat sat', 'a dog and cat', 'dogs run in the park'], queries: ['cat', 'cat cat'] };
  const scores = await scoresOf(await prepare('bm25', texts), texts);
  expect(scores[0][0]).toBeCloseTo(0.2379765214, 9);
  expect(scores[0][2]).toBe(0);
  expect(scores[1][0]).toBe(2 * scores[0][0]);
});
