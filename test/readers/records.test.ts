import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodeParquet } from '../../core/parquet.js';
import { decodeQrels, decodeRun } from '../../results/readers/index.js';
import { bytesOf, failure } from './bytes.js';

const run = async (text: string) => {
  const { rankings, format } = await decodeRun(bytesOf(text), 'a.run');
  return { format, rows: [...rankings].map(([query, { docs, scores }]) => [query, docs, scores]) };
};
const qrels = async (text: string) => {
  const { judged, format } = await decodeQrels(bytesOf(text), 'q.txt');
  return { format, rows: [...judged].map(([query, grades]) => [query, [...grades]]) };
};

const rows = [
  ['q1', ['d1', 'd2'], [2.5, 1]],
  ['__proto__', ['d1'], [3]],
];

describe('a run with a row per document', () => {
  test.each([
    [
      'JSON records run',
      '{"query_id": "q1", "doc_id": "d1", "score": 2.5}\n\n{"doc_id": "d2", "query_id": "q1", "score": 1, "run": "x"}\r\n{"query_id":"__proto__","doc_id":"d1","score":3}',
    ],
    [
      'JSON records run',
      '[\n  {"query_id": "q1", "doc_id": "d1", "score": 2.5},\n{"query_id": "q1", "doc_id": "d2", "score": 1},\n{"query_id": "__proto__", "doc_id": "d1", "score": 3}]',
    ],
    ['table run', 'query_id,doc_id,score\nq1,d1,2.5\nq1,d2,1\n__proto__,d1,3\n'],
    ['table run', '\ufeffscore,"qid",docno,more\r\n2.5,q1,d1,\r\n"1",q1,"d2",x\r\n3e0,__proto__,d1,"a ""b"", c"\r\n'],
    ['table run', 'q_id\tdoc_id\tscore\nq1\td1\t2.5\nq1\td2\t1\n__proto__\td1\t3'],
  ])('%s %#', async (format, text) => {
    expect(await run(text)).toEqual({ format, rows });
    const zipped = await decodeRun(gzipSync(bytesOf(text)), 'a.gz');
    expect(zipped.format).toBe(`${format}, gzip`);
  });

  test('nested JSON stays nested JSON, whatever its queries and documents are called', async () => {
    expect(await run('{"query_id":{"doc_id":1}}')).toEqual({
      format: 'JSON run',
      rows: [['query_id', ['doc_id'], [1]]],
    });
    expect((await run('{}\n').catch((error: Error) => error)) instanceof Error).toBe(true);
  });

  test('ids may hold separators in quotes, and be numbers in JSON', async () => {
    expect((await run('query_id,doc_id,score\n"a,b","c ""d""",1\n')).rows).toEqual([['a,b', ['c "d"'], [1]]]);
    expect((await run('{"query_id": 7, "doc_id": 12, "score": 1}')).rows).toEqual([['7', ['12'], [1]]]);
  });
});

describe('qrels with a row per document', () => {
  test.each([
    [
      'JSON records qrels',
      '{"query_id": "q", "doc_id": "d", "relevance": 2}\n{"query_id": "q", "doc_id": "e", "relevance": -1}',
    ],
    [
      'JSON records qrels',
      '[{"query_id": "q", "doc_id": "d", "relevance": 2, "iteration": "0"}, {"query_id": "q", "doc_id": "e", "relevance": -1}]',
    ],
    ['table qrels', 'query_id,doc_id,relevance,iteration\nq,d,2,0\nq,e,-1,0\n'],
    ['table qrels', 'query_id\tdoc_id\trelevance\nq\td\t2\nq\te\t-1\n'],
    ['BEIR qrels', 'query-id\tcorpus-id\tscore\nq\td\t2\nq\te\t-1\n'],
  ])('%s %#', async (format, text) => {
    expect(await qrels(text)).toEqual({
      format,
      rows: [
        [
          'q',
          [
            ['d', 2],
            ['e', -1],
          ],
        ],
      ],
    });
  });
});

