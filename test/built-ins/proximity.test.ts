import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzers } from '../../runners/analyzers/index.js';
import { models } from '../../runners/models/index.js';
import { proximity } from '../../runners/models/proximity.js';
import { proximityScorer } from '../../runners/models/proximity-score.js';
import type { Texts } from '../../runners/system.js';
import { prepare, ranked } from './collection.js';

const model = proximity.bind(undefined);

/** The paper's sums, from the positions of the query's terms in order. */
function oracle({ docs, queries }: Texts, query: number, doc: number, k1 = 1.2, b = 0.75): number {
  const words = (text: string) => text.split(' ').filter((word) => word !== '');
  const lists = docs.map(words);
  const average = lists.reduce((sum, list) => sum + list.length, 0) / lists.length;
  const asked = words(queries[query]).filter((word) => lists.some((list) => list.includes(word)));
  const weight = (word: string) => Math.log(lists.length / lists.filter((list) => list.includes(word)).length);
  const list = lists[doc];
  const K = k1 * (1 - b + (b * list.length) / average);
  const hits = [...list.entries()].filter(([, word]) => asked.includes(word));
  const acc = (word: string) =>
    hits.slice(1).reduce((sum, [at, here], i) => {
      const [before, there] = hits[i];
      if (here === there || (here !== word && there !== word)) return sum;
      return sum + weight(here === word ? there : here) / (at - before) ** 2;
    }, 0);
  return asked.reduce((sum, word) => {
    const frequency = list.filter((other) => other === word).length;
    const near = acc(word);
    return (
      sum +
      (frequency === 0 ? 0 : (weight(word) * frequency * (k1 + 1)) / (frequency + K)) +
      (near === 0 ? 0 : (Math.min(1, weight(word)) * near * (k1 + 1)) / (near + K))
    );
  }, 0);
}

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const collections = fc.record({
  docs: fc.array(
    fc.array(word, { maxLength: 14 }).map((words) => words.join(' ')),
    { minLength: 1, maxLength: 8 },
  ),
  queries: fc.array(
    fc
      .array(fc.oneof({ weight: 5, arbitrary: word }, fc.constant('nowhere')), { maxLength: 5 })
      .map((words) => words.join(' ')),
    { minLength: 1, maxLength: 3 },
  ),
});

describe('the formula of Büttcher, Clarke and Lushman', () => {
  it('is what is scored', async () => {
    await fc.assert(
      fc.asyncProperty(collections, async (texts) => {
        const prepared = await prepare(model, texts);
        for (const query of texts.queries.keys()) {
          const hits = await ranked(prepared, query, 100, Int32Array.from(texts.docs.keys()));
          hits.docs.forEach((doc, i) => void expect(hits.scores[i]).toBeCloseTo(oracle(texts, query, doc), 9));
        }
      }),
    );
  });

  it('worked by hand: two terms of weight ln 2 at distance 2', () => {
    const query = {
      terms: Int32Array.of(7, 9),
      counts: Float64Array.of(1, 1),
      weights: Float64Array.of(Math.LN2, Math.LN2),
    };
    const score = proximityScorer(query, { k1: 1, b: 0 }, 3);
    // BM25: 2 · ln 2 · 2/2. Proximity: acc = ln 2 / 4 for both, min(1, ln 2) · acc · 2 / (acc + 1), twice.
    const acc = Math.LN2 / 4;
    expect(score(Int32Array.of(7, 1, 9))).toBeCloseTo(2 * Math.LN2 + (2 * Math.LN2 * acc * 2) / (acc + 1), 12);
    expect(score(Int32Array.of(7, 7, 1))).toBeCloseTo((Math.LN2 * 2 * 2) / 3, 12);
    expect(score(Int32Array.of(1, 2, 3))).toBe(0);
    expect(score(new Int32Array(0))).toBe(0);
  });
});

describe('proximity', () => {
  const texts = {
    docs: ['new york city hotel', 'new hotel in the city of york', 'york city is new', 'something else here'],
    queries: ['new york', 'nothing'],
  };
  const all = Int32Array.from(texts.docs.keys());

  it('prefers near terms where a bag of words ties', async () => {
    const same = { docs: ['a b x x', 'a x x b', 'x a x b', 'y y y y'], queries: ['a b'] };
    const bm25 = await ranked(await prepare(models.bind('bm25'), same), 0, 4, all);
    expect(new Set(bm25.scores.subarray(0, 3)).size).toBe(1);
    expect([...(await ranked(await prepare(model, same), 0, 4, all)).docs]).toEqual([0, 2, 1, 3]);
  });

  it('orders exactly the candidates, ties by position, and cuts no tie', async () => {
    const prepared = await prepare(model, texts);
    expect([...(await ranked(prepared, 0, 4, Int32Array.of(3, 1, 0))).docs]).toEqual([0, 1, 3]);
    expect([...(await ranked(prepared, 1, 1, all)).docs]).toEqual([0, 1, 2, 3]);
    expect((await ranked(prepared, 0, 4, new Int32Array(0))).docs).toHaveLength(0);
    const { work } = await ranked(prepared, 0, 4, Int32Array.of(0, 1));
    expect(work).toEqual({ postings: 4 + 7 });
    // Two terms that documents hold, in two queries.
    expect(prepared.index.bytesPerQuery).toBe((4 * 2) / 2);
  });

  it('cannot search a corpus, and says how to use it', async () => {
    const { index } = await prepare(model, texts);
    await expect(async () => index.search(0, 5)).rejects.toThrow(/cannot search.*bm25 > proximity@100/);
  });

  it('counts the terms that it keeps', async () => {
    const { index, encoding, conditions } = await prepare(model, texts);
    const tokens = 4 + 7 + 4 + 3;
    expect(index.bytesPerDoc).toBe((4 * tokens) / 4 + 4);
    const words = new Set(texts.docs.join(' ').split(' '));
    expect(index.bytes).toBe(4 * tokens + 4 * 5 + 4 * words.size + [...words].join('').length);
    expect(encoding).toBeNull();
    expect(conditions).toMatchObject({ analyzer: 'unicode', scorePrecision: 'float64' });
  });

  it('stands collections of none, one and empty documents', async () => {
    for (const docs of [[], ['a'], ['', '…']]) {
      const prepared = await prepare(model, { docs, queries: ['a', ''] });
      const hits = await ranked(prepared, 0, 5, Int32Array.from(docs.keys()));
      expect([...hits.scores]).toEqual(docs.map(() => 0));
    }
  });

  it.each([
    [undefined, 'proximity'],
    ['b=0.75,k1=1.2', 'proximity'],
    ['b=0.4', 'proximity@b=0.4'],
  ])('proximity@%s is %s', (argument, id) => {
    expect(proximity.bind(argument).id).toBe(id);
  });

  it('takes no bare number, so that one can stand for the depth of a pipeline', () => {
    expect(() => proximity.bind('100')).toThrow(/no such parameter/);
  });

  it('reads texts by their analyzer', async () => {
    const english = { analyzer: analyzers.bind('english'), seed: 1 };
    const prepared = await model.prepare({ docs: ['running dogs', 'cats'], queries: ['run dog'] }, english);
    expect((await ranked(prepared, 0, 2, Int32Array.of(0, 1))).scores[0]).toBeGreaterThan(0);
  });
});
