import { expect, test } from 'vitest';
import type { Collection } from '../../builders/collection.js';
import { documentText } from '../../builders/normal-text.js';
import { readCollection } from '../../builders/read.js';
import { type MemoryRows, memorySource, shuffled } from './memory-source.js';

const strict = { leniency: 'strict' } as const;
const lenient = { leniency: 'lenient' } as const;
const read = (rows: MemoryRows, options: typeof strict | typeof lenient = strict) =>
  readCollection(memorySource(rows), options);

async function textsOf(collection: Collection): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const { slot, text } of collection.texts()) texts.set(collection.docIds[slot], text);
  return texts;
}

/** Everything that a later stage can see, without the order of lines. */
async function seen(collection: Collection) {
  const judged = collection.queries.map(({ id, text }, i) => {
    const grades = [...collection.judged[i]].map(([slot, grade]) => [collection.docIds[slot], grade]);
    return [id, text, grades.sort()];
  });
  return { docs: [...(await textsOf(collection))].sort(), judged: judged.sort(), counts: collection.counts };
}

test('texts are NFC, trimmed, and joined by a blank line', () => {
  expect(documentText({ title: ' Cafe\u0301 ', text: '\t body\n' })).toEqual({ text: 'Café\n\nbody', repaired: false });
  expect(documentText({ title: 'Same', text: ' Same ' }).text).toBe('Same');
  expect(documentText({ title: '', text: 'body' }).text).toBe('body');
  expect(documentText({ title: 'title', text: ' \u3000\ufeff' }).text).toBe('title');
  expect(documentText({ title: 'e\u0301', text: 'é' }).text).toBe('é');
  expect(documentText({ title: '', text: 'a\0b\u200b' })).toEqual({ text: 'a\0b\u200b', repaired: false });
});

test('lone surrogates become U+FFFD, pairs stay', () => {
  expect(documentText({ title: '', text: 'a\ud800b😀\udc00' })).toEqual({ text: 'a\ufffdb😀\ufffd', repaired: true });
});

test('empty texts are dropped and counted, their judgements apart', async () => {
  const collection = await read({
    docs: [
      ['a', 'one'],
      ['b', ' \n'],
      ['c', '', 'title'],
    ],
    queries: [
      ['q', 'ask'],
      ['r', '\t'],
    ],
    qrels: [
      ['q', 'a', 1],
      ['q', 'b', 1],
      ['r', 'a', 1],
      ['r', 'b', 1],
    ],
  });
  expect(collection.docIds).toEqual(['a', 'c']);
  expect(collection.queries).toEqual([{ id: 'q', text: 'ask' }]);
  expect(collection.judged).toEqual([new Map([[0, 1]])]);
  expect(collection.counts).toMatchObject({
    read: { docs: 3, queries: 2, qrels: 4 },
    emptyDocs: 1,
    emptyQueries: 1,
    qrelsOfEmptyDocs: 1,
    qrelsOfEmptyQueries: 2,
    duplicateDocs: 0,
  });
});

test('byte-identical documents collapse into the smallest id with the highest grade', async () => {
  const collection = await read({
    docs: [
      ['\uff5e', 'same'],
      ['😀', 'same '],
      ['z', 'other'],
      ['b', 'sa', ''],
      ['a', 'same'],
    ],
    queries: [['q', 'ask']],
    qrels: [
      ['q', '😀', 2],
      ['q', 'a', 1],
      ['q', '\uff5e', 0],
      ['q', 'z', 0],
    ],
  });
  expect(collection.docIds).toEqual(['a', 'z', 'b']);
  expect(await textsOf(collection)).toEqual(
    new Map([
      ['a', 'same'],
      ['z', 'other'],
      ['b', 'sa'],
    ]),
  );
  expect(collection.judged[0]).toEqual(
    new Map([
      [0, 2],
      [1, 0],
    ]),
  );
  expect(collection.counts).toMatchObject({ duplicateDocs: 2, mergedQrels: 2 });
});

const sound: MemoryRows = {
  docs: [
    ['d1', 'one'],
    ['d2', 'two'],
  ],
  queries: [['q1', 'ask']],
  qrels: [['q1', 'd1', 1]],
};

