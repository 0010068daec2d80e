import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byCodePoint } from '../../core/order.js';
import { analyzers } from '../../runners/analyzers/index.js';
import { inCodePointOrder, vocabulary } from '../../runners/kernels/vocabulary.js';

const word = fc.constantFrom(
  'a',
  'The',
  'naïve',
  "isn't",
  'हिन्दी',
  '東京',
  '𝔘𝔫𝔦',
  '😀',
  'XMLHttp_v2',
  'running',
  'می\u200cشود',
);
const texts = fc.array(
  fc.oneof(
    fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  ),
  { maxLength: 6 },
);

describe.each(['unicode', 'english', 'code', 'bigram', 'snowball@tr'])('vocabulary over %s', (name) => {
  it('reads the terms that the analyzer gives, by whatever way', () => {
    fc.assert(
      fc.property(texts, (all) => {
        const analyzer = analyzers.bind(name);
        const words = vocabulary(analyzer);
        for (const text of all) {
          const length = words.read(text);
          const read = [...words.numbers().subarray(0, length)].map((number) => words.terms[number]);
          expect(read).toEqual(analyzer.analyze(text));
        }
        expect(new Set(words.terms).size).toBe(words.terms.length);
      }),
    );
  });
});

describe('vocabulary', () => {
  it('grows past its first tables', () => {
    const words = vocabulary(analyzers.bind('unicode'));
    const many = Array.from({ length: 60_000 }, (_, i) => `w${(i * 7919) % 60_000}`);
    for (let start = 0; start < many.length; start += 20_000) {
      const part = many.slice(start, start + 20_000);
      expect(words.read(part.join(' '))).toBe(part.length);
      expect(words.terms[words.numbers()[part.length - 1]]).toBe(part.at(-1));
    }
    expect(words.terms).toEqual(many);
    expect(words.read('w5 w59999 w0')).toBe(3);
    expect([...words.numbers().subarray(0, 3)].map((n) => words.terms[n])).toEqual(['w5', 'w59999', 'w0']);
  });

  it('asks a copy with another analyze, and not the rules of the original', () => {
    const unicode = analyzers.bind('unicode');
    const words = vocabulary({ ...unicode, analyze: () => ['same'] });
    expect(words.read('three other words')).toBe(1);
    expect(words.terms).toEqual(['same']);
  });
});

describe('inCodePointOrder', () => {
  it('numbers held terms as their code points order them', () => {
    const term = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
      fc
        .array(fc.constantFrom('a', '\u0000', '\ue000', '\ud800', '\udfff', '😀', '\uffff'), { minLength: 1 })
        .map((p) => p.join('')),
    );
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(term, fc.boolean()), { selector: ([text]) => text }), (rows) => {
        const terms = rows.map(([text]) => text);
        const held = rows.filter(([, isHeld]) => isHeld).map(([text]) => text);
        const { numbers, count, bytes } = inCodePointOrder(
          terms,
          Uint8Array.from(rows, ([, isHeld]) => (isHeld ? 1 : 0)),
        );
        const inOrder = [...held].sort(byCodePoint);
        expect([...numbers]).toEqual(terms.map((text) => inOrder.indexOf(text)));
        expect(count).toBe(held.length);
        expect(bytes).toBe(held.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
      }),
    );
  });
});
