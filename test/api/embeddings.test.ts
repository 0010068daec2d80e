import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bind, errorOf, openEncoder, testAccess } from './access.js';
import { ollama, openAi, type Variation, vectorOf } from './documented.js';
import { type Loopback, loopback, type Seen } from './loopback.js';

/** Two services that embed, through one set of expectations. */
const kinds = {
  openai: {
    model: 'openai:some-model',
    serve: (variation?: Variation) => loopback((seen) => openAi(seen, variation)),
    access: ({ url }: Loopback) => testAccess({ OPENAI_BASE_URL: `${url}/v1` }),
    inputs: ({ body }: Seen) => (body as { input: string[] }).input,
    mostInputs: 64,
    title: 'OpenAI',
  },
  ollama: {
    model: 'ollama:some-model:latest',
    serve: (variation?: Variation) => loopback((seen) => ollama(seen, variation)),
    access: ({ host }: Loopback) => testAccess({ OLLAMA_HOST: host }),
    inputs: ({ body }: Seen) => (body as { input: string[] }).input,
    mostInputs: 16,
    title: 'Ollama',
  },
} as const;

const float32 = (numbers: readonly number[]) => Array.from(Float32Array.from(numbers));

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  test('gives one vector per text, in the order of the texts', async () => {
    const server = await kind.serve();
    const encoder = await openEncoder(kind.model, kind.access(server));
    const texts = Array.from({ length: 3 * kind.mostInputs + 5 }, (_, i) => `text number ${i}`);
    const encoded = await encoder.encode(texts, 'document');
    if (encoded.kind !== 'dense') throw new Error(encoded.kind);
    expect(encoded.dims).toBe(4);
    expect(encoded.tokens).toBeNull();
    expect(encoded.vectors).toEqual(Float32Array.from(texts.flatMap((text) => vectorOf(text))));
    expect(server.seen).toHaveLength(4);
    expect(encoder.tokenIds('text', 'query')).toBeNull();
  });

  test('takes unicode, empty and very long texts', async () => {
    const server = await kind.serve();
    const encoder = await openEncoder(kind.model, kind.access(server));
    const texts = ['', '日本語 🚀 e\u0301', 'a\u0000b\n"\\', 'x'.repeat(2_000_000), '\ud800 half'];
    const sent = [' ', '日本語 🚀 e\u0301', 'a\u0000b\n"\\', 'x'.repeat(2_000_000), '\ufffd half'];
    const encoded = await encoder.encode(texts, 'document');
    // The long one goes alone, at the same time as others.
    const short = (text: string) => (text.length > 100 ? `${text.length} characters` : text);
    expect(server.seen.flatMap(kind.inputs).map(short).sort()).toEqual(sent.map(short).sort());
    expect(encoded).toMatchObject({ vectors: Float32Array.from(sent.flatMap((text) => vectorOf(text))) });
    expect(encoder.conditions).toMatchObject({ emptyTextSentAs: 'a single blank' });
  });

  test('any texts come back as the vectors of these texts', async () => {
    const server = await kind.serve({ dims: 3 });
    const encoder = await openEncoder(kind.model, kind.access(server));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 40 }), async (texts) => {
        const encoded = await encoder.encode(texts, 'query');
        expect(encoded).toMatchObject({ vectors: Float32Array.from(texts.flatMap((text) => vectorOf(text, 3))) });
      }),
      { numRuns: 15 },
    );
  });

  test('no texts are no request', async () => {
    const server = await kind.serve();
    const access = kind.access(server);
    const encoder = await openEncoder(kind.model, access);
    expect(await encoder.encode([], 'document')).toMatchObject({ kind: 'dense', dims: 1, vectors: new Float32Array() });
    await encoder.close();
    expect(server.seen).toEqual([]);
    expect(access.notes).toEqual([]);
  });

  test('steps add up to the texts', async () => {
    const server = await kind.serve();
    const encoder = await openEncoder(kind.model, kind.access(server));
    const steps: number[] = [];
    await encoder.encode(
      Array.from({ length: kind.mostInputs + 1 }, (_, i) => `${i}`),
      'document',
      (done) => steps.push(done),
    );
    expect(steps.sort((a, b) => a - b)).toEqual([1, kind.mostInputs]);
  });

  test.each([
    ['one vector too few', (entries: readonly unknown[]) => entries.slice(1)],
    ['one vector too many', (entries: readonly unknown[]) => [...entries, entries[0]]],
    ['none', () => []],
  ])('refuses %s', async (_, change) => {
    const server = await kind.serve({ change });
    const encoder = await openEncoder(kind.model, kind.access(server));
    const error = await errorOf(encoder.encode(['a', 'b'], 'document'));
    expect(error.code).toBe('malformed');
    expect(error.message).toContain(kind.title);
  });

  test('refuses vectors of different lengths, in one request and across requests', async () => {
    const server = await loopback((seen, nth) =>
      kind === kinds.openai ? openAi(seen, { dims: 3 + nth }) : ollama(seen, { dims: 3 + nth }),
    );
    const encoder = await openEncoder(kind.model, kind.access(server));
    await encoder.encode(['first'], 'document');
    const error = await errorOf(encoder.encode(['second'], 'query'));
    expect(error).toMatchObject({ code: 'malformed' });
    expect(error.message).toContain('4 dimensions for text 1 of 1 ("second"), 3 for texts before');
  });

  test('is the model of that name at that address, and not at another', async () => {
    const [here, there] = [await kind.serve(), await kind.serve()];
    const model = await bind(kind.model, kind.access(here));
    expect(model).toMatchObject({ kind: 'pretrained', family: 'dense', similarity: 'cosine', id: kind.model });
    expect(JSON.stringify(model.identity)).toContain(here.host);
    expect(model.identity).toEqual((await bind(kind.model, kind.access(here))).identity);
    expect(model.identity).not.toEqual((await bind(kind.model, kind.access(there))).identity);
    expect(model.identity).not.toEqual((await bind(`${kind.model}-2`, kind.access(here))).identity);
    expect(here.seen).toEqual([]);
  });
});

