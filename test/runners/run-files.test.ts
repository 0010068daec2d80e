import { describe, expect, test } from 'vitest';
import { queryId } from '../../core/ids.js';
import { decodeParquet, encodeParquet } from '../../core/parquet.js';
import { decodeQueryWork, encodeDocTokens, encodeQueryWork } from '../../runners/run-files.js';

const refuse = (where: string, why: string) => new Error(`${where}: ${why}`);
const read = (bytes: Uint8Array) => decodeQueryWork(bytes, 'work.parquet', refuse);

describe('work.parquet', () => {
  test('gives back what each query cost, whatever its id', async () => {
    const rows = new Map([
      [queryId('__proto__'), { encode: { tokens: 3, flops: 2 ** 53 }, search: { flops: 0.5 } }],
      [queryId('天 <b>'), { search: { postings: 0 } }],
      [queryId('none'), {}],
    ]);
    expect(await read(encodeQueryWork(rows))).toEqual(rows);
    expect(await read(encodeQueryWork(new Map()))).toEqual(new Map());
  });

  test('has a column for each unit of each stage that was counted, and no other', async () => {
    const rows = new Map([[queryId('a'), { encode: { tokens: 3 }, rerank: { calls: 2 } }]]);
    const [row] = await decodeParquet(encodeQueryWork(rows), 'x');
    expect(row).toEqual({ 'query-id': 'a', 'encode.tokens': 3, 'rerank.calls': 2 });
  });

  test('columns of other names are passed over', async () => {
    const bytes = encodeParquet([
      { name: 'query-id', type: 'string', values: ['a'] },
      { name: 'search.flops', type: 'double', values: [4] },
      { name: 'search.joules', type: 'double', values: [1] },
    ]);
    expect(await read(bytes)).toEqual(new Map([['a', { search: { flops: 4 } }]]));
  });

  test.each([
    ['a query twice', ['a', 'a'], [1, 2], 'work.parquet row 2: its query stands there twice'],
    ['a negative count', ['a'], [-1], 'work.parquet row 1: `search.flops` is no number from 0'],
    ['NaN', ['a'], [Number.NaN], '`search.flops` is no number from 0'],
  ])('%s is refused', async (_, ids, values, message) => {
    const bytes = encodeParquet([
      { name: 'query-id', type: 'string', values: ids },
      { name: 'search.flops', type: 'double', values },
    ]);
    await expect(read(bytes)).rejects.toThrow(message);
  });

  test('a file without ids is refused', async () => {
    await expect(read(encodeParquet([{ name: 'x', type: 'int32', values: [1] }]))).rejects.toThrow(
      '`query-id` is no text',
    );
  });
});

test('doc-tokens.parquet has a row for each document and a column for each model', async () => {
  const bytes = encodeDocTokens(
    new Map([
      ['dense-tiny', Int32Array.of(3, 4)],
      ['ce-tiny', Int32Array.of(5, 6)],
    ]),
  );
  expect(await decodeParquet(bytes, 'x')).toEqual([
    { 'dense-tiny': 3, 'ce-tiny': 5 },
    { 'dense-tiny': 4, 'ce-tiny': 6 },
  ]);
});
