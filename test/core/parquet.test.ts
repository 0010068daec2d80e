import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeParquet, encodeParquet } from '../../core/parquet.js';

const text = fc.string({ unit: 'grapheme' });

test('what is written is read: strings, lists, numbers, nulls, hostile ids', async () => {
  const row = fc.record({
    id: fc.oneof(
      text,
      fc.constantFrom('__proto__', '../x', '\ufeffbom', 'a\tb\nc', '<script>', 'x'.repeat(10_000), ''),
    ),
    score: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    ids: fc.array(text),
    scores: fc.array(fc.double({ noNaN: true })),
    meta: fc.option(text),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      const bytes = encodeParquet([
        { name: 'id', type: 'string', values: rows.map((r) => r.id) },
        { name: 'score', type: 'int32', values: rows.map((r) => r.score) },
        { name: 'ids', type: 'list<string>', values: rows.map((r) => r.ids) },
        { name: 'scores', type: 'list<double>', values: rows.map((r) => r.scores) },
        { name: 'meta', type: 'string', values: rows.map((r) => r.meta), optional: true },
      ]);
      expect(await decodeParquet(bytes, 'x.parquet')).toEqual(rows);
    }),
    { numRuns: 50 },
  );
});

test('same rows, same bytes', () => {
  const make = () => encodeParquet([{ name: 'id', type: 'string', values: ['b', 'a'] }]);
  expect(make()).toEqual(make());
});

test('many rows keep their order over row groups', async () => {
  const values = Array.from({ length: 130_000 }, (_, i) => `d${i}`);
  const rows = await decodeParquet(encodeParquet([{ name: '_id', type: 'string', values }]), 'x');
  expect(rows.map((row) => row._id)).toEqual(values);
});

test.each([0, 3, 100, 400])('a file cut to %i bytes is an error that names it', async (length) => {
  const whole = encodeParquet([{ name: 'id', type: 'string', values: Array.from({ length: 200 }, (_, i) => `${i}`) }]);
  await expect(decodeParquet(whole.slice(0, length), 'cut.parquet')).rejects.toThrow(/cut\.parquet.*cut off/s);
});

const golden = join(import.meta.dirname, '../golden/parquet');
const expected: Record<string, unknown[]> = JSON.parse(readFileSync(join(golden, 'expected.json'), 'utf8'));

// Files written by pyarrow 26 and DuckDB 2, copied from the shared fixtures: other writers' lists and codecs.
test.each(['pyarrow-snappy', 'pyarrow-zstd', 'pyarrow-item', 'pyarrow-large', 'duckdb-zstd'])(
  '%s is read right, byte-order marks and all',
  async (name) => {
    const rows = await decodeParquet(readFileSync(join(golden, `${name}.parquet`)), name);
    for (const column of ['_id', 'text', 'corpus-ids']) {
      expect(rows.map((row) => row[column])).toEqual(expected[column]);
    }
  },
);
