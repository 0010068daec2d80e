import { describe, expect, it } from 'vitest';
import { parseSystem } from '../../runners/grammar.js';
import type { Hits, Prepared, Variant } from '../../runners/system.js';
import { variants } from '../../runners/variants/index.js';
import { totalWork } from '../../runners/work.js';
import {
  denseSubject,
  docCount,
  lateSubject,
  lexicalSubject,
  queryCount,
  rerankerSubject,
  sparseSubject,
} from '../variants/subjects.js';

const all = Int32Array.from({ length: docCount }, (_, doc) => doc);

/** One system of every kind of encoding, with ties in each. */
const subjects = {
  dense: denseSubject('cosine'),
  dot: denseSubject('dot'),
  sparse: sparseSubject(),
  lexical: await lexicalSubject('bm25'),
  prior: await lexicalSubject('ql-dirichlet'),
  late: lateSubject(),
  none: rerankerSubject(),
} as const satisfies Readonly<Record<string, Prepared>>;
type Kind = keyof typeof subjects;
const kinds = Object.keys(subjects) as Kind[];

/** The text of a variant, what must come before it, and the kinds that it fits; it refuses all others. */
const cases: readonly (readonly [text: string, before: readonly string[], fits: readonly Kind[]])[] = [
  ['truncate@32', [], ['dense', 'dot', 'late']],
  ['int8', [], ['dense', 'dot', 'late']],
  ['int8@hakari', [], ['dense', 'dot']],
  ['binary', [], ['dense', 'dot', 'late']],
  ['hnsw', [], ['dense', 'dot']],
  ['prune(query=6,doc=12)', [], ['sparse', 'lexical']],
  ['prune(doc=8)', [], ['sparse', 'lexical']],
  ['pool', [], ['late']],
  ['rescore', ['binary'], ['dense', 'dot', 'late']],
  ['rescore', ['prune(query=4)'], []],
  ['int8', ['truncate@32'], ['dense', 'dot', 'late']],
  ['hnsw@M=4', ['truncate@32'], ['dense', 'dot']],
  ['binary', ['pool@3'], ['late']],
  ['pool', ['truncate@32'], ['late']],
  ['rescore@1', ['int8'], ['dense', 'dot', 'late']],
  ['rescore@3', ['truncate@33', 'binary'], ['dense', 'dot', 'late']],
  ['rescore@4', ['pool@2', 'int8'], ['late']],
  ['rescore@2', ['hnsw@ef=10'], ['dense', 'dot']],
];

/** Binds as systems do, so that `prune(doc=8)` is read as it is printed. */
function variantOf(text: string): Variant {
  const system = parseSystem(`bm25+${text}`);
  if (system.kind !== 'model' || system.variants.length !== 1) throw new Error(`${text} is not one variant`);
  return system.variants[0];
}

async function start(kind: Kind, before: readonly string[]): Promise<Prepared> {
  let prepared: Prepared = subjects[kind];
  for (const text of before) prepared = await variantOf(text).apply(prepared);
  return prepared;
}

/** Everything of a prepared system but its functions, as a deep copy. */
const facts = ({ countingIndex: _, ...prepared }: Prepared) =>
  structuredClone({ ...prepared, exact: prepared.exact.bytes, index: prepared.index.bytes });
const search = async (prepared: Prepared, k: number, among?: Int32Array): Promise<Hits> =>
  prepared.index.search(1, k, among);

function expectOrdered({ docs, scores }: Hits): void {
  for (let i = 1; i < docs.length; i++) {
    expect(scores[i] < scores[i - 1] || (scores[i] === scores[i - 1] && docs[i] > docs[i - 1])).toBe(true);
  }
}

