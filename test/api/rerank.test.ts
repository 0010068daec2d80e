import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bind, errorOf, openScorer, testAccess } from './access.js';
import { cohere, jina, scoreOf, type Variation } from './documented.js';
import { type Loopback, loopback, type Seen } from './loopback.js';

const kinds = {
  cohere: {
    model: 'cohere:rerank-v3.5',
    serve: (variation?: Variation) => loopback((seen) => cohere(seen, variation)),
    access: ({ url }: Loopback) => testAccess({ COHERE_BASE_URL: url, COHERE_API_KEY: 'co-1' }),
    spent: { requests: 1, promptTokens: null, retries: 0, searchUnits: 1 },
    sent: { model: 'rerank-v3.5', query: 'q', documents: ['d'], top_n: 1 },
  },
  jina: {
    model: 'jina:jina-reranker-v2',
    serve: (variation?: Variation) => loopback((seen) => jina(seen, variation)),
    access: ({ url }: Loopback) => testAccess({ JINA_BASE_URL: `${url}/v1`, JINA_API_KEY: 'jina-1' }),
    spent: { requests: 1, promptTokens: 815, retries: 0, searchUnits: null },
    sent: { model: 'jina-reranker-v2', query: 'q', documents: ['d'], top_n: 1, return_documents: false },
  },
} as const;