describe('openai', () => {
  const open = async (change: Variation['change'], texts: readonly string[]) => {
    const server = await loopback((seen) => openAi(seen, change && { change }));
    const encoder = await openEncoder('openai:m', testAccess({ OPENAI_BASE_URL: `${server.url}/v1` }));
    return encoder.encode(texts, 'document');
  };
  type Entry = { index: number; embedding: unknown };
  const entries = (change: (entries: Entry[]) => unknown[]) =>
    ((all: readonly unknown[]) => change(all as Entry[])) as Variation['change'];

  test('entries out of order are put in order by their index', async () => {
    const encoded = await open(
      entries((all) => [...all].reverse()),
      ['a', 'b', 'c'],
    );
    expect(encoded).toMatchObject({ vectors: Float32Array.from(['a', 'b', 'c'].flatMap((text) => vectorOf(text))) });
  });

  test('entries without any index stand in order', async () => {
    const encoded = await open(
      entries((all) => all.map(({ embedding }) => ({ embedding }))),
      ['a', 'b'],
    );
    expect(encoded).toMatchObject({ vectors: Float32Array.from(['a', 'b'].flatMap((text) => vectorOf(text))) });
  });

  test.each([
    ['missing', (all: Entry[]) => [all[0], all[2]], 'missing: 1'],
    ['twice', (all: Entry[]) => [...all, all[1]], 'more than once: 1'],
    ['beyond the request', (all: Entry[]) => [...all, { ...all[0], index: 7 }], 'not asked for: 7'],
    ['not whole', (all: Entry[]) => [...all.slice(1), { ...all[0], index: 0.5 }], 'missing: 0; not asked for: 0.5'],
    ['left out once', (all: Entry[]) => [{ embedding: [1] }, ...all.slice(1)], 'missing: 0; not asked for: -1'],
  ])('an index that is %s is named', async (_, change, named) => {
    const error = await errorOf(open(entries(change), ['a', 'b', 'c']));
    expect(error.code).toBe('malformed');
    expect(error.message).toContain(`of 3 indices, ${named}`);
  });

  test('base64 is little-endian float32', async () => {
    const base64 = (numbers: readonly number[]) => {
      const bytes = Buffer.alloc(4 * numbers.length);
      for (const [i, number] of numbers.entries()) bytes.writeFloatLE(number, 4 * i);
      return bytes.toString('base64');
    };
    const encoded = await open(
      entries((all) => all.map((entry) => ({ ...entry, embedding: base64(entry.embedding as number[]) }))),
      ['a', 'b'],
    );
    expect(encoded).toMatchObject({ vectors: Float32Array.from(['a', 'b'].flatMap((text) => vectorOf(text))) });
  });

  test.each([
    ['no base64', 'a b', 'malformed', 'no vector for text 2 of 2 ("the second")'],
    ['base64 of three bytes', 'AAAA', 'malformed', 'no vector for text 2 of 2 ("the second")'],
    ['base64 of a NaN', 'AADAfwAAwH8AAMB/AADAfw==', 'not-finite', 'NaN for text 2 of 2 ("the second")'],
    ['an empty vector', [], 'malformed', 'no vector for text 2 of 2'],
    ['no vector', { values: [1] }, 'malformed', 'no vector for text 2 of 2'],
    ['null', [0, null, 0, 0], 'not-finite', 'null for text 2 of 2 ("the second")'],
    ['a word', [0, 'x', 0, 0], 'malformed', 'string where a number is wanted, for text 2 of 2'],
    ['more than a float32 holds', [0, 1e39, 0, 0], 'not-finite', '1e+39 for text 2 of 2'],
    ['another length', [0, 0, 0], 'malformed', '3 dimensions for text 2 of 2 ("the second"), 4 for texts before'],
  ])('%s for a vector is an error that names the text', async (_, embedding, code, named) => {
    const change = entries((all) => [all[0], { ...all[1], embedding }]);
    const error = await errorOf(open(change, ['the first', 'the second']));
    expect(error.code).toBe(code);
    expect(error.message).toContain(named);
  });

  test.each(['NaN', 'Infinity', '-Infinity', '1e400', '-1e400'])(
    'a bare %s in the JSON names the text',
    async (word) => {
      const text = `{"data":[{"index":0,"embedding":[1,2],"note":"NaN \\" NaN"},{"index":1,"embedding":[1,${word}]}]}`;
      const server = await loopback(() => ({ text }));
      const encoder = await openEncoder('openai:m', testAccess({ OPENAI_BASE_URL: server.url }));
      const error = await errorOf(encoder.encode(['a', 'b'], 'document'));
      expect(error.code).toBe('not-finite');
      expect(error.message).toContain('text 2 of 2 ("b")');
      expect(server.seen).toHaveLength(1);
    },
  );

  test('the whole vector is asked for, as numbers', async () => {
    const server = await loopback((seen) => openAi(seen));
    const encoder = await openEncoder('openai:m', testAccess({ OPENAI_BASE_URL: `${server.url}/v1/` }));
    await encoder.encode(['a'], 'query');
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      path: '/v1/embeddings',
      body: { model: 'm', input: ['a'], encoding_format: 'float' },
    });
    expect(server.seen[0].headers.authorization).toBeUndefined();
  });

  test('a key goes along where there is one', async () => {
    const server = await loopback((seen) => openAi(seen));
    const access = testAccess({ OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: ' sk-test-1\n' });
    await (await openEncoder('openai:m', access)).encode(['a'], 'query');
    expect(server.seen[0].headers.authorization).toBe('Bearer sk-test-1');
  });

  test('requests that are too large are halved until they fit', async () => {
    const server = await loopback((seen) => {
      const { input } = seen.body as { input: string[] };
      if (input.length <= 3) return openAi(seen);
      const message = `Requested ${input.length} tokens, max 3 tokens per request`;
      return { status: 400, json: { error: { message, code: 'max_tokens_per_request' } } };
    });
    const encoder = await openEncoder('openai:m', testAccess({ OPENAI_BASE_URL: `${server.url}/v1` }));
    const texts = Array.from({ length: 11 }, (_, i) => `t${i}`);
    expect(await encoder.encode(texts, 'document')).toMatchObject({
      vectors: Float32Array.from(texts.flatMap((text) => vectorOf(text))),
    });
  });

  test('a text that is too long by itself is named, wherever it stands', async () => {
    const message = "This model's maximum context length is 8192 tokens, however you requested 9000 tokens.";
    const server = await loopback((seen) =>
      (seen.body as { input: string[] }).input.some((text) => text.length > 20)
        ? { status: 400, json: { error: { message, type: 'invalid_request_error' } } }
        : openAi(seen),
    );
    const encoder = await openEncoder('openai:m', testAccess({ OPENAI_BASE_URL: `${server.url}/v1` }));
    const texts = Array.from({ length: 40 }, (_, i) => (i === 26 ? 'far too long a text for this' : `t${i}`));
    const error = await errorOf(encoder.encode(texts, 'document'));
    expect(error.code).toBe('refused');
    expect(error.message).toContain('text 27 of 40 ("far too long a text for this")');
    expect(error.message).toContain('maximum context length is 8192');
  });
});

