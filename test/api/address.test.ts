import { describe, expect, test } from 'vitest';
import { apiModels, missingFor } from '../../runners/backends/api/index.js';
import { bind, errorOf, testAccess } from './access.js';

/** The address that a model is asked at, as its identity has it. */
async function addressOf(text: string, environment: Record<string, string>): Promise<unknown> {
  const { identity } = await bind(text, testAccess(environment));
  return (identity as Record<string, unknown>).address;
}

describe('addresses', () => {
  test.each([
    ['openai:m', {}, 'api.openai.com/v1'],
    ['openai:m', { OPENAI_BASE_URL: '' }, 'api.openai.com/v1'],
    ['openai:m', { OPENAI_BASE_URL: ' https://my.host/openai/v1// ' }, 'my.host/openai/v1'],
    ['openai:m', { OPENAI_BASE_URL: 'HTTP://Host:8080/v1' }, 'host:8080/v1'],
    ['cohere:m', {}, 'api.cohere.com'],
    ['cohere:m', { COHERE_BASE_URL: 'http://localhost:1/' }, 'localhost:1'],
    ['jina:m', {}, 'api.jina.ai/v1'],
    ['ollama:m', {}, '127.0.0.1:11434'],
    ['ollama:m', { OLLAMA_HOST: 'localhost' }, 'localhost:11434'],
    ['ollama:m', { OLLAMA_HOST: '10.0.0.5:1234' }, '10.0.0.5:1234'],
    ['ollama:m', { OLLAMA_HOST: '0.0.0.0' }, '127.0.0.1:11434'],
    ['ollama:m', { OLLAMA_HOST: '0.0.0.0:80' }, '127.0.0.1'],
    ['ollama:m', { OLLAMA_HOST: ':1234' }, '127.0.0.1:1234'],
    ['ollama:m', { OLLAMA_HOST: '[::1]' }, '[::1]:11434'],
    ['ollama:m', { OLLAMA_HOST: '[::]:1234' }, '[::1]:1234'],
    ['ollama:m', { OLLAMA_HOST: 'http://box' }, 'box'],
    ['ollama:m', { OLLAMA_HOST: 'https://box:444/' }, 'box:444'],
    ['ollama:m', { OLLAMA_HOST: '"http://box:1/proxy/"' }, 'box:1/proxy'],
  ])('%s with %j is asked at %s', async (text, environment, address) => {
    expect(await addressOf(text, environment)).toBe(address);
  });

  test.each([
    ['openai:m', { OPENAI_BASE_URL: 'https://user:secret@host/v1' }, 'user name or password'],
    ['openai:m', { OPENAI_BASE_URL: 'https://secret@host/v1' }, 'user name or password'],
    ['openai:m', { OPENAI_BASE_URL: 'https://host/v1?key=secret' }, 'query'],
    ['openai:m', { OPENAI_BASE_URL: 'https://host/v1#secret' }, 'query or fragment'],
    ['openai:m', { OPENAI_BASE_URL: 'secret/v1' }, 'begins with http:// or https://'],
    ['openai:m', { OPENAI_BASE_URL: 'ftp://secret' }, 'begins with http:// or https://'],
    ['openai:m', { OPENAI_BASE_URL: 'http://' }, 'is not an address'],
    ['openai:m', { OPENAI_BASE_URL: 'http://host:secret' }, 'is not an address'],
    ['cohere:m', { COHERE_BASE_URL: 'https://user:secret@host' }, 'COHERE_BASE_URL holds'],
    ['jina:m', { JINA_BASE_URL: 'https://user:secret@host' }, 'JINA_BASE_URL holds'],
    ['ollama:m', { OLLAMA_HOST: 'http://user:secret@host' }, 'OLLAMA_HOST holds'],
    ['ollama:m', { OLLAMA_HOST: 'user:secret@host' }, 'OLLAMA_HOST wants'],
    ['ollama:m', { OLLAMA_HOST: 'ftp://secret' }, 'OLLAMA_HOST wants'],
    ['tei:http://user:secret@host', {}, 'user name or password'],
    ['tei:http://host?secret', {}, 'query'],
    ['tei:secret', {}, 'begins with http:// or https://'],
    ['tei:', {}, 'needs an address'],
    ['tei:http://secret secret', {}, 'no blanks'],
  ])('%s with %j is refused without showing it', async (text, environment, says) => {
    const error = await errorOf(bind(text, testAccess(environment)));
    expect(error.code).toBe('usage');
    expect(error.message).toContain(says);
    expect(`${error.message}${JSON.stringify(error.parts)}${error.cause}`).not.toContain('secret');
  });
});