const faults: readonly (readonly [string, MemoryRows, RegExp])[] = [
  [
    'a repeated document id',
    { ...sound, docs: [...sound.docs, ['d1', 'three']] },
    /document id stands twice.*corpus\.jsonl:3/,
  ],
  ['a repeated row', { ...sound, docs: [...sound.docs, ['d1', 'one']] }, /document id stands twice.*corpus\.jsonl:3/],
  [
    'an empty document that repeats an id',
    { ...sound, docs: [...sound.docs, ['d2', '']] },
    /stands twice.*corpus\.jsonl:3/,
  ],
  [
    'a repeated query id',
    { ...sound, queries: [...sound.queries, ['q1', 'x']] },
    /query id stands twice.*queries\.jsonl:2/,
  ],
  ['an unknown query', { ...sound, qrels: [...sound.qrels, ['q9', 'd1', 1]] }, /names a query.*`q9`.*qrels\.tsv:2/],
  [
    'an unknown document',
    { ...sound, qrels: [...sound.qrels, ['q1', 'd9', 1]] },
    /names a document.*`d9`.*qrels\.tsv:2/,
  ],
  ['a judgement made twice', { ...sound, qrels: [...sound.qrels, ['q1', 'd1', 0]] }, /judged twice.*qrels\.tsv:2/],
  ['an empty document id', { ...sound, docs: [...sound.docs, ['', 'x']] }, /id is empty.*corpus\.jsonl:3/],
  [
    'an id that UTF-8 cannot hold',
    { ...sound, docs: [...sound.docs, ['x\ud800', 'x']] },
    /not valid Unicode.*corpus\.jsonl:3/,
  ],
  [
    'a query id of that kind',
    { ...sound, queries: [...sound.queries, ['\udc00', 'x']] },
    /not valid Unicode.*queries\.jsonl:2/,
  ],
  ...['NaN', '', '1.5', '1.0', 'high', '0x1', '1e1', 'Infinity', '2147483648', '１'].map(
    (grade) =>
      [
        `the grade ${grade}`,
        { ...sound, qrels: [...sound.qrels, ['q1', 'd2', grade]] },
        /not a whole number.*qrels\.tsv:2/,
      ] as const,
  ),
];

test.each(faults)('%s is an error with file and line; lenient counts and drops it', async (_, rows, message) => {
  await expect(read(rows)).rejects.toThrow(message);
  await expect(read(rows)).rejects.toMatchObject({ code: 'malformed' });
  const collection = await read(rows, lenient);
  const { droppedDocs, droppedQueries, droppedQrels, read: found } = collection.counts;
  expect(droppedDocs + droppedQueries + droppedQrels).toBe(1);
  expect(found).toEqual({ docs: 2, queries: 1, qrels: 1 });
  expect(collection.judged).toEqual([new Map([[0, 1]])]);
});

test('whole grades of any sign are read', async () => {
  const grades = ['-1', '+2', '0', '-0', '2147483647'];
  const docs = grades.map((_, i) => [`d${i}`, `text ${i}`] as const);
  const collection = await read({
    docs,
    queries: [['q', 'x']],
    qrels: grades.map((g, i) => ['q', `d${i}`, g] as const),
  });
  expect([...collection.judged[0].values()]).toEqual([-1, 2, 0, 0, 2147483647]);
});

test('what lenient keeps does not depend on the order of lines', async () => {
  const rows: MemoryRows = {
    docs: [
      ['a', 'first'],
      ['a', 'second'],
      ['a', ''],
      ['b', ''],
      ['b', 'second'],
      ['c', ''],
      ['c', ''],
      ['d', 'fourth'],
    ],
    queries: [
      ['q', 'x'],
      ['q', 'y'],
      ['r', ''],
      ['r', 'z'],
    ],
    qrels: [
      ['q', 'a', 1],
      ['q', 'a', 2],
      ['q', 'b', 0],
      ['q', 'c', 1],
      ['r', 'd', 1],
      ['r', 'd', 1],
      ['r', 'd', 'x'],
      ['x', 'd', 1],
    ],
  };
  const expected = await seen(await read(rows, lenient));
  expect(expected.counts).toMatchObject({
    read: { docs: 4, queries: 2, qrels: 4 },
    emptyDocs: 1,
    droppedDocs: 4,
    droppedQrels: 4,
  });
  for (const step of [3, 5, 11, 17, 23]) {
    expect(await seen(await read(shuffled(rows, step), lenient))).toEqual(expected);
  }
});

test('a source that changes between two passes is an error', async () => {
  let pass = 0;
  const source = memorySource(sound);
  const changing = {
    ...source,
    docs: () => memorySource(pass++ === 0 ? sound : { ...sound, docs: [['d1', 'other']] }).docs(),
  };
  const collection = await readCollection(changing, strict);
  await expect(textsOf(collection)).rejects.toThrow(/changed while it was read/);
});
