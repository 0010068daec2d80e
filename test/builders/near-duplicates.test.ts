import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearDuplicates, nearThreshold } from '../../builders/audit-near-duplicates.js';
import { estimate, signatureOf } from '../../builders/min-hash.js';
import { comparable, jaccard, shingleLength, shinglesOf } from '../../builders/shingles.js';
import { docId } from '../../core/ids.js';
import { mulberry32 } from '../../core/random.js';

/** Shingles as sets of strings, and their Jaccard index by definition. */
function naiveShingles(text: string): Set<string> {
  const plain = comparable(text);
  if (plain === '') return new Set();
  const starts = Array.from({ length: Math.max(1, plain.length - shingleLength + 1) }, (_, i) => i);
  return new Set(starts.map((start) => plain.slice(start, start + shingleLength)));
}

function naiveJaccard(x: ReadonlySet<string>, y: ReadonlySet<string>): number {
  const both = [...x].filter((shingle) => y.has(shingle)).length;
  const either = x.size + y.size - both;
  return either === 0 ? 0 : both / either;
}

/** Texts that share long stretches, so that every degree of overlap occurs. */
function family(count: number, seed: number): string[] {
  const next = mulberry32(seed);
  const word = () =>
    Array.from({ length: 3 + Math.floor(next() * 6) }, () => String.fromCharCode(97 + next() * 26)).join('');
  const texts: string[][] = [];
  for (let i = 0; i < count; i++) {
    const parent = next() < 0.5 ? texts[Math.floor(next() * texts.length)] : undefined;
    const rate = next() * 0.12;
    texts.push(parent?.map((old) => (next() < rate ? word() : old)) ?? Array.from({ length: 40 }, word));
  }
  return texts.map((words) => words.join(' '));
}

const docsOf = (texts: readonly string[]) => texts.map((text, i) => ({ id: docId(`d${i}`), text }));

test('shingles and their Jaccard index are those of the definition', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [x, y] = [a + b.slice(0, 20), b];
      expect(shinglesOf(x).length).toBe(naiveShingles(x).size);
      expect(jaccard(shinglesOf(x), shinglesOf(y))).toBe(naiveJaccard(naiveShingles(x), naiveShingles(y)));
    }),
  );
  expect(jaccard(shinglesOf(''), shinglesOf(' '))).toBe(0);
  expect(jaccard(shinglesOf('ab'), shinglesOf('AB '))).toBe(1);
});

test('the estimate is within five standard deviations of the Jaccard index', () => {
  const texts = family(60, 5);
  const signatures = texts.map((text) => signatureOf(shinglesOf(text)));
  const sets = texts.map(naiveShingles);
  for (const [i, a] of sets.entries()) {
    for (const [j, b] of sets.entries()) {
      const exact = naiveJaccard(a, b);
      const deviation = Math.sqrt((exact * (1 - exact)) / 128) + 1e-9;
      expect(Math.abs(estimate(signatures[i], signatures[j]) - exact)).toBeLessThan(5 * deviation + 0.02);
    }
  }
});

test('finds every pair that comparing all with all finds, in the order of the documents', () => {
  const texts = family(200, 9);
  const sets = texts.map(naiveShingles);
  const expected = sets.flatMap((a, i) =>
    sets.slice(i + 1).flatMap((b, j) => {
      const overlap = naiveJaccard(a, b);
      return overlap >= nearThreshold ? [{ a: `d${i}`, b: `d${i + 1 + j}`, jaccard: overlap }] : [];
    }),
  );
  expect(expected.length).toBeGreaterThan(20);
  expect(nearDuplicates(docsOf(texts))).toEqual(expected);
});

test('identical, empty and single documents', () => {
  expect(nearDuplicates([])).toEqual([]);
  expect(nearDuplicates(docsOf(['alone']))).toEqual([]);
  expect(nearDuplicates(docsOf(['', ' ', 'x']))).toEqual([]);
  expect(nearDuplicates(docsOf(['Same  text here', 'same text HERE']))).toEqual([{ a: 'd0', b: 'd1', jaccard: 1 }]);
});

test('a large family of copies stays linked without a pair for every two', () => {
  const pairs = nearDuplicates(
    docsOf(Array.from({ length: 300 }, (_, i) => `a text of some length that all share ${i % 10}`)),
  );
  expect(pairs.length).toBeLessThanOrEqual(300 * 32);
  const linked = new Set(pairs.flatMap(({ a, b }) => [a, b]));
  expect(linked.size).toBe(300);
});