interface Result {
  readonly index: number;
  readonly relevance_score: unknown;
}
const results = (change: (results: readonly Result[]) => readonly unknown[]): Variation => ({
  change: (entries) => change(entries as unknown as readonly Result[]),
});
const documentsOf = ({ body }: Seen) => (body as { documents: string[] }).documents;

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  const pair = { query: 'q', document: 'd' };

  test('is a reranker of that name at that address', async () => {
    const server = await kind.serve();
    const model = await bind(kind.model, kind.access(server));
    expect(model).toMatchObject({ kind: 'pretrained', family: 'reranker', id: kind.model });
    expect(JSON.stringify(model.identity)).toContain(server.host);
    expect(server.seen).toEqual([]);
  });

  test('sends what is documented, with the key', async () => {
    const server = await kind.serve();
    const scorer = await openScorer(kind.model, kind.access(server));
    const { margins, tokens } = await scorer.score([pair]);
    expect(Array.from(margins)).toEqual([scoreOf('q', 'd')]);
    expect(tokens).toBeNull();
    expect(server.seen).toMatchObject([{ method: 'POST', body: kind.sent }]);
    expect(server.seen[0].headers.authorization).toMatch(/^Bearer (co|jina)-1$/);
    expect(scorer.spent()).toEqual(kind.spent);
    expect(scorer.probability).toBe('margin');
    expect(scorer.tokenIds(pair)).toBeNull();
  });

  test('asks once for each query, whatever the order of the pairs', async () => {
    const server = await kind.serve();
    const scorer = await openScorer(kind.model, kind.access(server));
    const pairs = ['d1', 'd2', 'd1', 'd3'].flatMap((document) =>
      ['q1', 'q2', 'q3'].map((query) => ({ query, document })),
    );
    const steps: number[] = [];
    const { margins } = await scorer.score(pairs, (done) => steps.push(done));
    expect(Array.from(margins)).toEqual(pairs.map(({ query, document }) => scoreOf(query, document)));
    expect(server.seen.map(documentsOf)).toEqual(Array(3).fill(['d1', 'd2', 'd1', 'd3']));
    expect(steps).toEqual([4, 4, 4]);
  });

  test('any pairs get the scores of these pairs', async () => {
    const server = await kind.serve();
    const scorer = await openScorer(kind.model, kind.access(server));
    const text = fc.constantFrom('', 'a', 'b', '日本', 'x\ud83d\ude00');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ query: text, document: text }), { maxLength: 12 }), async (pairs) => {
        const { margins } = await scorer.score(pairs);
        const sent = pairs.map(({ query, document }) => scoreOf(query || ' ', document || ' '));
        expect(Array.from(margins)).toEqual(sent);
      }),
      { numRuns: 15 },
    );
  });

  test('a thousand documents at most go in one request', async () => {
    const server = await kind.serve();
    const scorer = await openScorer(kind.model, kind.access(server));
    const pairs = Array.from({ length: 2001 }, (_, i) => ({ query: 'q', document: `d${i}` }));
    const { margins } = await scorer.score(pairs);
    expect(margins[1999]).toBe(scoreOf('q', 'd1999'));
    expect(server.seen.map((seen) => documentsOf(seen).length).sort()).toEqual([1, 1000, 1000]);
  });

  test('no pairs are no request', async () => {
    const server = await kind.serve();
    const access = kind.access(server);
    const scorer = await openScorer(kind.model, access);
    expect(await scorer.score([])).toEqual({ margins: new Float64Array(), tokens: null });
    expect([server.seen, access.notes]).toEqual([[], []]);
  });

  test.each([
    ['a document without a score', (all: readonly Result[]) => all.slice(1), /of 3 indices, missing: \d/],
    ['an index twice', (all: readonly Result[]) => [...all, all[0]], /of 3 indices, more than once: \d/],
    ['an index beyond', (all: readonly Result[]) => [...all, { index: 3, relevance_score: 1 }], /not asked for: 3/],
    [
      'an index below zero',
      (all: readonly Result[]) => [...all, { index: -1, relevance_score: 1 }],
      /not asked for: -1/,
    ],
    ['no results', () => [], /missing: 0, 1, 2$|missing: 0, 1, 2\./],
    [
      'an index of another kind',
      (all: readonly Result[]) => all.map((one) => ({ ...one, index: '0' })),
      /results\.0\.index/,
    ],
  ])('refuses %s', async (_, change, says) => {
    const server = await kind.serve(results(change));
    const scorer = await openScorer(kind.model, kind.access(server));
    const error = await errorOf(scorer.score(['a', 'b', 'c'].map((document) => ({ query: 'q', document }))));
    expect(error.code).toBe('malformed');
    expect(error.message).toMatch(says);
  });

  test.each([
    ['null', null, 'not-finite', 'null for the document of pair 2 of 3 ("b")'],
    ['no score', undefined, 'malformed', 'undefined where a score is wanted, for the document of pair 2 of 3 ("b")'],
    ['a word', '0.5', 'malformed', 'string where a score is wanted'],
  ])('refuses %s for a score and names the document', async (_, score, code, says) => {
    const server = await kind.serve(
      results((all) => all.map((one) => (one.index === 1 ? { index: 1, relevance_score: score } : one))),
    );
    const scorer = await openScorer(kind.model, kind.access(server));
    const error = await errorOf(scorer.score(['a', 'b', 'c'].map((document) => ({ query: 'q', document }))));
    expect(error.code).toBe(code);
    expect(error.message).toContain(says);
  });

  test('scores are kept in float64, whatever their range', async () => {
    const scores = [1 + Number.EPSILON, -11.5, 1e300];
    const server = await kind.serve(
      results((all) => all.map(({ index }) => ({ index, relevance_score: scores[index] }))),
    );
    const scorer = await openScorer(kind.model, kind.access(server));
    const { margins } = await scorer.score(['a', 'b', 'c'].map((document) => ({ query: 'q', document })));
    expect(Array.from(margins)).toEqual(scores);
  });

  test('documents that are too many at once go in halves, and one that is too long is named', async () => {
    const server = await loopback((seen) => {
      if (documentsOf(seen).some((one) => one === 'long') || documentsOf(seen).length > 2) {
        return { status: 400, json: { message: 'too many tokens: request exceeds the maximum number of tokens' } };
      }
      return kind === kinds.cohere ? cohere(seen) : jina(seen);
    });
    const scorer = await openScorer(kind.model, kind.access(server));
    const pairs = (...documents: string[]) => documents.map((document) => ({ query: 'q', document }));
    const { margins } = await scorer.score(pairs('a', 'b', 'c', 'd', 'e'));
    expect(Array.from(margins)).toEqual(['a', 'b', 'c', 'd', 'e'].map((document) => scoreOf('q', document)));
    const error = await errorOf(scorer.score(pairs('a', 'b', 'c', 'long', 'e')));
    expect(error.message).toContain('the document of pair 4 of 5 ("long")');
  });
});
