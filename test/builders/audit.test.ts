import { expect, test } from 'vitest';
import { auditNanoSet } from '../../builders/audit.js';
import { lengthsOf } from '../../builders/audit-lengths.js';
import { docId, queryId } from '../../core/ids.js';
import type { NanoSet, Pool } from '../../tasks/types.js';
import { builtNanoSet } from './build-memory.js';
import { wordCollection } from './memory-source.js';

const options = { queries: 8, docs: 40, depth: 20, poolSize: 5, dense: 'lsa@16' } as const;
const sound = () => builtNanoSet(wordCollection(60), { options });

function poolOf(rows: readonly (readonly [string, readonly string[], readonly string[]])[]): Pool {
  return new Map(
    rows.map(([query, docs, forced]) => [
      queryId(query),
      { docs: docs.map(docId), scores: docs.map((_, i) => -i), forced: forced.map(docId) },
    ]),
  );
}

/** A nano-set by hand; only the fields that the audit reads of the manifest are there. */
function nanoOf(parts: Partial<NanoSet>): NanoSet {
  const manifest = { language: 'en', domain: 'test' } as NanoSet['manifest'];
  const none = { docs: [], queries: [], judged: new Map(), pools: new Map() };
  return { task: 'mine/hand' as NanoSet['task'], ...none, manifest, ...parts };
}

const docs = [
  ['a', 'The quick brown fox jumps over the lazy dog'],
  ['b', 'A recipe for onion soup with cheese'],
  ['c', 'Weather in the harbor: fog'],
].map(([id, text]) => ({ id: docId(id), text }));
const queries = [
  ['1', 'quick BROWN  fox'],
  ['2', 'soup of the day'],
  ['3', 'zeppelin'],
].map(([id, text]) => ({ id: queryId(id), text }));
const judged = new Map(
  [
    ['1', 'a'],
    ['2', 'b'],
    ['3', 'c'],
  ].map(([query, doc]) => [queryId(query), new Map([[docId(doc), 1]])] as const),
);

test('a built nano-set has no errors, and the same audit every time', async () => {
  const nano = await sound();
  const audit = auditNanoSet(nano);
  expect(audit.errors).toEqual([]);
  expect(audit.duplicates).toEqual([]);
  expect(audit.task).toBe('mine/memory');
  expect(auditNanoSet(nano)).toEqual(audit);
  expect(JSON.parse(JSON.stringify(audit))).toEqual(audit);
});

test('overlap of queries with documents, by the terms of the task', () => {
  const audit = auditNanoSet(nanoOf({ docs, queries, judged }));
  expect(audit.positivesWithoutSharedTerm).toEqual(['3']);
  const { termsInPositives, termsInCorpus, verbatim } = audit.queryDocumentOverlap;
  // Stop words are no terms: query 2 is `soup`, `day`.
  expect(termsInPositives).toBeCloseTo((1 + 1 / 2 + 0) / 3, 12);
  expect(termsInCorpus).toBeCloseTo((1 + 1 / 2 + 0) / 3, 12);
  expect(verbatim).toEqual([{ query: '1', docs: 1, positives: 1 }]);
});

test('lengths are in code points, percentiles by nearest rank', () => {
  const texts = Array.from({ length: 20 }, (_, i) => ({ text: '😀'.repeat(i + 1) }));
  expect(lengthsOf(texts)).toEqual({ p5: 1, p25: 5, p50: 10, p75: 15, p95: 19, max: 20, mean: 10.5 });
  expect(lengthsOf([])).toEqual({ p5: 0, p25: 0, p50: 0, p75: 0, p95: 0, max: 0, mean: 0 });
});

test('candidate recall by depth, with and without forced rows', () => {
  const pools = new Map([
    [
      'hybrid',
      poolOf([
        ['1', ['b', 'a'], []],
        ['2', ['a', 'b'], ['b']],
        ['3', [], []],
      ]),
    ],
  ]);
  const { hybrid } = auditNanoSet(nanoOf({ docs, queries, judged, pools })).candidateRecall;
  expect(hybrid.withForced).toMatchObject({ 1: 0, 5: 2 / 3, 500: 2 / 3 });
  expect(hybrid.withoutForced).toMatchObject({ 1: 0, 5: 1 / 3, 500: 1 / 3 });
  expect(Object.keys(hybrid.withForced)).toEqual(['1', '5', '10', '20', '50', '100', '500']);
});

const errors: readonly (readonly [string, Partial<NanoSet>, RegExp])[] = [
  ['identical documents', { docs: [...docs, { id: docId('d'), text: docs[0].text }] }, /byte-identical: `a`, `d`/],
  ['a repeated id', { docs: [...docs, { id: docId('a'), text: 'x' }] }, /document id `a` stands twice/],
  ['an empty document', { docs: [...docs, { id: docId('d'), text: ' ' }] }, /document `d` is empty/],
  [
    'a query without a positive',
    { queries: [...queries, { id: queryId('4\n'), text: 'x' }] },
    /query `4\\x0a` has no relevant/,
  ],
  ['a judgement of nothing', { judged: new Map([...judged, [queryId('9'), new Map()]]) }, /judgement names `9`/],
  [
    'a pool that names a missing document',
    { pools: new Map([['bm25', poolOf([['1', ['x'], []]])]]) },
    /Pool `bm25`, query `1`: `x` is not there/,
  ],
  ['a pool without a row', { pools: new Map([['bm25', poolOf([['1', [], []]])]]) }, /query `2`: it has no row/],
  ['a document twice in a row', { pools: new Map([['bm25', poolOf([['1', ['a', 'a'], []]])]]) }, /stands twice/],
  [
    'a forced row that is not there',
    { pools: new Map([['hybrid', poolOf([['1', ['a'], ['b']]])]]) },
    /marked as forced/,
  ],
];

test.each(errors)('%s is an error', (_, parts, message) => {
  const audit = auditNanoSet(nanoOf({ docs, queries, judged, ...parts }));
  expect(audit.errors.join('\n')).toMatch(message);
});

test('groups of identical documents are listed', () => {
  const copies = [...docs, { id: docId('d'), text: docs[0].text }, { id: docId('e'), text: docs[0].text }];
  const audit = auditNanoSet(nanoOf({ docs: copies, queries, judged }));
  expect(audit.duplicates).toEqual([['a', 'd', 'e']]);
  expect(audit.nearDuplicates).toContainEqual({ a: 'a', b: 'e', jaccard: 1 });
});
