import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeParquet } from '../../core/parquet.js';
import { decodeRun } from '../../results/readers/index.js';
import { bytesOf, failure } from './bytes.js';

const read = async (text: string) => (await decodeRun(bytesOf(text), 'a.run')).rankings;
const plain = (rankings: Awaited<ReturnType<typeof read>>) =>
  [...rankings].map(([query, { docs, scores }]) => [query, docs.map((doc, i) => [doc, scores[i]])]);

const two = [
  [
    'q1',
    [
      ['d1', 2.5],
      ['d2', 1],
    ],
  ],
  ['q2', [['d1', 3]]],
];

describe('one run in every form', () => {
  test.each([
    ['TREC run', 'q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 1 tag\nq2 Q0 d1 1 3 tag\n'],
    ['TREC run', '\ufeff\r\n  q1\tQ0  d1 9 2.5 tag\r\n\r\nq1 Q0 d2 9 +1 a tag of words\r\n \t\r\nq2 Q0 d1 x 3e0 tag'],
    ['JSON run', '{"q1":{"d1":2.5,"d2":1},"q2":{"d1":3}}'],
    ['JSON run', '\ufeff\n {\n "q1" : { "d1" : 2.5 , "\\u0064\\u0032" : 1 } ,\r\n\t"q2":{"d1":3.0}\n}\n'],
  ])('%s', async (format, text) => {
    for (const bytes of [bytesOf(text), gzipSync(bytesOf(text)), gzipSync(gzipSync(bytesOf(text)))]) {
      const run = await decodeRun(bytes, 'a.run');
      expect(plain(run.rankings)).toEqual(two);
      expect(run.format).toBe(bytes[0] === 0x1f ? `${format}, gzip` : format);
    }
  });

  test('our own Parquet, and one with a row per document', async () => {
    const lists = encodeParquet([
      { name: 'query-id', type: 'string', values: ['q1', 'q2'] },
      { name: 'corpus-ids', type: 'list<string>', values: [['d1', 'd2'], ['d1']] },
      { name: 'scores', type: 'list<double>', values: [[2.5, 1], [3]] },
    ]);
    expect(plain((await decodeRun(lists, 'a')).rankings)).toEqual(two);
    const flat = encodeParquet([
      { name: 'q_id', type: 'string', values: ['q1', 'q1', 'q2'] },
      { name: 'doc_id', type: 'string', values: ['d1', 'd2', 'd1'] },
      { name: 'score', type: 'int32', values: [2, 1, 3] },
    ]);
    const run = await decodeRun(flat, 'a');
    expect(run.format).toBe('Parquet run');
    expect(plain(run.rankings)[1]).toEqual(two[1]);
  });

  test('the order of the file is kept, and a query may come back', async () => {
    const rankings = await read('b Q0 10 1 1 t\na Q0 9 1 1 t\nb Q0 9 2 5 t\n');
    expect(plain(rankings)).toEqual([
      [
        'b',
        [
          ['10', 1],
          ['9', 5],
        ],
      ],
      ['a', [['9', 1]]],
    ]);
    expect(plain(await read('{"b":{"10":1,"9":5},"a":{"9":1}}'))).toEqual(plain(rankings));
  });
});

test('hostile ids are ids', async () => {
  const long = 'x'.repeat(10_000);
  for (const id of ['__proto__', '../x', '<script>', '\u{1F600}', 'é', 'e\u0301', '#1', '0', '007', 'a\u00a0b', long]) {
    expect(plain(await read(`${id} Q0 ${id} 1 1 t\n`))).toEqual([[id, [[id, 1]]]]);
    expect(plain(await read(JSON.stringify(JSON.parse(`{${JSON.stringify(id)}:{${JSON.stringify(id)}:1}}`))))).toEqual([
      [id, [[id, 1]]],
    ]);
  }
  expect(plain(await read('{"a\\tb\\n\\"\\\\":{"":1}, "":{}}'))).toEqual([
    ['a\tb\n"\\', [['', 1]]],
    ['', []],
  ]);
});

