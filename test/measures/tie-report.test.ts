import { expect, test } from 'vitest';
import { docId, queryId } from '../../core/ids.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { type TieRequest, tieFacts } from '../../results/tie-report.js';

const ranking = (entries: readonly (readonly [string, number])[]) => ({
  docs: entries.map(([id]) => docId(id)),
  scores: entries.map(([, score]) => score),
});
const request: TieRequest = {
  rankings: new Map([
    // Two pairs of ties; the relevant documents are b (second by id) and c.
    [
      queryId('tied'),
      ranking([
        ['b', 2],
        ['a', 2],
        ['c', 1],
        ['d', 1],
        ['e', 0],
      ]),
    ],
    [
      queryId('plain'),
      ranking([
        ['a', 2],
        ['b', 1],
      ]),
    ],
  ]),
  judged: new Map([
    [queryId('tied'), new Map([[docId('b'), 1]])],
    [queryId('plain'), new Map([[docId('b'), 1]])],
    [queryId('missing'), new Map([[docId('b'), 1]])],
  ]),
  measures: [parseMeasure('RR@10'), parseMeasure('P@1')],
  precision: 'f64',
};

test('counts ties, and says what each order of them would give', () => {
  const facts = tieFacts(request);
  expect(facts).toMatchObject({
    precision: 'f64',
    queries: 3,
    tiedQueries: 1,
    tieGroups: 2 / 3,
    tiedDocuments: 4 / 3,
    distinctScores: (3 + 2 + 0) / 3,
  });
  // RR of `tied` is 1 or 1/2, of `plain` 1/2, of `missing` 0. Input and trec order (descending) have b first.
  const rr = facts?.measures['RR@10'];
  expect(rr?.expected).toBeCloseTo((3 / 4 + 1 / 2) / 3, 12);
  expect([rr?.min, rr?.max].map((value) => Number(value?.toFixed(12)))).toEqual([
    Number((1 / 3).toFixed(12)),
    Number((1 / 2).toFixed(12)),
  ]);
  expect(rr?.range).toBeCloseTo(1 / 6, 12);
  expect(rr?.oblivious.trec).toBeCloseTo(1 / 2, 12);
  expect(rr?.oblivious.input).toBeCloseTo(1 / 2, 12);
  expect(rr?.oblivious.id).toBeCloseTo(1 / 3, 12);
  expect(rr?.bias.trec).toBeCloseTo(1 / 12, 12);
  expect(rr?.bias.id).toBeCloseTo(-1 / 12, 12);
});

test('a lower precision makes ties that the scores do not have', () => {
  const close = ranking([
    ['a', 0.90001],
    ['b', 0.9],
  ]);
  const one = { ...request, rankings: new Map([[queryId('plain'), close]]), topics: 'retrieved' } as const;
  expect(tieFacts(one)).toMatchObject({ tiedQueries: 0, distinctScores: 2 });
  expect(tieFacts({ ...one, precision: 'bf16' })).toMatchObject({
    tiedQueries: 1,
    distinctScores: 1,
    measures: { 'RR@10': { expected: 3 / 4, min: 1 / 2, max: 1, bias: { trec: 1 / 4 } } },
  });
});

test('without a query there is nothing to say', () => {
  expect(tieFacts({ ...request, judged: new Map() })).toBeNull();
});
