import { describe, expect, test } from 'vitest';
import { docId, queryId } from '../../core/ids.js';
import { arenaOf } from '../../runners/arena.js';
import { parseSystem } from '../../runners/grammar.js';
import { catalogOf } from '../../runners/models/catalog.js';
import type { OpenModel } from '../../runners/open-model.js';
import { bindSearcher } from '../../runners/searcher.js';
import { liveDifference, rowDifference } from '../../runners/serve/live-difference.js';
import { liveModels } from '../../runners/serve/live-models.js';
import { newRecorder } from '../../runners/serve/recorder.js';
import { notTimed, serveQuery } from '../../runners/serve/serve-query.js';
import { serviceUse, usedBetween, usedTogether } from '../../runners/serve/spent.js';
import type { ModelRuntime, PretrainedModel } from '../../runners/system.js';
import { fakeModel, fakeRuntime } from '../models/fake-models.js';

const docs = ['tea and milk', 'a scale of brass', 'rain on a roof', 'milk of brass'].map((text, i) => ({
  id: docId(`d${i}`),
  text,
}));
const queries = ['brass', 'milk and rain'].map((text, i) => ({ id: queryId(`q${i}`), text }));
const families = ['dense', 'sparse', 'late-interaction', 'reranker'] as const;
const fakes = new Map(families.map((family) => [family, fakeModel(family, `openai:${family}`)]));

/** A clock that is one millisecond later at every reading. */
function ticking() {
  let now = 0;
  return () => now++;
}

/** A system over the fakes, ready to serve, with what its models worked on since then. */
async function serving(text: string, change: (model: PretrainedModel) => PretrainedModel = (model) => model) {
  const fake = fakeRuntime();
  const { runtime } = fake.engine;
  if (runtime === undefined) throw new Error('The fakes have a runtime.');
  const models = liveModels(runtime);
  const catalog = catalogOf(new Map([...fakes.values()].map((model) => [model.id, change(model)])));
  const arena = arenaOf({ docs, queries, pools: new Map() }, { ...fake.engine, runtime: models.runtime });
  const searcher = await bindSearcher(parseSystem(text, catalog), arena);
  models.startServing();
  fake.worked.length = 0;
  return { fake, arena, serving: { searcher, arena, models, depth: 3, nowMs: ticking() } };
}

describe('a request', () => {
  test('of a dense system reads its query anew each time, and nothing comes from the cache', async () => {
    const { fake, serving: system } = await serving('openai:dense+int8+rescore@2');
    const cached = fake.entries.size;
    const work = await serveQuery(system, 0);
    await serveQuery(system, 0);
    expect(fake.worked).toEqual(['brass', 'brass']);
    expect(fake.entries.size).toBe(cached);
    expect(Object.keys(work.parts)).toEqual(['encode', 'search', 'rescore', 'sort']);
    expect(work).toMatchObject({ tokens: 5, pairs: 0 });
  });

  test.each([
    ['bm25', ['tokenize', 'search', 'sort']],
    ['lsa@2', ['tokenize', 'search', 'sort']],
    ['openai:sparse', ['encode', 'search', 'sort']],
    ['openai:late-interaction', ['encode', 'search', 'sort']],
    ['rrf(bm25, openai:dense)', ['tokenize', 'search', 'encode', 'sort']],
  ])('of %s has its parts', async (text, parts) => {
    const { serving: system } = await serving(text);
    expect(Object.keys((await serveQuery(system, 1)).parts)).toEqual(parts);
  });

  test('reranks without the cache of scores, and counts its pairs and tokens', async () => {
    const { fake, serving: system } = await serving('bm25 > openai:reranker@2');
    const cached = fake.entries.size;
    const work = await serveQuery(system, 0);
    await serveQuery(system, 0);
    // The two documents with the word.
    expect(new Set(fake.worked)).toEqual(new Set(['brass|a scale of brass', 'brass|milk of brass']));
    expect(fake.worked).toHaveLength(4);
    expect(fake.entries.size).toBe(cached);
    expect(Object.keys(work.parts)).toEqual(['tokenize', 'search', 'rerank', 'sort']);
    expect(work).toMatchObject({ pairs: 2, tokens: 'a scale of brass'.length + 'milk of brass'.length });
  });

  test('counts what a service that orders lists read and what it wrote, where it said so', async () => {
    const answers = [{ promptTokens: 40, completionTokens: 7 }, { promptTokens: 5 }, { calls: 1 }];
    const ranker: OpenModel = {
      ...{ kind: 'ranker', modelBytes: 0, conditions: {}, close: async () => undefined },
      rank: async () => ({ order: [0], work: answers.shift() ?? {} }),
    };
    const runtime = { ...fakeRuntime().engine.runtime, use: async () => ranker } as unknown as ModelRuntime;
    const models = liveModels(runtime);
    const model = fakeModel('reranker', 'openai:reranker');
    const tokens: (number | null)[] = [];
    for (const _ of [1, 2, 3]) {
      const recorder = newRecorder(ticking());
      await models.during(recorder, async () => {
        const opened = await models.runtime.use(model);
        if (opened.kind === 'ranker') await opened.rank('brass', ['milk'], 1);
      });
      tokens.push(recorder.work().tokens);
    }
    expect(tokens).toEqual([47, 5, null]);
  });

  test('two at once are told apart', async () => {
    const { serving: system } = await serving('openai:dense');
    const [a, b] = await Promise.all([serveQuery(system, 0), serveQuery(system, 1)]);
    expect([a.tokens, b.tokens]).toEqual([queries[0].text.length, queries[1].text.length]);
  });

  test('what its model tokenized is taken out of the part that waited for it', async () => {
    const tokenizing = (model: PretrainedModel): PretrainedModel => ({
      ...model,
      open: async (access) => {
        const opened = await model.open(access);
        if (opened.kind !== 'encoder') return opened;
        const times = { tokenizeMs: 0.25, modelMs: 0.5 };
        return { ...opened, encode: async (...given) => ({ ...(await opened.encode(...given)), times }) };
      },
    });
    const { serving: system } = await serving('openai:dense', tokenizing);
    const { parts } = await serveQuery(system, 0);
    // The clock ticks once between the readings before and after.
    expect(parts).toEqual({ tokenize: 0.25, encode: 0.75, search: 1, sort: 1 });
  });
});

