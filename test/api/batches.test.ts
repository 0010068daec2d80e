import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchesOf, estimatedTokens, placeOf, sendable } from '../../runners/backends/api/batches.js';
import { askHalving } from '../../runners/backends/api/in-parallel.js';

const tokens = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 60 });
const limits = fc.record({ inputs: fc.integer({ min: 1, max: 10 }), tokens: fc.integer({ min: 1, max: 50 }) });

test('batches are neighbours, all of them, within the limits, and as few as that allows', () => {
  fc.assert(
    fc.property(tokens, limits, (sizes, most) => {
      const batches = batchesOf(sizes, most);
      expect(batches.flatMap(({ start, end }) => sizes.slice(start, end))).toEqual(sizes);
      const sum = (start: number, end: number) => sizes.slice(start, end).reduce((all, one) => all + one, 0);
      for (const [i, { start, end }] of batches.entries()) {
        expect(start).toBe(batches[i - 1]?.end ?? 0);
        expect(end).toBeGreaterThan(start);
        expect(end - start).toBeLessThanOrEqual(most.inputs);
        if (end - start > 1) expect(sum(start, end)).toBeLessThanOrEqual(most.tokens);
        // One more would have been too much: neighbours taken greedily are as few as can be.
        const isLast = i === batches.length - 1;
        expect(isLast || end - start === most.inputs || sum(start, end + 1) > most.tokens).toBe(true);
      }
    }),
  );
});

test.each([
  [[], []],
  [[5], [1]],
  [[300], [1]],
  [
    [300, 1],
    [1, 1],
  ],
  [
    [50, 50, 1],
    [2, 1],
  ],
  [
    [1, 1, 1, 1],
    [3, 1],
  ],
])('tokens %j go in batches of %j under 3 texts and 100 tokens', (sizes, lengths) => {
  const batches = batchesOf(sizes, { inputs: 3, tokens: 100 });
  expect(batches.map(({ start, end }) => end - start)).toEqual(lengths);
});

test.each([
  ['', 1],
  ['a', 1],
  ['abcd', 2],
  ['日本語', 3],
  ['🚀', 2],
  ['\ud800', 1],
])('%j is estimated as %i tokens', (text, count) => {
  expect(estimatedTokens(text)).toBe(count);
});

test.each([
  ['', ' '],
  [' ', ' '],
  ['\n', '\n'],
  ['a\ud83d', 'a\ufffd'],
  ['\ude00a', '\ufffda'],
  ['\ud83d\ude00', '\ud83d\ude00'],
  ['\ud83d\ud83d\ude00', '\ufffd\ud83d\ude00'],
])('%j is sent as %j', (text, sent) => {
  expect(sendable(text)).toBe(sent);
});

test('what is sent has a UTF-8 form', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.integer({ min: 0, max: 3 }), (text, cut) => {
      const sent = sendable(text.slice(cut) || text);
      expect(Buffer.from(sent, 'utf8').toString('utf8')).toBe(sent);
    }),
  );
});

test('a place is counted from 1 and shows the beginning', () => {
  expect(placeOf('text', 0, [''])).toBe('text 1 of 1 ("")');
  expect(placeOf('text', 1, ['', 'x'.repeat(40)])).toBe(`text 2 of 2 ("${'x'.repeat(40)}")`);
  expect(placeOf('text', 0, ['🚀'.repeat(41)])).toBe(`text 1 of 1 ("${'🚀'.repeat(40)}…")`);
});

test('halving asks until everything fits and keeps the order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 9 }), async (count, most) => {
      const rows = await askHalving({ start: 0, end: count }, async ({ start, end }) =>
        end - start > most
          ? { kind: 'too-large', error: () => new Error('never') }
          : { kind: 'rows', rows: Array.from({ length: end - start }, (_, i) => start + i) },
      );
      expect(rows).toEqual(Array.from({ length: count }, (_, i) => i));
    }),
  );
});

test('halving ends with the error of the one that never fits', async () => {
  const asked: number[] = [];
  const halving = askHalving({ start: 0, end: 8 }, async ({ start, end }) => {
    asked.push(end - start);
    const holds = start <= 5 && 5 < end;
    return holds ? { kind: 'too-large', error: () => new Error(`at ${start}`) } : { kind: 'rows', rows: [] };
  });
  await expect(halving).rejects.toThrow('at 5');
  expect(asked).toEqual([8, 4, 4, 2, 1, 1]);
});
