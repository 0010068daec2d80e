import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCollection } from '../../builders/read.js';
import { samplers } from '../../builders/samplers/index.js';
import type { HardNegatives, SamplingRequest } from '../../builders/samplers/sampler.js';
import { type MemoryRows, memorySource, shuffled, wordCollection } from '../builders/memory-source.js';

/** The laws of every way to shrink a collection, then those of one kind. */

interface Chosen {
  readonly queries: readonly string[];
  readonly docs: ReadonlySet<string>;
  readonly notes: readonly string[];
}

interface Limits {
  readonly queries: number;
  readonly docs: number;
  readonly seed?: number;
}

const rows = wordCollection(90);

async function requestFor(source: MemoryRows, { queries, docs, seed = 17 }: Limits): Promise<SamplingRequest> {
  const collection = await readCollection(memorySource(source), { leniency: 'strict' });
  const numberOf = (slot: number) => Number(collection.docIds[slot].slice(1));
  /** A stand-in for BM25 that depends on ids alone: each query prefers the next twelve documents after its own. */
  const hardNegatives: HardNegatives = async (asked) =>
    asked.map((query) => {
      const start = Number(collection.queries[query].id.slice(1)) * 3;
      const distance = (slot: number) => (numberOf(slot) - start + 1000) % 1000;
      return [...collection.docIds.keys()].sort((a, b) => distance(a) - distance(b)).slice(0, 12);
    });
  return { collection, limits: { queries, docs }, seed, hardNegatives };
}

async function sampleOf(name: string, source: MemoryRows, limits: Limits): Promise<Chosen> {
  const request = await requestFor(source, limits);
  const { queries, docs, notes } = await samplers.bind(name).sample(request);
  const { collection } = request;
  return {
    queries: queries.map((query) => collection.queries[query].id),
    docs: new Set([...docs].map((slot) => collection.docIds[slot])),
    notes,
  };
}

const judgedBy = (queries: readonly string[], wanted: (grade: number) => boolean) =>
  rows.qrels.filter(([query, , grade]) => queries.includes(query) && wanted(Number(grade))).map(([, doc]) => doc);

const answerable = new Set(rows.qrels.filter(([, , grade]) => Number(grade) > 0).map(([query]) => query)).size;

const limits = fc.record({ queries: fc.integer({ min: 1, max: 40 }), docs: fc.integer({ min: 1, max: 120 }) });

describe.each(samplers.plugins.map(({ name, bind }) => [name, bind] as const))('%s', (name, bind) => {
  test('its id is its name, and it takes no argument', () => {
    expect(bind(undefined).id).toBe(name);
    expect(() => bind('x')).toThrow(/takes no argument/);
  });

  test('limits are kept, or give way to positives and the sample says so', async () => {
    await fc.assert(
      fc.asyncProperty(limits, async (wanted) => {
        const chosen = await sampleOf(name, rows, wanted);
        const positives = new Set(judgedBy(chosen.queries, (grade) => grade > 0));
        expect(chosen.queries.length).toBe(Math.min(wanted.queries, answerable));
        expect(chosen.docs.size).toBe(Math.max(positives.size, Math.min(wanted.docs, 90)));
        expect(chosen.notes.some((note) => note.includes('the limit gave way'))).toBe(positives.size > wanted.docs);
      }),
      { numRuns: 40 },
    );
  });

  test('every chosen query has a positive, and all its positives are there', async () => {
    const chosen = await sampleOf(name, rows, { queries: 12, docs: 5 });
    for (const query of chosen.queries) expect(judgedBy([query], (grade) => grade > 0).length).toBeGreaterThan(0);
    for (const doc of judgedBy(chosen.queries, (grade) => grade > 0)) expect(chosen.docs).toContain(doc);
  });

  test('judged documents that are not relevant come before all others, and what finds no room is said', async () => {
    const all = await sampleOf(name, rows, { queries: 6, docs: 60 });
    for (const doc of judgedBy(all.queries, () => true)) expect(all.docs).toContain(doc);
    const positives = new Set(judgedBy(all.queries, (grade) => grade > 0)).size;
    const some = await sampleOf(name, rows, { queries: 6, docs: positives + 2 });
    const judged = new Set(judgedBy(some.queries, () => true));
    expect([...some.docs].every((doc) => judged.has(doc))).toBe(true);
    expect(some.notes.join(' ')).toMatch(/\d+ documents judged not relevant found no room/);
  });

  test('the same request gives the same sample', async () => {
    const wanted = { queries: 9, docs: 33 };
    expect(await sampleOf(name, rows, wanted)).toEqual(await sampleOf(name, rows, wanted));
  });

  if (bind(undefined).order === 'free') {
    test('the order of lines does not show', async () => {
      for (const step of [3, 7, 11]) {
        const wanted = { queries: 8, docs: 40 };
        const [straight, mixed] = [
          await sampleOf(name, rows, wanted),
          await sampleOf(name, shuffled(rows, step), wanted),
        ];
        expect(mixed.queries).toEqual(straight.queries);
        expect([...mixed.docs].sort()).toEqual([...straight.docs].sort());
      }
    });
  }

  test('queries without a positive are never chosen', async () => {
    const bare: MemoryRows = {
      docs: [
        ['a', 'x'],
        ['b', 'y'],
      ],
      queries: [
        ['only-zero', 'x'],
        ['unjudged', 'y'],
        ['good', 'z'],
        ['negative', 'w'],
      ],
      qrels: [
        ['only-zero', 'a', 0],
        ['good', 'b', 1],
        ['negative', 'a', -2],
      ],
    };
    const chosen = await sampleOf(name, bare, { queries: 10, docs: 10 });
    expect(chosen.queries).toEqual(['good']);
    expect([...chosen.docs].sort()).toEqual(['a', 'b']);
  });
});