describe('the recorder', () => {
  test('adds up parts that come twice, and knows no tokens once a model did not say', async () => {
    const recorder = newRecorder(ticking());
    expect(await recorder.timed('search', () => 'now')).toBe('now');
    expect(await recorder.timed('search', async () => 'later')).toBe('later');
    recorder.called({ tokens: 4, pairs: 1 });
    recorder.called({ tokens: null, pairs: 2 });
    recorder.called({ tokens: 5, pairs: 0 });
    expect(recorder.work()).toEqual({ parts: { search: 2 }, tokens: null, pairs: 3 });
  });

  test('a part never takes less than nothing', async () => {
    const recorder = newRecorder(ticking());
    await recorder.timed('rerank', () =>
      recorder.called({ times: { tokenizeMs: 9, modelMs: 0 }, tokens: 0, pairs: 0 }),
    );
    expect(recorder.work().parts).toEqual({ tokenize: 9, rerank: 0 });
  });
});

describe('a query that is encoded live', () => {
  test.each(['dense', 'sparse', 'late-interaction'] as const)(
    'is the vector that is searched with: %s',
    async (family) => {
      const { arena } = await serving(`openai:${family}`);
      const model = fakes.get(family);
      expect(model && (await liveDifference(model, arena, [0, 1]))).toBeLessThan(1e-6);
    },
  );

  test('is an error where it is another one, as with a wrong prompt', async () => {
    let calls = 0;
    const drifting = (model: PretrainedModel): PretrainedModel => ({
      ...model,
      open: async (access) => {
        const opened = await model.open(access);
        if (opened.kind !== 'encoder') return opened;
        const encode: typeof opened.encode = (texts, role) =>
          opened.encode(
            texts.map((text) => (calls++ < 2 ? text : `query: ${text}`)),
            role,
          );
        return { ...opened, encode };
      },
    });
    const { arena } = await serving('openai:dense', drifting);
    const model = fakes.get('dense');
    await expect(model && liveDifference(model, arena, [0])).rejects.toThrow(
      /another vector than the same query.*openai:dense/,
    );
  });

  test('of a reranker has nothing to be compared with', async () => {
    const { arena } = await serving('bm25 > openai:reranker@2');
    const model = fakes.get('reranker');
    expect(model && (await liveDifference(model, arena, [0]))).toBeNull();
  });

  test('differs by the share of the greatest number; other shapes differ without bound', () => {
    const row = (values: readonly number[], terms: readonly number[] | null = null) => ({
      values: Float32Array.from(values),
      terms: terms && Int32Array.from(terms),
    });
    expect(rowDifference(row([1, 4]), row([1, 2]))).toBe(1);
    expect(rowDifference(row([2, 1], [7, 9]), row([2, 0.5], [7, 8]))).toBe(0.5);
    expect(rowDifference(row([1]), row([1, 2]))).toBe(Number.POSITIVE_INFINITY);
    expect(rowDifference(row([], []), row([], []))).toBe(0);
    expect(rowDifference(row([1], [3]), row([], []))).toBe(Number.POSITIVE_INFINITY);
  });
});

test('what is not timed is said of every kind of model but those with weights', () => {
  const of = (text: string) => {
    const system = parseSystem(text);
    return system.kind === 'model' ? notTimed(system.model) : null;
  };
  expect(of('bm25')).toMatch(/weights of the query terms/);
  expect(of('lsa@64')).toMatch(/only its analysis is timed/);
  expect(of('wink')).toMatch(/prepares itself/);
  expect(notTimed(fakeModel('dense'))).toBeNull();
});

describe('what services were asked for', () => {
  const opened = { kind: 'ranker', conditions: {}, modelBytes: 0, close: async () => undefined } as const;
  const ranker: OpenModel = { ...opened, rank: async () => ({ order: [], work: {} }) };

  test('is read from their meters; models that run here have none', () => {
    expect(serviceUse(ranker)).toBeNull();
    const metered = { ...ranker, spent: () => ({ requests: 9, retries: 2, promptTokens: null, searchUnits: 1 }) };
    expect(serviceUse(metered)).toEqual({ retries: 2, promptTokens: null, completionTokens: 0 });
    const asked = { ...ranker, totals: () => ({ promptTokens: 5, completionTokens: 1 }), retries: () => 3 };
    expect(serviceUse(asked)).toEqual({ retries: 3, promptTokens: 5, completionTokens: 1 });
  });

  test('is what was added between two looks; what is unknown stays unknown', () => {
    const use = (retries: number, promptTokens: number | null) => ({ retries, promptTokens, completionTokens: 0 });
    expect(usedBetween(use(1, 10), use(4, 25))).toEqual(use(3, 15));
    expect(usedBetween(use(1, 10), use(4, null))).toEqual(use(3, null));
    expect(usedTogether([use(1, 10), use(2, 5)])).toEqual(use(3, 15));
    expect(usedTogether([use(1, 10), use(2, null)])).toEqual(use(3, null));
  });
});