describe('ollama', () => {
  test('asks for texts to be cut at the end', async () => {
    const server = await loopback((seen) => ollama(seen));
    const encoder = await openEncoder('ollama:nomic-embed-text', testAccess({ OLLAMA_HOST: `${server.url}/` }));
    await encoder.encode(['a'], 'query');
    expect(server.seen[0]).toMatchObject({
      path: '/api/embed',
      body: { model: 'nomic-embed-text', input: ['a'], truncate: true },
    });
  });

  test('a model that is not there says how to fetch it', async () => {
    const server = await loopback(() => ({
      status: 404,
      json: { error: 'model "m" not found, try pulling it first' },
    }));
    const encoder = await openEncoder('ollama:m', testAccess({ OLLAMA_HOST: server.host }));
    const error = await errorOf(encoder.encode(['a'], 'document'));
    expect(error.code).toBe('missing');
    expect(error.message).toContain('`ollama pull m`');
    expect(server.seen).toHaveLength(1);
  });

  test('numbers are the nearest float32', async () => {
    const server = await loopback(() => ({ json: { embeddings: [[0.1, 1e-50, -3.0000000001]] } }));
    const encoder = await openEncoder('ollama:m', testAccess({ OLLAMA_HOST: server.host }));
    const encoded = await encoder.encode(['a'], 'document');
    expect(encoded.kind === 'dense' && Array.from(encoded.vectors)).toEqual(float32([0.1, 0, -3]));
  });
});
