import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { docId, queryId } from '../../core/ids.js';
import { encodeParquet } from '../../core/parquet.js';
import { echoesGrades } from '../../results/readers/echo.js';
import { decodeQrels } from '../../results/readers/index.js';
import { bytesOf, failure } from './bytes.js';

const read = async (text: string) => (await decodeQrels(bytesOf(text), 'q.txt')).judged;
const plain = (judged: Awaited<ReturnType<typeof read>>) => [...judged].map(([query, grades]) => [query, [...grades]]);

const two = [
  [
    'q1',
    [
      ['d1', 2],
      ['d2', 0],
    ],
  ],
  ['q2', [['d1', -1]]],
];

describe('the same qrels in every form', () => {
  test.each([
    ['TREC qrels', 'q1 0 d1 2\nq2 0 d1 -1\nq1 0 d2 0\n'],
    ['TREC qrels', '\ufeffq1\tx  d1\t2 \r\n\r\n q1 0 d2 0\r\nq2 0 d1 -1'],
    ['BEIR qrels', 'query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td1\t-1\n'],
    ['BEIR qrels', '\ufeff\nquery-id\tcorpus-id\tscore\r\nq1\t d1 \t2.0\r\n\r\nq1\td2\t0\r\nq2\td1\t-1'],
    ['JSON qrels', '{"q1":{"d1":2,"d2":0},"q2":{"d1":-1}}'],
  ])('%s', async (format, text) => {
    for (const bytes of [bytesOf(text), gzipSync(bytesOf(text))]) {
      const qrels = await decodeQrels(bytes, 'q.txt');
      expect(plain(qrels.judged)).toEqual(two);
      expect(qrels.format).toBe(bytes[0] === 0x1f ? `${format}, gzip` : format);
    }
  });

  test('Parquet as our nano-sets have it', async () => {
    const bytes = encodeParquet([
      { name: 'query-id', type: 'string', values: ['q1', 'q1', 'q2'] },
      { name: 'corpus-id', type: 'string', values: ['d1', 'd2', 'd1'] },
      { name: 'score', type: 'int32', values: [2, 0, -1] },
    ]);
    const qrels = await decodeQrels(bytes, 'q.parquet');
    expect(qrels.format).toBe('Parquet qrels');
    expect(plain(qrels.judged)).toEqual(two);
  });
});

test('ids of BEIR may hold blanks, and any id may be hostile', async () => {
  expect(plain(await read('query-id\tcorpus-id\tscore\n__proto__\ta doc  of words\t1\n'))).toEqual([
    ['__proto__', [['a doc  of words', 1]]],
  ]);
  expect(plain(await read('__proto__ 0 __proto__ 1\n7 0 d 1\n007 0 d 1\n'))).toEqual([
    ['__proto__', [['__proto__', 1]]],
    ['7', [['d', 1]]],
    ['007', [['d', 1]]],
  ]);
  expect(plain(await read('{"__proto__":{"__proto__":1},"q":{}}'))).toEqual([
    ['__proto__', [['__proto__', 1]]],
    ['q', []],
  ]);
});

describe('broken qrels name the file and line', () => {
  test.each([
    ['three columns', 'q 0 d 1\nq 0 1\n', /4 columns.*this one has 3: q\.txt:2.*header/],
    ['five columns', 'q 0 d 1 x\n', /this one has 5: q\.txt:1\b/],
    ['BEIR without its header', 'q\td\t1\n', /this one has 3.*header `query-id corpus-id score`/],
    [
      'BEIR with a short line',
      'query-id\tcorpus-id\tscore\nq\td\n',
      /3 columns between tabs.*this one has 2: q\.txt:2\b/,
    ],
    ['BEIR with an empty id', 'query-id\tcorpus-id\tscore\nq\t\t1\n', /empty id: q\.txt:2\b/],
    ['a word as grade', 'q 0 d good\n', /grade is not a whole number: q\.txt:1: `good`/],
    ['a fraction', 'q 0 d 0.9\n', /q\.txt:1: `0\.9`/],
    ['an infinite grade', 'q 0 d inf\n', /q\.txt:1: `inf`/],
    ['NaN', '{"q":{"d":NaN}}', /q\.txt:1: `NaN`/],
    ['a fraction in JSON', '{"q":{"d":1,\n"e":0.5}}', /q\.txt:2: `0\.5`.*A run has scores/],
    ['a document twice', 'q 0 d 1\np 0 d 1\nq 0 d 1\n', /twice.*q\.txt:3: query `q`, document `d`/],
    ['a document twice in JSON', '{"q":{"d":1,"d":1}}', /twice/],
    ['a query twice in JSON', '{"q":{},"q":{}}', /query stands twice/],
    ['an empty file', '', /no judgement: q\.txt/],
    ['a header alone', 'query-id\tcorpus-id\tscore\n', /no judgement: q\.txt/],
    ['a run', 'q Q0 d 1 0.5 tag\n', /This is a run, and a qrels file is needed.*QRELS RUN/],
  ])('%s', async (_, text, message) => {
    const error = await failure(read(text));
    expect(error.code).toBe('malformed');
    expect(error.message).toMatch(message);
  });

  test('a run in Parquet', async () => {
    const run = encodeParquet([
      { name: 'query-id', type: 'string', values: ['q1'] },
      { name: 'corpus-ids', type: 'list<string>', values: [['d1']] },
      { name: 'scores', type: 'list<double>', values: [[2.5]] },
    ]);
    expect((await failure(decodeQrels(run, 'q.parquet'))).message).toMatch(/This is a run/);
  });
});

describe('a run that says what the judgements say', () => {
  const judged = new Map([
    [
      queryId('q'),
      new Map([
        [docId('a'), 1],
        [docId('b'), 0],
      ]),
    ],
  ]);
  const run = (docs: readonly string[], scores: readonly number[]) =>
    echoesGrades(new Map([[queryId('q'), { docs: docs.map(docId), scores }]]), judged);

  test.each([
    [['a', 'b'], [1, 0], true],
    [['a', 'b'], [1, 0.5], false],
    [['a', 'c'], [1, 0], false],
    [['a'], [1], false],
    [[], [], false],
  ])('%j with %j: %s', (docs, scores, echoes) => {
    expect(run(docs, scores)).toBe(echoes);
  });
});