describe('a broken run names the file and line', () => {
  test.each([
    ['five columns', 'q Q0 d 1 2 t\nq Q0 e 1 2\n', 'malformed', /6 columns.*this one has 5: a\.run:2\b/],
    ['a broken line behind blank ones', '\n\nq Q0 d 1 2 t\n\nq\n', 'malformed', /a\.run:5\b/],
    ['a word as score', 'q Q0 d 1 abc t\n', 'malformed', /score is not a number: a\.run:1: `abc`/],
    ['a decimal comma', 'q Q0 d 1 1,5 t\n', 'malformed', /a\.run:1: `1,5`/],
    ['NaN', 'q Q0 d 1 1 t\nq Q0 e 2 nan t\n', 'not-finite', /a\.run:2: query `q`, document `e`/],
    [
      'a document twice',
      'q Q0 d 1 1 t\np Q0 d 1 1 t\nq Q0 d 2 0 t\n',
      'malformed',
      /twice.*a\.run:3: query `q`, document `d`/,
    ],
    ['an empty file', '', 'malformed', /no line: a\.run/],
    ['blank lines', '\n \n\t\n', 'malformed', /no line: a\.run/],
    ['qrels', 'q 0 d 1\nq 0 e 0\n', 'malformed', /This is a qrels file, and a run is needed.*QRELS RUN/],
    ['BEIR qrels', 'query-id\tcorpus-id\tscore\nq\td\t1\n', 'malformed', /This is a qrels file/],
    ['JSON cut off', '{"q":{"d":1,\n', 'malformed', /ends too early.*a\.run:2\b/],
    ['JSON with more', '{"q":{"d":1}}\n{}', 'malformed', /after the end.*a\.run:2\b/],
    ['JSON of lists', '{"q":["d"]}', 'malformed', /no `\{`/],
    ['JSON of texts', '{"q":{"d":"1"}}', 'malformed', /stands for a number/],
    ['JSON with null', '{"q":{"d":null}}', 'malformed', /`null` stands/],
    ['JSON with NaN', '{"q":{\n"d":NaN}}', 'not-finite', /a\.run:2: query `q`, document `d`/],
    ['JSON with a document twice', '{"q":{"d":1,\n"d":2}}', 'malformed', /twice.*a\.run:2: query `q`, document `d`/],
    ['JSON with a query twice', '{"q":{"d":1},\n"q":{"e":2}}', 'malformed', /twice.*a\.run:2: query `q`/],
    ['JSON without quotes', '{q:{"d":1}}', 'malformed', /double quotes/],
    ['JSON with an open quote', '{"q":{"d\\":1}}', 'malformed', /not closed/],
    ['JSON with a wrong escape', '{"q":{"\\x":1}}', 'malformed', /wrong escape/],
    ['JSON with a missing comma', '{"q":{"d":1 "e":2}}', 'malformed', /no `,` or `}`/],
    ['JSON with a last comma', '{"q":{"d":1,}}', 'malformed', /double quotes/],
    ['empty JSON', '{}', 'malformed', /no line/],
  ])('%s', async (_, text, code, message) => {
    const error = await failure(read(text));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  test('bytes that are no text, other compressions, and what is cut off', async () => {
    const latin1 = Uint8Array.from([...bytesOf('q Q0 a 1 1 t\nq Q0 '), 0xe9, ...bytesOf(' 2 0 t\n')]);
    expect((await failure(decodeRun(latin1, 'a.run'))).message).toMatch(/not UTF-8: a\.run:2\b/);
    expect((await failure(decodeRun(Uint8Array.of(0xff, 0xfe, 0x71, 0), 'a.run'))).message).toMatch(/UTF-16/);
    expect((await failure(decodeRun(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd), 'a.zst'))).message).toMatch(/zstd/);
    const zipped = gzipSync(bytesOf('q Q0 d 1 1 t\n'.repeat(100)));
    expect(await failure(decodeRun(zipped.subarray(0, 30), 'a.gz'))).toMatchObject({ code: 'damaged' });
    const parquet = encodeParquet([{ name: 'query-id', type: 'string', values: ['q'] }]);
    expect((await failure(decodeRun(parquet, 'a.parquet'))).message).toMatch(/lacks a column `corpus-id`/);
    expect(await failure(decodeRun(parquet.subarray(0, 20), 'a.parquet'))).toMatchObject({ code: 'damaged' });
  });
});

test('pieces of a large file join without a seam', async () => {
  // Above the 16 MiB that are decoded at once, in two-byte characters too.
  const line = (i: number) => `q${i % 3} Q0 ${'é'.repeat(1000)}${i} 1 ${i} t\n`;
  const lines = Array.from({ length: 9000 }, (_, i) => line(i));
  const rankings = await read(lines.join(''));
  expect([...rankings.values()].map(({ docs }) => docs.length)).toEqual([3000, 3000, 3000]);
  expect(rankings.get([...rankings.keys()][2])?.scores.at(-1)).toBe(8999);
});

test('any bytes end in a run or in one clear error', async () => {
  const word = fc.constantFrom(
    'q',
    'd',
    '1',
    '0.5',
    'nan',
    '{',
    '}',
    '"',
    ':',
    ',',
    '\\',
    'Q0',
    'é',
    '\t',
    '\n',
    ' ',
    '\r',
    't',
  );
  const text = fc.oneof(
    fc.array(word, { maxLength: 40 }).map((words) => words.join('')),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(text.map(bytesOf), fc.uint8Array()), async (bytes) => {
      const outcome = await decodeRun(bytes, 'f').catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome.name).toBe('TenbinError');
      else expect(outcome).toHaveProperty('rankings');
    }),
    { numRuns: 1000 },
  );
});

test('gzip in more than four layers is refused: a file that unzips to itself would never end', async () => {
  const layers = (count: number) =>
    Array.from({ length: count }).reduce<Uint8Array>((bytes) => gzipSync(bytes), bytesOf('1 Q0 a 1 2 t\n'));
  expect((await decodeRun(layers(4), 'r.gz')).format).toBe('TREC run, gzip');
  await expect(decodeRun(layers(5), 'r.gz')).rejects.toThrow('more than 4 layers: r.gz');
});
