import { describe, expect, test } from 'vitest';
import { parseSystem } from '../../runners/grammar.js';
import { namingCatalog } from '../../runners/models/catalog.js';
import { parseModelReference } from '../../runners/models/reference.js';

const isCard = (name: string) => name === 'card';
const parse = (text: string) => parseModelReference(text, isCard);

describe('a model reference', () => {
  test.each([
    ['card', { kind: 'card', text: 'card', name: 'card', dtype: null }],
    ['card@dtype=int8', { kind: 'card', text: 'card@dtype=int8', name: 'card', dtype: 'int8' }],
    ['./folder', { kind: 'folder', path: './folder', dtype: null }],
    ['../a/b@dtype=fp16', { kind: 'folder', path: '../a/b', dtype: 'fp16' }],
    ['/abs/folder', { kind: 'folder', path: '/abs/folder' }],
    ['card@maxLength=64', { kind: 'card', text: 'card@maxLength=64', dtype: null, maxLength: 64 }],
    ['./f@maxLength=8,dtype=int8', { text: './f@dtype=int8,maxLength=8', dtype: 'int8', maxLength: 8 }],
    ['hub:org/name@maxLength=32,v1.0', { text: 'hub:org/name@v1.0,maxLength=32', revision: 'v1.0', maxLength: 32 }],
    ['./x.mjs', { kind: 'module', path: './x.mjs' }],
    ['hub:org/name', { kind: 'hub', repo: 'org/name', revision: null, dtype: null }],
    ['hub:org/name@main', { kind: 'hub', repo: 'org/name', revision: 'main' }],
    [
      'hub:org/name@dtype=int8,v1.0',
      { kind: 'hub', text: 'hub:org/name@v1.0,dtype=int8', revision: 'v1.0', dtype: 'int8' },
    ],
    ['openai:text-embedding-3-small', { kind: 'service', service: 'openai', rest: 'text-embedding-3-small' }],
    ['openai:@cf/baai/bge-m3', { kind: 'service', rest: '@cf/baai/bge-m3' }],
    ['ollama:nomic-embed-text:v1.5', { kind: 'service', rest: 'nomic-embed-text:v1.5' }],
    ['tei:http://127.0.0.1:8080', { kind: 'service', rest: 'http://127.0.0.1:8080' }],
    ['llm:gpt@schedule=setwise.heapsort,children=3', { kind: 'service', service: 'llm' }],
  ])('%s', (text, expected) => {
    const reference = parse(text);
    expect(reference).toMatchObject(expected);
    // The canonical text reads back to itself.
    expect(parse(reference?.text ?? '')).toEqual(reference);
  });

  test.each(['bm25', 'other', 'card2', 'unknown:model', ''])('%j is none', (text) => {
    expect(parse(text)).toBeNull();
  });

  test.each([
    ['card@int8', /dtype/],
    ['card@dtype=int9', /Did you mean `int8`/],
    ['card@50', /dtype/],
    ['card@maxLength=7', /whole number of tokens from 8/],
    ['card@maxLength=1e3', /whole number|dtype and maxLength/],
    ['card@maxLength=9,maxLength=10', /each once/],
    ['hub:org/name@50', /not a revision/],
    ['hub:../etc', /name of a repository/],
    ['hub:a/b/c', /name of a repository/],
    ['hub:org/name@a,b', /one revision/],
    ['hub:org/name@../x', /not a revision/],
    ['./x.mjs@3', /no argument/],
    ['cohere:rerank@50', /no argument/],
    ['llm:gpt@schedule=pairwise.heapsort@3', /no argument/],
  ])('%s is refused', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});

describe('in a system', () => {
  const { catalog } = namingCatalog(['card', 'ce']);
  test.each([
    'card+truncate@64+int8+rescore@4',
    'hybrid > ce@100',
    'bm25 > ce@dtype=int8@50',
    'card@maxLength=64+int8 > ce@maxLength=128@20',
    'bm25 > ./folder@50 > hub:org/ce@main@20',
    'bm25 > hub:org/ce@20',
    'bm25 > llm:gpt@schedule=pairwise.heapsort@10',
    'card+prune(query=16,doc=128)',
    'rrf(bm25, ./x.mjs+int8, openai:small)',
  ])('%s is canonical', (text) => {
    expect(parseSystem(text, catalog).id).toBe(text);
  });

  test('a pruning may be written as other variants are', () => {
    expect(parseSystem('card+prune@query=16,doc=128', catalog).id).toBe('card+prune(query=16,doc=128)');
  });

  test('without a depth the default is filled in', () => {
    expect(parseSystem('bm25 > cohere:rerank', catalog).id).toBe('bm25 > cohere:rerank@100');
  });
});