describe('names of models', () => {
  test.each([
    'text-embedding-3-small',
    'nomic-embed-text:v1.5',
    'hf.co/org/Model-GGUF:Q4_K_M',
    '@cf/baai/bge-m3',
    'モデル',
  ])('%s is the canonical text as given', async (name) => {
    for (const kind of ['openai', 'ollama', 'cohere', 'jina']) {
      expect((await bind(`${kind}:${name}`, testAccess({}))).id).toBe(`${kind}:${name}`);
    }
  });

  test.each(['', ' ', 'a b', 'a\tb', 'a+b', 'a>b', 'a,b', 'a(b', 'a)b', 'a\u0000', 'a\u202eb', 'x'.repeat(301)])(
    '%j is refused',
    async (name) => {
      for (const kind of ['openai', 'ollama', 'cohere', 'jina']) {
        const error = await errorOf(bind(`${kind}:${name}`, testAccess({})));
        expect(error.code).toBe('usage');
        expect(error.message).toContain(`\`${kind}:<model>\``);
      }
    },
  );

  test('the kinds are these, each with a summary', () => {
    expect(apiModels.map(({ name }) => name)).toEqual(['openai', 'ollama', 'tei', 'cohere', 'jina']);
    for (const { summary } of apiModels) expect(summary).not.toBe('');
  });
});

describe('keys', () => {
  test.each([
    ['openai', {}, 'OPENAI_API_KEY'],
    ['openai', { OPENAI_API_KEY: ' ' }, 'OPENAI_API_KEY'],
    ['openai', { OPENAI_API_KEY: 'k' }, null],
    ['openai', { OPENAI_BASE_URL: 'http://localhost:1/v1' }, null],
    ['openai', { OPENAI_BASE_URL: 'https://api.openai.com/v1/' }, 'OPENAI_API_KEY'],
    ['openai', { OPENAI_BASE_URL: 'nonsense' }, null],
    ['cohere', {}, 'COHERE_API_KEY'],
    ['cohere', { COHERE_BASE_URL: 'http://localhost:1' }, null],
    ['jina', {}, 'JINA_API_KEY'],
    ['jina', { JINA_API_KEY: 'k' }, null],
    ['ollama', {}, null],
    ['tei', {}, null],
    ['bm25', {}, null],
    ['toString', {}, null],
  ])('%s with %j misses %s', (name, environment, missing) => {
    expect(missingFor(name, environment)).toBe(missing);
  });

  test.each(['openai', 'cohere', 'jina'])('%s at its own host does not open without a key', async (kind) => {
    const access = testAccess({});
    const model = await bind(`${kind}:m`, access);
    const error = await errorOf(model.open(access));
    expect(error.code).toBe('missing');
    expect(error.message).toContain(`Set ${kind.toUpperCase()}_API_KEY`);
  });

  test.each(['k k', 'k\r\nx: y', 'ключ', 'k\u0000'])('a key like %j is refused without showing it', async (key) => {
    const access = testAccess({ OPENAI_API_KEY: key });
    const error = await errorOf((await bind('openai:m', access)).open(access));
    expect(error.code).toBe('usage');
    expect(error.message).toContain('OPENAI_API_KEY');
    expect(error.message).not.toContain(key);
  });
});
