import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customModel } from '../../runners/backends/resolve/custom-model.js';
import { fakeRuntime } from './fake-models.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenbin-custom-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const texts = { docs: ['one', 'two', 'three'], queries: ['first'] };

async function prepared(name: string, source: string) {
  const path = join(folder, `${name}.mjs`);
  await writeFile(path, source);
  const model = await customModel({ kind: 'module', text: `./${name}.mjs`, path, digest: name } as never);
  return model.prepare(texts, fakeRuntime().engine);
}

describe('what a module answers is checked', () => {
  const family = (answer: string) =>
    `export const family = { family: 'lexical', prepare: () => ({ search: () => (${answer}) }) };`;

  test('an answer that keeps the contract is taken as it is', async () => {
    const { index } = await prepared('good', family('{ docs: [2, 0], scores: [1, 0.5] }'));
    const { docs, scores } = await index.search(0, 10);
    expect([[...docs], [...scores]]).toEqual([
      [2, 0],
      [1, 0.5],
    ]);
  });

  test.each([
    ['short', '{ docs: [0, 1], scores: [1] }', '2 documents and 1 scores'],
    ['above', '{ docs: [3], scores: [1] }', 'There is no document 3: positions go from 0 to 2'],
    ['below', '{ docs: [-1], scores: [1] }', 'There is no document -1'],
    ['between', '{ docs: [0.5], scores: [1] }', 'There is no document 0.5'],
    ['twice', '{ docs: [1, 0, 1], scores: [3, 2, 1] }', 'It gave document 1 twice'],
    ['text', '{ docs: "01", scores: [1, 2] }', 'an array of numbers is wanted'],
  ])('%s: %s', async (name, answer, problem) => {
    const { index } = await prepared(name, family(answer));
    await expect(index.search(0, 10)).rejects.toThrow(problem);
  });
});

test('a module that changes the texts it is given changes nobody else’s', async () => {
  await prepared(
    'changing',
    `export const family = { family: 'lexical', prepare: ({ docs, queries }) => {
       docs.length = 0; queries[0] = 'x';
       return { search: () => ({ docs: [], scores: [] }) };
     } };`,
  );
  expect(texts).toEqual({ docs: ['one', 'two', 'three'], queries: ['first'] });
});
