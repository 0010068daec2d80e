import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatReply, TokenChance } from '../../runners/backends/llm/chat.js';
import { cutText } from '../../runners/backends/llm/cut.js';
import { readLabelOrder, readYesNo } from '../../runners/backends/llm/first-token.js';
import { readLabel } from '../../runners/backends/llm/label-answer.js';
import { readOrder } from '../../runners/backends/llm/order-answer.js';
import { answerText } from '../../runners/backends/llm/reading.js';

function reply(content: string | null, ...chances: readonly Readonly<Record<string, number>>[]): ChatReply {
  const listed = chances.map((position): TokenChance[] =>
    Object.entries(position).map(([token, logprob]) => ({ token, logprob })),
  );
  const facts = { finishReason: 'stop', promptTokens: 1, completionTokens: 1, servedModel: null, attempts: 1 };
  return { content, ...facts, chances: listed.length === 0 ? null : listed };
}

describe('a letter', () => {
  it.each([
    ['B', 1],
    [' b ', 1],
    ['Passage B', 1],
    ['**Passage A**.', 0],
    ['[C]', 2],
    ['"D"', 3],
    ['passage c!\n', 2],
    ['答: ', null],
  ])('%j is exact', (text, place) => {
    if (place === null) expect(readLabel(text, 4)).toEqual({ value: 0, outcome: 'malformed' });
    else expect(readLabel(text, 4)).toEqual({ value: place, outcome: 'clean' });
  });

  it.each([
    ['Passage B is more relevant than Passage A.', 1],
    ['The answer is B', 1],
    ['Answer: C because it names the year.', 2],
    ['The most relevant passage is Passage D', 3],
    ['A passage about cats is less useful, so [B]', 1],
    ['**B** because of the year', 1],
    ['C. It is the only one.', 2],
    ['Passage A: yes. I choose Passage A', 0],
  ])('%j is understood', (text, place) => {
    expect(readLabel(text, 4)).toEqual({ value: place, outcome: 'repaired' });
  });

  it.each([
    '',
    'Z',
    'E',
    'I do not know.',
    'A passage about cats',
    'Between Passage A and Passage B it is hard to say',
    '42',
    '\u0000\u{1F600}',
    'K', // The Kelvin sign is no letter of ours.
  ])('%j is not understood: the first passage stays', (text) => {
    expect(readLabel(text, 4)).toEqual({ value: 0, outcome: 'malformed' });
  });

  it('is in range for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[Pasge ABC()[\]*.:]{0,30}$/)),
        fc.integer({ min: 2, max: 26 }),
        (text, count) => {
          const { value } = readLabel(text, count);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThan(count);
        },
      ),
    );
  });

  it('reads the last letter of twenty-six', () => {
    expect(readLabel('Z', 26)).toEqual({ value: 25, outcome: 'clean' });
  });
});

describe('an order', () => {
  it.each([
    ['[2] > [3] > [1]', [1, 2, 0], 'clean'],
    ['Here it is:\n[ 2 ] > [3] > [1]', [1, 2, 0], 'clean'],
    ['[2]', [1, 0, 2], 'repaired'],
    ['[2] > [2] > [2] > [1]', [1, 0, 2], 'repaired'],
    ['[2] > [2] > [1]', [1, 0, 2], 'repaired'],
    ['[2] > [2] > [1] > [3]', [1, 0, 2], 'repaired'],
    ['[7] > [0] > [3] > [99999999999999999999999]', [2, 0, 1], 'repaired'],
    ['3, 1, 2', [2, 0, 1], 'repaired'],
    ['3 > 1', [2, 0, 1], 'repaired'],
    ['1. Passage 3\n2. Passage 1\n3. Passage 2', [2, 0, 1], 'repaired'],
    ['1. [3]\n2. [1]\n3. [2]', [2, 0, 1], 'clean'],
    ['', [0, 1, 2], 'malformed'],
    ['I cannot rank these.', [0, 1, 2], 'malformed'],
    ['[9] > [8]', [0, 1, 2], 'malformed'],
    ['[-1] > [1.5]', [0, 1, 2], 'repaired'],
  ] as const)('%j', (text, value, outcome) => {
    expect(readOrder(text, 3)).toEqual({ value, outcome });
  });

  it('names every passage once, whatever the text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.integer({ min: -3, max: 15 })).map((numbers) => numbers.map((n) => `[${n}]`).join(' > ')),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 12 }), (answer, count) => {
        const { value } = readOrder(answer, count);
        expect([...value].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
      }),
    );
  });

  it('written in full is read back exactly', () => {
    const orders = fc
      .integer({ min: 1, max: 30 })
      .chain((n) => fc.shuffledSubarray([...Array(n).keys()], { minLength: n }));
    fc.assert(
      fc.property(orders, (order) => {
        const text = order.map((place) => `[${place + 1}]`).join(' > ');
        expect(readOrder(text, order.length)).toEqual({ value: order, outcome: 'clean' });
      }),
    );
  });
});