describe('a broken file names its line', () => {
  test.each([
    [
      'a document twice',
      'query_id,doc_id,score\nq,d,1\np,d,1\nq,d,2\n',
      'malformed',
      /twice.*a\.run:4: query `q`, document `d`/,
    ],
    [
      'a document twice in records',
      '{"query_id":"q","doc_id":"d","score":1}\n{"query_id":"q","doc_id":"d","score":2}',
      'malformed',
      /twice.*a\.run:2/,
    ],
    ['NaN', 'query_id,doc_id,score\nq,d,1\nq,e,NaN\n', 'not-finite', /a\.run:3: query `q`, document `e`/],
    [
      'NaN in records',
      '{"query_id":"q","doc_id":"d","score":1}\n{"query_id":"q","doc_id":"e","score":NaN}',
      'malformed',
      /NaN or Infinity.*a\.run:2/,
    ],
    [
      'no score',
      'query_id,doc_id,rank\nq,d,1\n',
      'malformed',
      /lacks a column `score`: a\.run:1: it has query_id, doc_id, rank/,
    ],
    [
      'no score in a record',
      '{"query_id":"q","doc_id":"d","score":1}\n{"query_id":"q","doc_id":"d"}',
      'malformed',
      /lacks a column `score`: a\.run:2/,
    ],
    ['a score that is none', 'query_id,doc_id,score\nq,d,high\n', 'malformed', /a\.run:2: `high`/],
    ['a text as score', '{"query_id":"q","doc_id":"d","score":"1"}', 'malformed', /score is not a number: a\.run:1/],
    ['a null id', '{"query_id":"q","doc_id":null,"score":1}', 'malformed', /id is not text: a\.run:1: null/],
    ['too few columns', 'query_id,doc_id,score\nq,d\n', 'malformed', /names 3 columns, and this line has 2: a\.run:2/],
    ['an open quote', 'query_id,doc_id,score\n"q,d,1\n', 'malformed', /not closed.*a\.run:2/],
    ['text after a quote', 'query_id,doc_id,score\n"q"x,d,1\n', 'malformed', /follows a closing quote: a\.run:2/],
    ['a header alone', 'query_id,doc_id,score\n', 'malformed', /no line: a\.run/],
    ['an empty array', '[]', 'malformed', /no line: a\.run/],
    ['an array of numbers', '[1]', 'malformed', /no record.*a\.run:1/],
    ['a record cut off', '{"query_id":"q","doc_id":"d","score":1}\n{"query_id":"q"', 'malformed', /no JSON: a\.run:2/],
    [
      'qrels as a table',
      'query_id,doc_id,relevance\nq,d,1\n',
      'malformed',
      /This is a qrels file, and a run is needed.*QRELS RUN/,
    ],
    ['qrels as records', '{"query_id":"q","doc_id":"d","relevance":1}', 'malformed', /This is a qrels file/],
    [
      'values per query of ir_measures',
      'q1\tnDCG@10\t0.5\nq2\tnDCG@10\t0.1\n',
      'malformed',
      /values of measures, not a run.*/,
    ],
    [
      'trec_eval’s output',
      'map                   \tall\t0.5\n',
      'malformed',
      /this one has 3: a\.run:1.*values of measures/,
    ],
  ])('%s', async (_, text, code, message) => {
    const error = await failure(run(text));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  test('a run as qrels', async () => {
    expect((await failure(qrels('query_id,doc_id,score\nq,d,0.5\n'))).message).toMatch(
      /grade is not a whole.*q\.txt:2: `0\.5`/,
    );
    expect((await failure(qrels('q Q0 d 1 0.5 tag\n'))).message).toMatch(/This is a run, and a qrels file is needed/);
  });

  test('qrels in Parquet as a run', async () => {
    const flat = encodeParquet([
      { name: 'query_id', type: 'string', values: ['q'] },
      { name: 'doc_id', type: 'string', values: ['d'] },
      { name: 'relevance', type: 'int32', values: [1] },
    ]);
    expect((await failure(decodeRun(flat, 'a.parquet'))).message).toMatch(/This is a qrels file.*a\.parquet, row 1/);
    const beir = encodeParquet([
      { name: 'query-id', type: 'string', values: ['q', 'q'] },
      { name: 'corpus-id', type: 'string', values: ['d', 'e'] },
      { name: 'score', type: 'int32', values: [1, 2] },
    ]);
    expect((await failure(decodeRun(beir, 'b.parquet'))).message).toMatch(/This is a qrels file.*b\.parquet/);
    const { judged } = await decodeQrels(flat, 'a.parquet');
    expect([...judged].map(([query, grades]) => [query, [...grades]])).toEqual([['q', [['d', 1]]]]);
  });

  test.each([
    ['lz4', [0x04, 0x22, 0x4d, 0x18], /lz4.*Run\.from_file/],
    ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a], /xz -dk/],
    ['zstd', [0x28, 0xb5, 0x2f, 0xfd], /zstd -d/],
  ])('%s says how to unpack it', async (_, magic, message) => {
    expect((await failure(decodeRun(Uint8Array.from([...magic, 0]), 'a'))).message).toMatch(message);
  });
});

