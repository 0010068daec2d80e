import { expect, test } from 'vitest';
import { auditNanoSet } from '../../builders/audit.js';
import { docId, queryId } from '../../core/ids.js';
import { buildMemory, builtNanoSet, filesBelow, temporaryRoot } from './build-memory.js';
import type { MemoryRows } from './memory-source.js';

const ids = [
  '../x',
  '/etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(10_000),
  '👩‍👩‍👧',
  '\uff5e',
  '<script>alert(1)</script>',
  'tab\there',
  'line\nbreak\r\n',
  '\0',
  ' ',
  '"quoted", \'single\'',
  '\ufeffbom',
  '-1',
];

const options = { depth: 10, poolSize: 5, dense: 'lsa@8' } as const;

test('ids are any text at all', async () => {
  const rows: MemoryRows = {
    docs: ids.map((id, i) => [id, `text number${i} of many words ${i % 3}`]),
    queries: ids.map((id, i) => [id, `number${i} words`]),
    qrels: ids.map((id, i) => [id, ids[(i + 1) % ids.length], (i % 3) + 1]),
  };
  const nano = await builtNanoSet(rows, { options });
  expect(new Set(nano.docs.map(({ id }) => id))).toEqual(new Set(ids));
  for (const [i, id] of ids.entries()) {
    const next = docId(ids[(i + 1) % ids.length]);
    expect(nano.judged.get(queryId(id))).toEqual(new Map([[next, (i % 3) + 1]]));
    expect(nano.pools.get('hybrid')?.has(queryId(id))).toBe(true);
  }
  expect(auditNanoSet(nano).errors).toEqual([]);
});

test('texts are any text at all', async () => {
  const texts = [
    '\0',
    'a\ud800b',
    '\u202egnp.exe',
    'x'.repeat(200_000),
    '🏳️‍🌈',
    '\ufeff\ufeffbom inside \ufeff x',
    "'; DROP TABLE",
  ];
  const rows: MemoryRows = {
    docs: texts.map((text, i) => [`d${i}`, text]),
    queries: [['q', 'bom\ud800 inside']],
    qrels: [['q', 'd5', 1]],
  };
  const nano = await builtNanoSet(rows, { options });
  expect(nano.docs.map(({ text }) => text)).toEqual([
    '\0',
    'a\ufffdb',
    '\u202egnp.exe',
    'x'.repeat(200_000),
    '🏳️‍🌈',
    'bom inside \ufeff x',
    "'; DROP TABLE",
  ]);
  expect(nano.queries[0].text).toBe('bom\ufffd inside');
  expect(nano.manifest.counts.repairedTexts).toBe(2);
});

test('meta of queries is kept, whatever its keys', async () => {
  const meta = new Map([['q', JSON.parse('{"__proto__": "x", "level": 3, "odd\\ud800": true}')]]);
  const rows: MemoryRows = {
    docs: [['d', 'word']],
    queries: [
      ['q', 'word'],
      ['r', 'word'],
    ],
    qrels: [
      ['q', 'd', 1],
      ['r', 'd', 1],
    ],
    meta,
  };
  const { queries } = await builtNanoSet(rows, { options });
  expect(queries[0].meta).toMatchObject({ level: 3 });
  expect(queries[1].meta).toBeUndefined();
});

test('one document and one query', async () => {
  const nano = await builtNanoSet({ docs: [['d', 'only word']], queries: [['q', 'word']], qrels: [['q', 'd', 1]] });
  for (const pool of nano.pools.values()) expect(pool.get(queryId('q'))?.docs).toEqual(['d']);
  expect(nano.manifest.pools.hybrid).toMatchObject({ recallAt100: 1, nDCGAt10: 1, oracleAt10: 1, forcedRows: 0 });
});

test('a query that shares nothing with a corpus without words', async () => {
  const rows: MemoryRows = {
    docs: [
      ['d', '!!!'],
      ['e', '???'],
    ],
    queries: [['q', '...']],
    qrels: [['q', 'd', 1]],
  };
  const nano = await builtNanoSet(rows, { options });
  expect(nano.pools.get('bm25')?.get(queryId('q'))?.docs).toEqual([]);
  expect(nano.pools.get('hybrid')?.get(queryId('q'))?.docs.length).toBe(2);
});

test('limits larger than the collection take all of it', async () => {
  const rows: MemoryRows = {
    docs: [
      ['d', 'a b'],
      ['e', 'b c'],
    ],
    queries: [['q', 'b']],
    qrels: [['q', 'e', 1]],
  };
  const nano = await builtNanoSet(rows, {
    options: { queries: 1_000_000, docs: 10_000_000, depth: 100_000, poolSize: 100_000 },
  });
  expect(nano.docs.length).toBe(2);
  expect(nano.pools.get('dense')?.get(queryId('q'))?.docs.length).toBe(2);
});

test('identical documents become one', async () => {
  const rows: MemoryRows = {
    docs: ['b', 'c', 'a'].map((id) => [id, 'the same text']),
    queries: [['q', 'text']],
    qrels: [
      ['q', 'c', 2],
      ['q', 'b', 1],
    ],
  };
  const nano = await builtNanoSet(rows);
  expect(nano.docs).toEqual([{ id: 'a', text: 'the same text' }]);
  expect(nano.judged.get(queryId('q'))).toEqual(new Map([['a', 2]]));
  expect(nano.manifest.counts).toMatchObject({ duplicateDocs: 2, mergedQrels: 1 });
});

test('more positives than documents are allowed: the limit gives way and the manifest says so', async () => {
  const docs = Array.from({ length: 30 }, (_, i) => [`d${i}`, `word ${i} text`] as const);
  const rows: MemoryRows = {
    docs,
    queries: [['q', 'word']],
    qrels: docs.slice(0, 12).map(([id]) => ['q', id, 1] as const),
  };
  const { docs: kept, manifest } = await builtNanoSet(rows, { options: { ...options, docs: 5 } });
  expect(kept.length).toBe(12);
  expect(manifest.notes.join(' ')).toMatch(/12 relevant documents, more than the limit of 5: the limit gave way/);
});

test('empty sources fail with a sentence and write nothing', async () => {
  const root = await temporaryRoot();
  const outcome = await buildMemory(root, { docs: [], queries: [['q', 'x']], qrels: [] });
  expect(outcome).toMatchObject({ status: 'failed', error: /No query of this source has a relevant document/ });
  expect((await filesBelow(root)).size).toBe(0);
});
