import { describe, expect, test } from 'vitest';
import { bind, errorOf, openEncoder, openScorer, testAccess, testWaits } from './access.js';
import { scoreOf, type TeiKind, tei, teiInfo, type Variation, vectorOf, weightsOf } from './documented.js';
import { loopback, type Reply } from './loopback.js';

const nobody = testAccess({});
const serve = (kind: TeiKind, variation?: Variation, maxBatch?: number) =>
  loopback((seen) => tei(seen, kind, variation, maxBatch));
const texts = (count: number) => Array.from({ length: count }, (_, i) => `text ${i}`);

describe('what the server is', () => {
  test.each([
    ['embedding', 'dense'],
    ['splade', 'sparse'],
    ['reranker', 'reranker'],
  ] as const)('a server of an %s model is of the family %s', async (kind, family) => {
    const server = await serve(kind);
    const model = await bind(`tei:${server.url}`, nobody);
    expect(model).toMatchObject({ kind: 'pretrained', family, id: `tei:${server.url}` });
    expect(model.summary).toBe(`someone/${kind} at ${server.host}`);
    expect(server.seen).toMatchObject([{ method: 'GET', path: '/info', body: null }]);
  });

  test('the identity holds address, model and its commit', async () => {
    const info = teiInfo('embedding', 32);
    const answers: Record<string, unknown>[] = [
      info,
      info,
      { ...info, model_id: 'other' },
      { ...info, model_sha: null },
      { ...info, model_dtype: 'float16' },
      { ...info, max_input_length: 128 },
      { ...info, model_type: { embedding: { pooling: 'mean' } } },
    ];
    const server = await loopback((_, nth) => ({ json: answers[nth] }));
    const identities: string[] = [];
    for (const _ of answers) identities.push(JSON.stringify((await bind(`tei:${server.url}/`, nobody)).identity));
    expect(identities[0]).toContain(server.host);
    expect(identities[0]).toContain('fca14538aa9956a46526bd1d0d11d69e19b5a101');
    expect(identities[1]).toBe(identities[0]);
    expect(new Set(identities).size).toBe(answers.length - 1);
  });

  test('a path in front of the routes is kept', async () => {
    const server = await loopback((seen) => tei({ ...seen, path: seen.path.replace('/models/one', '') }, 'embedding'));
    const encoder = await openEncoder(`tei:${server.url}/models/one/`, nobody);
    await encoder.encode(['a'], 'query');
    expect(server.seen.map(({ path }) => path)).toEqual(['/models/one/info', '/models/one/embed']);
  });

  test('a classifier is refused', async () => {
    const error = await errorOf(bind(`tei:${(await serve('classifier')).url}`, nobody));
    expect(error).toMatchObject({ code: 'refused' });
    expect(error.message).toContain('someone/classifier');
  });

  test.each([
    ['a web page', { text: '<html>' } as Reply, 'malformed', 'not JSON'],
    ['another service', { json: { status: 'ok' } } as Reply, 'malformed', 'model_id'],
    ['no such page', { status: 404, text: 'not found' } as Reply, 'missing', 'No Text Embeddings Inference is at this'],
    ['a key wanted', { status: 401, text: '' } as Reply, 'refused', 'Set TEI_API_KEY'],
    ['a batch of none', { json: { ...teiInfo('embedding', 0) } } as Reply, 'malformed', 'max_client_batch_size'],
  ])('%s is an error that says what to do', async (_, reply, code, says) => {
    const server = await loopback(() => reply);
    const error = await errorOf(bind(`tei:${server.url}`, nobody));
    expect(error.code).toBe(code);
    expect(error.message).toContain(says);
  });

  test('what the server says is made fit to be shown, without the key', async () => {
    const info = { ...teiInfo('embedding', 32), model_id: 'a\u001b[31m tei-secret', version: 'tei-secret' };
    const server = await loopback(() => ({ json: info }));
    const access = testAccess({ TEI_API_KEY: 'tei-secret' });
    const model = await bind(`tei:${server.url}`, access);
    const { conditions } = await model.open(access);
    expect(model.summary).toBe(`a\\x1b[31m (key) at ${server.host}`);
    expect(JSON.stringify([model, conditions])).not.toContain('tei-secret');
  });

  test('a server that is still loading is waited for', async () => {
    const waits = testWaits();
    const server = await loopback((seen, nth) =>
      nth < 2 ? { status: 503, json: { error: 'unhealthy', error_type: 'unhealthy' } } : tei(seen, 'embedding'),
    );
    expect(await bind(`tei:${server.url}`, nobody, waits)).toMatchObject({ family: 'dense' });
    expect(waits.waitedMs).toEqual([500, 1000]);
  });

  test('a server that is not there is an error', async () => {
    const server = await serve('embedding');
    await server.close();
    const error = await errorOf(bind(`tei:${server.url}`, nobody));
    expect(error.code).toBe('io');
    expect(error.message).toContain('the address after `tei:`');
  });

  test('a key goes along with every request', async () => {
    const server = await serve('embedding');
    const encoder = await openEncoder(`tei:${server.url}`, testAccess({ TEI_API_KEY: 'tei-1' }));
    await encoder.encode(['a'], 'query');
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer tei-1', 'Bearer tei-1']);
  });
});