describe('TREC files', () => {
  test('hand on the tag of their last line', async () => {
    expect((await decodeRun(bytesOf('q Q0 d 1 2 first\nq Q0 e 2 1 last more\n\n'), 'a')).tag).toBe('last');
    expect((await decodeRun(bytesOf('{"q":{"d":1}}'), 'a')).tag).toBeUndefined();
  });

  test('may have comments, and a query may begin with the sign', async () => {
    const text = '#made by hand\n# with six words in this one\n#1 Q0 d 1 2 t\n  # tail\n';
    expect((await run(text)).rows).toEqual([['#1', ['d'], [2]]]);
    expect((await qrels('# four words here\n#1 0 d 1\n# and so many more of them\n')).rows).toEqual([
      ['#1', [['d', 1]]],
    ]);
  });

  test('name the line of what stands twice or is NaN behind blank lines, comments and other queries', async () => {
    const text = '\n# x\nq Q0 d 1 2 t\np Q0 d 1 2 t\n\nq Q0 e 1 2 t\nq Q0 d 1 3 t\n';
    expect((await failure(run(text))).message).toMatch(/a\.run:7: query `q`, document `d`/);
    expect((await failure(run(text.replace('3 t', 'nan t').replace(/q Q0 d 1 2/, 'q Q0 f 1 2')))).message).toMatch(
      /a\.run:7: query `q`/,
    );
  });
});

const shared = join(import.meta.dirname, '../../../shared/runs');
const hasShared = existsSync(join(shared, 'ranx/raw/run.json'));
const needsShared = hasShared ? '' : ' (skipped: ../shared is not here)';

describe.skipIf(!hasShared)(`files that ranx and ir_measures wrote${needsShared}`, () => {
  const bytes = (name: string) => readFileSync(join(shared, name));

  test.each([
    ['run.json', 'JSON run'],
    ['run.parquet', 'Parquet run'],
    ['run.trec', 'TREC run'],
    ['run.trec.gz', 'TREC run, gzip'],
  ])('ranx %s', async (name, format) => {
    const { rankings, ...file } = await decodeRun(bytes(`ranx/raw/${name}`), name);
    expect(file.format).toBe(format);
    expect([...rankings].map(([query, { docs, scores }]) => [query, docs, scores])).toEqual([
      ['q1', ['d3', 'd2', 'd1'], [0.3, 0.2, 0.1]],
      ['q2', ['d2', 'd1'], [0.2, 0.1]],
    ]);
  });

  test.each(['qrels.json', 'qrels.parquet', 'qrels.trec', 'qrels.trec.gz'])('ranx %s', async (name) => {
    const { judged } = await decodeQrels(bytes(`ranx/raw/${name}`), name);
    expect([...judged].map(([query, grades]) => [query, Object.fromEntries(grades)])).toEqual([
      ['q1', { d1: 1, d2: 2, d3: 3 }],
      ['q2', { d1: 1, d2: 2 }],
    ]);
  });

  test('ranx run.lz4 is named with what to do', async () => {
    expect((await failure(decodeRun(bytes('ranx/raw/run.lz4'), 'run.lz4'))).message).toMatch(
      /in lz4.*save\("a\.json"\)/,
    );
  });

  test('the runs and qrels of ir_measures', async () => {
    expect((await decodeRun(bytes('ir_measures/raw/cwl.run'), 'cwl.run')).tag).toBe('R1');
    expect((await decodeQrels(bytes('ir_measures/raw/compat.qrels'), 'compat.qrels')).format).toBe('TREC qrels');
  });
});