describe('hash', () => {
  test('fewer queries are a prefix of more; for the same queries fewer documents nest in more', async () => {
    await fc.assert(
      fc.asyncProperty(limits, fc.integer({ min: 0, max: 40 }), fc.nat(5), async (small, more, seed) => {
        const [few, many] = [
          await sampleOf('hash', rows, { ...small, seed }),
          await sampleOf('hash', rows, { queries: small.queries + more, docs: small.docs, seed }),
        ];
        expect(many.queries.slice(0, few.queries.length)).toEqual(few.queries);
        const wider = await sampleOf('hash', rows, { ...small, docs: small.docs + more, seed });
        expect([...few.docs].every((doc) => wider.docs.has(doc))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('another seed gives another sample', async () => {
    const [one, two] = [
      await sampleOf('hash', rows, { queries: 10, docs: 40, seed: 1 }),
      await sampleOf('hash', rows, { queries: 10, docs: 40, seed: 2 }),
    ];
    expect(one.queries).not.toEqual(two.queries);
    expect([...one.docs].sort()).not.toEqual([...two.docs].sort());
  });

  test('hard negatives take turns by query, then the filler follows', async () => {
    const wanted = { queries: 4, docs: 30 };
    const request = await requestFor(rows, wanted);
    const { docIds } = request.collection;
    const sampler = samplers.bind('hash');
    const full = await sampler.sample(request);
    const lists = await request.hardNegatives(full.queries, new Int32Array(docIds.length));
    const judged = new Set(full.queries.flatMap((query) => [...request.collection.judged[query].keys()]));
    const expected = new Set(judged);
    for (let turn = 0; turn < 12; turn++) for (const list of lists) if (expected.size < 30) expected.add(list[turn]);
    expect(new Set([...full.docs].slice(0, expected.size))).toEqual(expected);
  });

  test('the whole collection is ranked only when not all of it fits', async () => {
    const request = await requestFor(rows, { queries: 4, docs: 90 });
    const refuse: HardNegatives = () => Promise.reject(new Error('asked for'));
    const sampler = samplers.bind('hash');
    expect((await sampler.sample({ ...request, hardNegatives: refuse })).docs.size).toBe(90);
    const tight = { ...request, limits: { queries: 4, docs: 89 }, hardNegatives: refuse };
    await expect(sampler.sample(tight)).rejects.toThrow('asked for');
  });
});

describe('head', () => {
  test('takes the first of everything in source order', async () => {
    const chosen = await sampleOf('head', rows, { queries: 3, docs: 20 });
    expect(chosen.queries).toEqual(['q0', 'q1', 'q2']);
    const judged = new Set(judgedBy(chosen.queries, () => true));
    const filler = [...chosen.docs].filter((doc) => !judged.has(doc));
    const unjudged = rows.docs.map(([id]) => id).filter((id) => !judged.has(id));
    expect(filler).toEqual(unjudged.slice(0, 20 - judged.size));
  });
});