describe('/embed', () => {
  test('takes as many texts at once as the server does', async () => {
    const server = await serve('embedding', {}, 7);
    const encoder = await openEncoder(`tei:${server.url}`, nobody);
    const encoded = await encoder.encode(texts(20), 'document');
    expect(encoded).toMatchObject({
      kind: 'dense',
      dims: 4,
      vectors: Float32Array.from(texts(20).flatMap((text) => vectorOf(text))),
    });
    const sizes = server.seen.slice(1).map(({ body }) => (body as { inputs: string[] }).inputs.length);
    expect(sizes.sort()).toEqual([6, 7, 7]);
    expect(server.seen[1].body).toMatchObject({ normalize: true, truncate: true });
    expect(encoder.spent()).toEqual({ requests: 3, promptTokens: 200, retries: 0, searchUnits: null });
    expect(encoder.conditions).toMatchObject({ 'api.modelSha': 'fca14538aa9956a46526bd1d0d11d69e19b5a101' });
  });

  test('empty texts are sent as a blank', async () => {
    const server = await serve('embedding');
    const encoder = await openEncoder(`tei:${server.url}`, nobody);
    expect(await encoder.encode([''], 'document')).toMatchObject({ vectors: Float32Array.from(vectorOf(' ')) });
  });

  test('a body above the limit of the server is halved', async () => {
    const server = await loopback((seen) =>
      JSON.stringify(seen.body).length > 200 ? { status: 413, text: 'length limit exceeded' } : tei(seen, 'embedding'),
    );
    const encoder = await openEncoder(`tei:${server.url}`, nobody);
    const encoded = await encoder.encode(texts(30), 'document');
    expect(encoded).toMatchObject({ vectors: Float32Array.from(texts(30).flatMap((text) => vectorOf(text))) });
  });
});

describe('/embed_sparse', () => {
  test('gives rows of ascending terms', async () => {
    const shuffled: Variation['change'] = (rows) => rows.map((row) => [...(row as unknown as unknown[])].reverse());
    const server = await serve('splade', { change: shuffled }, 2);
    const encoder = await openEncoder(`tei:${server.url}`, nobody);
    const encoded = await encoder.encode(texts(5), 'document');
    const rows = texts(5).map(weightsOf);
    if (encoded.kind !== 'sparse') throw new Error(encoded.kind);
    expect(Array.from(encoded.terms)).toEqual(rows.flat().map(({ index }) => index));
    expect(Array.from(encoded.weights)).toEqual(rows.flat().map(({ value }) => value));
    expect(Array.from(encoded.offsets)).toEqual([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]);
    expect(encoded.termCount).toBe(((await encoder.encode(['x'], 'query')) as typeof encoded).termCount);
  });

  test('empty rows and weights of zero are rows without terms', async () => {
    const rows = [[], [{ index: 3, value: 0 }], [{ index: 262_143, value: 1e-60 }], [{ index: 0, value: 0.5 }]];
    const server = await serve('splade', { change: () => rows });
    const encoder = await openEncoder(`tei:${server.url}`, nobody);
    const encoded = await encoder.encode(texts(4), 'document');
    expect(encoded).toMatchObject({
      offsets: Int32Array.from([0, 0, 0, 0, 1]),
      terms: Int32Array.from([0]),
      weights: Float32Array.from([0.5]),
    });
  });

  test.each([
    [
      'a term twice',
      [
        { index: 5, value: 1 },
        { index: 5, value: 2 },
      ],
      'malformed',
      'term 5 twice for text 2 of 2',
    ],
    ['a term below zero', [{ index: -1, value: 1 }], 'malformed', 'term -1 outside'],
    ['half a term', [{ index: 1.5, value: 1 }], 'malformed', 'term 1.5 outside'],
    ['a term beyond any vocabulary', [{ index: 262_144, value: 1 }], 'malformed', 'term 262144 outside'],
    ['a weight below zero', [{ index: 1, value: -1 }], 'malformed', 'below zero for text 2 of 2 ("text 1")'],
    ['a NaN', [{ index: 1, value: null }], 'not-finite', 'null for text 2 of 2 ("text 1")'],
    ['a word', [{ index: 1, value: '1' }], 'malformed', 'string where a number is wanted'],
    ['a term without a number', [{ index: '1', value: 1 }], 'malformed', '1.0.index'],
    ['no list', { index: 1, value: 1 }, 'malformed', 'another form'],
  ])('refuses %s', async (_, row, code, says) => {
    const server = await serve('splade', { change: () => [[], row] });
    const encoder = await openEncoder(`tei:${server.url}`, nobody);
    const error = await errorOf(encoder.encode(texts(2), 'document'));
    expect(error.code).toBe(code);
    expect(error.message).toContain(says);
  });
});

describe('/rerank', () => {
  test('scores pairs in their order, in requests of the size that the server takes', async () => {
    const server = await serve('reranker', {}, 4);
    const scorer = await openScorer(`tei:${server.url}`, nobody);
    const pairs = texts(10).flatMap((document) => ['q1', 'q2'].map((query) => ({ query, document })));
    const { margins } = await scorer.score(pairs);
    expect(Array.from(margins)).toEqual(pairs.map(({ query, document }) => scoreOf(query, document)));
    expect(server.seen.slice(1)).toHaveLength(6);
    expect(server.seen[1].body).toMatchObject({ raw_scores: true, truncate: true });
    expect(scorer.spent().promptTokens).toBe(200);
  });
});
