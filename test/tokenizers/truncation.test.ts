import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canCutAtSpaces, firstIds } from '../../runners/tokenizers/prefix.js';
import { longestFirst } from '../../runners/tokenizers/truncation.js';

describe('longestFirst', () => {
  test.each([
    [3, 4, 10, [3, 4]],
    [3, 20, 10, [3, 7]],
    [20, 3, 10, [7, 3]],
    [20, 30, 10, [5, 5]],
    [20, 30, 11, [5, 6]],
    [30, 20, 11, [6, 5]],
    [20, 20, 11, [5, 6]],
    [0, 20, 11, [0, 11]],
    [5, 6, 0, [0, 0]],
  ] as const)('%i and %i in %i', (first, second, room, kept) => {
    expect(longestFirst(first, second, room)).toEqual(kept);
  });

  test('is what taking a token from the longer side again and again gives, but for who keeps the odd one', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), fc.nat(50), (first, second, room) => {
        let [a, b] = [first, second];
        while (a + b > room) {
          if (a > b) a--;
          else b--;
        }
        const kept = longestFirst(first, second, room);
        expect([...kept].sort((x, y) => x - y)).toEqual([a, b].sort((x, y) => x - y));
        expect(kept[0]).toBeLessThanOrEqual(first);
        expect(kept[1]).toBeLessThanOrEqual(second);
      }),
    );
  });
});

describe('firstIds', () => {
  const words = (text: string) => text.split(/\s+/).flatMap((word) => (word === '' ? [] : [word.length]));

  test('looks at the beginning of a long text only, and gives the ids that the whole text begins with', () => {
    const text = 'some words of a text '.repeat(50_000);
    const seen: number[] = [];
    const { ids, complete } = firstIds(text, 100, (part) => {
      seen.push(part.length);
      return words(part);
    });
    expect(complete).toBe(false);
    expect(ids.slice(0, 100)).toEqual(words(text).slice(0, 100));
    expect(Math.max(...seen)).toBeLessThan(5000);
  });

  test('goes on where the beginning holds too few tokens, and takes twice the work of the whole at worst', () => {
    const text = `${' '.repeat(100_000)}one two ${'\t'.repeat(100_000)} three`;
    let work = 0;
    const { ids, complete } = firstIds(text, 8, (part) => {
      work += part.length;
      return words(part);
    });
    expect({ ids, complete }).toEqual({ ids: [3, 3, 5], complete: true });
    expect(work).toBeLessThanOrEqual(3 * text.length);
  });

  test('a text without a place to cut is taken whole', () => {
    const { complete } = firstIds('a'.repeat(100_000), 8, (part) => [part.length]);
    expect(complete).toBe(true);
  });

  test('vocabularies that reach over the ends of words are never cut', () => {
    const addedTokens = ['[SEP]'];
    expect(canCutAtSpaces({ pieces: ['▁the', 'ab', '▁▁', 'Ġof'], addedTokens })).toBe(true);
    expect(canCutAtSpaces({ pieces: ['of▁the'], addedTokens })).toBe(false);
    expect(canCutAtSpaces({ pieces: ['ofĠthe'], addedTokens })).toBe(false);
    expect(canCutAtSpaces({ pieces: ['of the'], addedTokens })).toBe(false);
    expect(canCutAtSpaces({ pieces: [], addedTokens: ['a token'] })).toBe(false);
  });
});