it('there is a case for every variant', () => {
  const names = new Set(cases.map(([text]) => text.split(/[@(]/)[0]));
  expect(names).toEqual(new Set(variants.plugins.map(({ name }) => name)));
});

describe.each(cases)('variant %s after %j', (text, before, fits) => {
  const variant = variantOf(text);

  it('has a canonical id: what it prints binds to itself', () => {
    expect(variantOf(variant.id).id).toBe(variant.id);
  });

  const refusing = kinds.filter((kind) => !fits.includes(kind));
  it.each(refusing)('refuses %s in a sentence, and does not apply', async (kind) => {
    const given = await start(kind, before).catch((error: unknown) => error);
    if (given instanceof Error) {
      // What comes before does not fit this kind already.
      expect(given.message).toMatch(/does not fit/);
      return;
    }
    const subject = given as Prepared;
    expect(variant.accepts(subject)?.reason).toMatch(/^\S.*\.$/);
    await expect(async () => variant.apply(subject)).rejects.toThrow(/does not fit/);
  });

  describe.each(fits)('on %s', (kind) => {
    const applied = async (): Promise<Prepared> => variant.apply(await start(kind, before));

    it('adds its id to what was applied, keeps what was stated, and states what it did', async () => {
      const given = await start(kind, before);
      expect(variant.accepts(given)).toBeNull();
      const after = await variant.apply(given);
      expect(after.applied).toEqual([...given.applied, variant.id]);
      expect(after.conditions).toMatchObject(given.conditions);
      expect(Object.keys(after.conditions).length).toBeGreaterThan(Object.keys(given.conditions).length);
      expect(after).toMatchObject({ encodeWork: given.encodeWork, modelBytes: given.modelBytes });
    });

    it('leaves its input as it was', async () => {
      const given = await start(kind, before);
      const [copy, hits] = [facts(given), await search(given, 10)];
      await search(await variant.apply(given), 10);
      expect(facts(given)).toEqual(copy);
      expect(await search(given, 10)).toEqual(hits);
    });

    it('gives the same each time', async () => {
      const [once, again] = [await applied(), await applied()];
      for (let query = 0; query < queryCount; query++) {
        expect(await again.index.search(query, 7)).toEqual(await once.index.search(query, 7));
      }
      expect(facts(again)).toEqual(facts(once));
    });

    it('keeps the number of documents and queries', async () => {
      const prepared = await applied();
      for (let query = 0; query < queryCount; query++) {
        const { docs } = await prepared.index.search(query, docCount, all);
        expect([...docs].sort((a, b) => a - b)).toEqual([...all]);
      }
    });

    it('ranks what it finds as with among, and its own answer again', async () => {
      const prepared = await applied();
      const [free, whole] = [await search(prepared, docCount), await search(prepared, docCount, all)];
      const found = new Set(free.docs);
      const places = [...whole.docs.keys()].filter((place) => found.has(whole.docs[place]));
      expect([...free.docs]).toEqual(places.map((place) => whole.docs[place]));
      expect([...free.scores]).toEqual(places.map((place) => whole.scores[place]));
      // Vectors find everything, unless by a graph; sparse rows find what shares a term.
      const findsAll = ['dense', 'dot', 'late'].includes(kind) && !/hnsw/.test([text, ...before].join());
      expect(found.size).toBeGreaterThanOrEqual(findsAll ? docCount : 9);
      const best = await search(prepared, 9);
      expect(await search(prepared, 9, best.docs)).toMatchObject({ docs: best.docs, scores: best.scores });
    });

    it('ranks exactly the documents of among, whatever their order', async () => {
      const prepared = await applied();
      const some = await search(prepared, docCount, Int32Array.of(40, 3, 11));
      expect([...some.docs].sort((a, b) => a - b)).toEqual([3, 11, 40]);
      expect(await search(prepared, docCount, Int32Array.of(3, 11, 40))).toEqual(some);
      expect((await search(prepared, 5, new Int32Array(0))).docs).toHaveLength(0);
    });

    it('orders by score, then position, and cuts no tie', async () => {
      const prepared = await applied();
      const whole = await search(prepared, docCount, all);
      expectOrdered(whole);
      for (const k of [0, 1, 2, 3, 10, docCount + 5]) {
        const { docs, scores } = await search(prepared, k, all);
        const last = whole.scores[Math.min(k, docCount) - 1];
        const kept = k === 0 ? 0 : [...whole.scores].filter((score) => score >= last).length;
        expect([...docs]).toEqual([...whole.docs.subarray(0, kept)]);
        expect([...scores]).toEqual([...whole.scores.subarray(0, kept)]);
        expectOrdered(await search(prepared, k));
      }
    });

    it('counts its bytes and its work', async () => {
      const { index } = await applied();
      expect(index.bytesPerDoc).toBeGreaterThan(0);
      expect(index.bytes).toBeGreaterThanOrEqual(index.bytesPerDoc * docCount - 1e-6);
      expect(index.bytesPerQuery).toBeGreaterThan(0);
      const { work, stages } = await index.search(0, 3);
      expect(Object.values(work).length).toBeGreaterThan(0);
      expect(Object.values(work).every((amount) => amount > 0)).toBe(true);
      if (stages !== undefined) expect(totalWork(stages)).toEqual(work);
    });

    it('answers the same step by step, where it has steps', async () => {
      const { index } = await applied();
      if (index.steps === undefined) {
        expect(text).not.toMatch(/^rescore/);
        return;
      }
      for (let query = 0; query < queryCount; query++) {
        for (const k of [0, 1, 6]) {
          let before: Hits | null = null;
          for (const { run } of index.steps) before = await run(query, k, before);
          expect(before).toEqual(await index.search(query, k));
        }
      }
    });

    it('stores less than before, unless it is there to find more', async () => {
      const [given, after] = [await start(kind, before), await applied()];
      if (/^(rescore|hnsw)/.test(text)) expect(after.index.bytesPerDoc).toBeGreaterThan(given.index.bytesPerDoc);
      else expect(after.index.bytesPerDoc).toBeLessThan(given.index.bytesPerDoc);
    });
  });
});

describe('order of variants', () => {
  it.each([
    ['dense', ['int8'], 'truncate@32', /comes before `int8`/],
    ['dense', ['binary'], 'int8', /comes before `binary`/],
    ['dense', ['int8'], 'int8', /not twice/],
    ['dense', ['int8', 'rescore@2'], 'binary', /comes before `rescore@2`/],
    ['dense', ['int8', 'rescore@2'], 'rescore@4', /comes once/],
    ['dense', ['hnsw'], 'int8', /comes before `hnsw@M=16,ef=100`/],
    ['dense', ['int8'], 'hnsw', /comes before `int8`/],
    ['dense', [], 'rescore@4', /nothing to rescore/],
    ['dense', ['truncate@32'], 'rescore@4', /nothing to rescore/],
    ['dense', [], 'truncate@160', /cuts nothing off: the vectors have 160 dimensions/],
    ['dense', ['truncate@32'], 'truncate@64', /cuts nothing off: the vectors have 32 dimensions/],
    ['late', [], 'truncate@64', /cuts nothing off: the vectors have 64 dimensions/],
    ['late', ['int8'], 'pool@2', /comes before `int8`/],
    ['late', ['binary'], 'truncate@8', /comes before `binary`/],
    ['late', [], 'int8@hakari', /needs one dense vector per text/],
    ['sparse', ['prune(doc=8)'], 'rescore@4', /nothing to rescore/],
    ['sparse', [], 'int8', /needs vectors, one for each text or one for each token/],
    ['prior', [], 'prune(doc=8)', /have a prior/],
    ['none', [], 'truncate@8', /this system has none/],
  ] as const)('%s after %j, %s is refused', async (kind, before, text, reason) => {
    expect(variantOf(text).accepts(await start(kind, before))?.reason).toMatch(reason);
  });

  it.each([
    'truncate@0',
    'truncate@x',
    'int8@4',
    'binary@2',
    'rescore@0',
    'rescore@1.5',
    'tuncate@3',
    'pool@1',
    'pool@x',
    'prune',
    'prune(query=0)',
    'prune(query=1.5)',
    'prune(querry=4)',
    'prune(doc=4,doc=5)',
    'hnsw@M=1',
    'hnsw@ef=0',
    'hnsw@m=16',
    'hnsw@16',
  ])('%s is a wrong text', (text) => {
    expect(() => variantOf(text)).toThrow(/Write|Did you mean|Give it once|Its parameters are/);
  });
});