describe('yes or no', () => {
  it('by probabilities: the difference of their logarithms, spellings added up', () => {
    const { value, outcome } = readYesNo(
      reply('Yes', { Yes: Math.log(0.5), ' yes': Math.log(0.25), NO: Math.log(0.125) }),
      'used',
    );
    expect(value).toBeCloseTo(Math.log(0.75 / 0.125), 12);
    expect(outcome).toBe('clean');
  });

  it('a word that is not listed is at most as likely as the least likely one', () => {
    const listed = { Yes: Math.log(0.6), Maybe: Math.log(0.3), Well: Math.log(0.05) };
    expect(readYesNo(reply('Yes', listed), 'used').value).toBeCloseTo(Math.log(0.6 / 0.05), 12);
  });

  it('and at most what the listed ones leave', () => {
    expect(readYesNo(reply('No', { No: Math.log(0.75) }), 'used').value).toBeCloseTo(Math.log(0.25 / 0.75), 12);
    // Rounded to certainty: bounded, not infinite.
    expect(readYesNo(reply('Yes', { Yes: 0 }), 'used').value).toBeCloseTo(-Math.log(1e-9), 9);
  });

  it('skips positions that are blank', () => {
    expect(
      readYesNo(reply('\nNo', { '\n': -0.01, Yes: -9 }, { No: Math.log(0.5), Yes: Math.log(0.25) }), 'used').value,
    ).toBeCloseTo(-Math.log(2), 12);
  });

  it.each([
    ['Yes', 1, 'clean'],
    [' no. ', -1, 'clean'],
    ['**Yes**', 1, 'clean'],
    ['Yes, it answers the query.', 1, 'repaired'],
    ['Well, no', -1, 'repaired'],
    ['Yes and no', 0, 'malformed'],
    ['Nobody knows yesterday', 0, 'malformed'],
    ['', 0, 'malformed'],
    [null, 0, 'malformed'],
  ] as const)('%j by the word alone', (content, value, outcome) => {
    expect(readYesNo(reply(content), 'absent')).toEqual({ value, outcome });
  });

  it('by the word where probabilities fail to come, and says so', () => {
    expect(readYesNo(reply('Yes'), 'used')).toEqual({ value: 1, outcome: 'repaired' });
    expect(readYesNo(reply('Hm', { Hm: -0.1 }), 'used')).toEqual({ value: 0, outcome: 'malformed' });
  });
});

describe('an order by likelihood', () => {
  it('goes by the letters’ probabilities, ties as they stood', () => {
    expect(readLabelOrder(reply('B', { A: -2, ' B': -0.5, C: -2, the: -1 }), 3)).toEqual({
      value: [1, 0, 2],
      outcome: 'clean',
    });
  });

  it('adds spellings up, ignores lower case and letters that were not shown', () => {
    const spellings = { A: Math.log(0.3), '[B': Math.log(0.2), B: Math.log(0.2), a: Math.log(0.29), D: -0.1 };
    expect(readLabelOrder(reply('B', spellings), 3)).toEqual({ value: [1, 0, 2], outcome: 'repaired' });
  });

  it('of nothing is the order as it stood', () => {
    expect(readLabelOrder(reply('B'), 2)).toEqual({ value: [0, 1], outcome: 'malformed' });
    expect(readLabelOrder(reply('B', {}), 2)).toEqual({ value: [0, 1], outcome: 'malformed' });
  });
});

describe('texts', () => {
  it('thoughts are not the answer, and an endless answer is cut', () => {
    expect(answerText(reply('<think>Passage A? No, B.</think>\n\nB'))).toBe('B');
    expect(answerText(reply('x'.repeat(1e6)))).toHaveLength(10_000);
    expect(answerText(reply(null))).toBe('');
  });

  it('long answers of brackets are read in no time that grows with their square', () => {
    for (const text of ['('.repeat(10_000), `A${')'.repeat(10_000)}x`, 'passage '.repeat(1250)]) {
      expect(readLabel(text, 4).outcome).not.toBe('clean');
      expect(readOrder(text, 4).outcome).toBe('malformed');
    }
  });

  it('are cut to a length, never inside a character', () => {
    expect(cutText('abcdef', 6)).toBe('abcdef');
    expect(cutText('abcdef', 5)).toBe('abcde');
    expect(cutText('a\u{1F600}b', 2)).toBe('a');
    expect(cutText('a\u{1F600}b', 3)).toBe('a\u{1F600}');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, length) => {
        const cut = cutText(text, length);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(length);
        // A lone surrogate would throw.
        expect(decodeURIComponent(encodeURIComponent(cut))).toBe(cut);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, length) - 1);
      }),
    );
  });
});
