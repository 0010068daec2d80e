import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { docId } from '../../core/ids.js';
import { byCodePoint } from '../../core/order.js';
import { listFrom } from '../../results/measures/notation.js';
import { fixedOrders, inFixedOrder } from '../../results/order.js';
import { condensed, gradedList, tiedDocs } from '../../results/ties.js';

const ranking = (entries: readonly (readonly [string, number])[]) => ({
  docs: entries.map(([id]) => docId(id)),
  scores: entries.map(([, score]) => score),
});

describe('tie groups', () => {
  test('are exactly equal scores, and -0 equals 0', () => {
    const tied = tiedDocs(
      ranking([
        ['a', 0],
        ['b', 1],
        ['c', -0],
        ['d', 1 + Number.EPSILON],
        ['e', -1],
      ]),
      'q',
    );
    expect(tied).toEqual({ docs: ['d', 'b', 'a', 'c', 'e'], groupEnds: [1, 2, 4, 5] });
  });

  test('put infinities in their places, tied among themselves', () => {
    const { POSITIVE_INFINITY: inf, NEGATIVE_INFINITY: minus } = Number;
    const tied = tiedDocs(
      ranking([
        ['a', minus],
        ['b', inf],
        ['c', 0],
        ['d', inf],
        ['e', minus],
      ]),
      'q',
    );
    expect(tied).toEqual({ docs: ['b', 'd', 'c', 'a', 'e'], groupEnds: [2, 3, 5] });
  });

  test('of an empty ranking are none', () => {
    expect(tiedDocs({ docs: [], scores: [] }, 'q')).toEqual({ docs: [], groupEnds: [] });
  });

  test('refuse NaN with the query and document named, wherever it stands', () => {
    for (const scores of [[Number.NaN, 1], [1, Number.NaN], [Number.NaN]]) {
      const docs = scores.map((_, i) => docId(`d${i}`));
      const at = scores.findIndex(Number.isNaN);
      expect(() => tiedDocs({ docs, scores }, 'query `q1` of a.run')).toThrow(
        expect.objectContaining({
          code: 'not-finite',
          message: expect.stringContaining(`query \`q1\` of a.run, document \`d${at}\``),
        }),
      );
    }
  });

  test('refuse a document that stands twice, and lists of different lengths', () => {
    expect(() =>
      tiedDocs(
        ranking([
          ['a', 2],
          ['b', 1],
          ['a', 0],
        ]),
        'query `q`',
      ),
    ).toThrow(expect.objectContaining({ code: 'malformed', message: expect.stringContaining('document `a`') }));
    expect(() => tiedDocs({ docs: [docId('a')], scores: [] }, 'query `q`')).toThrow(/1 documents, 0 scores/);
  });
});

describe('fixed orders', () => {
  const tied = tiedDocs(
    ranking([
      ['z', 1],
      ['\u{1F600}', 1],
      ['～', 1],
      ['a', 2],
      ['b', 0],
    ]),
    'q',
  );

  test('break ties by id as trec_eval, ascending, or as given, by code point', () => {
    expect(inFixedOrder(tied, 'trec').docs).toEqual(['a', '\u{1F600}', '～', 'z', 'b']);
    expect(inFixedOrder(tied, 'id').docs).toEqual(['a', 'z', '～', '\u{1F600}', 'b']);
    expect(inFixedOrder(tied, 'input').docs).toEqual(['a', 'z', '\u{1F600}', '～', 'b']);
    for (const order of fixedOrders) expect(inFixedOrder(tied, order).groupEnds).toEqual([1, 2, 3, 4, 5]);
  });

  test('are those of a plain sort by score and id', () => {
    const entry = fc.tuple(fc.string({ unit: 'binary' }), fc.integer({ min: -1, max: 1 }));
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ([id]) => id }), (entries) => {
        const sorted = [...entries].sort(([a, x], [b, y]) => y - x || byCodePoint(b, a)).map(([id]) => id);
        expect(inFixedOrder(tiedDocs(ranking(entries), 'q'), 'trec').docs).toEqual(sorted);
      }),
    );
  });
});

test('a graded list tells unjudged from zero, and counts what was not retrieved', () => {
  const tied = tiedDocs(
    ranking([
      ['a', 2],
      ['b', 1],
      ['c', 1],
    ]),
    'q',
  );
  const grades = new Map([
    ['a', 0],
    ['c', -1],
    ['x', 3],
  ] as const);
  const list = gradedList(tied, new Map([...grades].map(([id, grade]) => [docId(id), grade])), 2);
  expect(list).toEqual({ grades: [0, null, -1], groupEnds: [1, 3], judged: [3, 0, -1], level: 2 });
});

test('a condensed list has neither unjudged nor negative documents, and the same ties among the rest', () => {
  const list = listFrom('- (1 - 0) (-1 -) (2 -) / 1');
  expect(condensed(list)).toEqual({ ...list, grades: [1, 0, 2], groupEnds: [2, 3] });
});
