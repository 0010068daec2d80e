import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preparedSparse } from '../../runners/families/sparse.js';
import { parseSystem } from '../../runners/grammar.js';
import type { Prepared, SparseRows } from '../../runners/system.js';
import { heaviest, prune, pruneGrid } from '../../runners/variants/prune.js';
import { lexicalSubject, outputOf, sparseRows, sparseSubject } from './subjects.js';

type Row = readonly (readonly [term: number, weight: number])[];
const rowsOf = ({ offsets, terms, weights }: SparseRows): [number, number][][] =>
  Array.from({ length: offsets.length - 1 }, (_, row) =>
    Array.from(terms.subarray(offsets[row], offsets[row + 1]), (term, i) => [term, weights[offsets[row] + i]]),
  );

/** The definition: take the heaviest one by one, the lower term first among equals. */
function oracle(row: Row, kept: number): Row {
  const left = [...row];
  const taken: (readonly [number, number])[] = [];
  while (taken.length < kept && left.length > 0) {
    let best = 0;
    for (let i = 1; i < left.length; i++) if (Math.abs(left[i][1]) > Math.abs(left[best][1])) best = i;
    taken.push(...left.splice(best, 1));
  }
  return taken.sort(([a], [b]) => a - b);
}

const row = fc
  .uniqueArray(fc.nat(30), { maxLength: 12 })
  .chain((terms) =>
    fc
      .array(fc.constantFrom(-2, -1, 0.5, 1, 1, 2, 1e308, 5e-324), { minLength: terms.length, maxLength: terms.length })
      .map((weights): Row => terms.sort((a, b) => a - b).map((term, i) => [term, weights[i]])),
  );

describe('the heaviest entries of a row', () => {
  it('are those of the definition, ties by the lower term', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), fc.integer({ min: 1, max: 14 }), (rows, kept) => {
        expect(rowsOf(heaviest(sparseRows(rows), kept))).toEqual(rows.map((each) => oracle(each, kept)));
      }),
    );
  });

  it('leave the rows they come from as they were, and rows that are short enough whole', () => {
    const rows = sparseRows([
      [
        [1, 3],
        [2, 5],
      ],
      [],
      [[0, 1]],
    ]);
    expect(rowsOf(heaviest(rows, 1))).toEqual([[[2, 5]], [], [[0, 1]]]);
    expect(rowsOf(heaviest(rows, 2))).toEqual(rowsOf(rows));
    expect(rowsOf(rows)[0]).toHaveLength(2);
  });
});

const idOf = (argument: string) => prune.bind(argument).id;

describe('prune', () => {
  it.each([
    ['query=16,doc=128', 'prune(query=16,doc=128)'],
    ['doc=128,query=16', 'prune(query=16,doc=128)'],
    ['doc=064', 'prune(doc=64)'],
    ['query=8', 'prune(query=8)'],
  ])('%s is %s', (argument, id) => {
    expect(idOf(argument)).toBe(id);
  });

  it('stands in a system in both spellings, under one id', () => {
    for (const text of ['bm25+prune(query=16,doc=128)', 'bm25+prune@query=16,doc=128']) {
      expect(parseSystem(text).id).toBe('bm25+prune(query=16,doc=128)');
    }
    const inFusion = 'rrf(bm25+prune(query=8,doc=64), tf-idf) > bm25+prune(doc=64)@50';
    expect(parseSystem(inFusion).id).toBe(inFusion);
  });

  it('has the 16 settings of HAKARI-Bench’s grid', () => {
    expect(new Set(pruneGrid).size).toBe(16);
    expect(pruneGrid.at(0)).toBe('prune(query=8,doc=64)');
    expect(pruneGrid.at(-1)).toBe('prune(query=32,doc=512)');
    for (const id of pruneGrid) expect(parseSystem(`bm25+${id}`).id).toBe(`bm25+${id}`);
  });

  it('scores by what is left', async () => {
    const docs = sparseRows([
      [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
      [
        [0, 4],
        [2, 1],
      ],
    ]);
    const queries = sparseRows([
      [
        [0, 1],
        [1, 5],
        [2, 2],
      ],
    ]);
    const output = outputOf({ kind: 'sparse', termCount: 3, docs, queries });
    const given = preparedSparse(output, { docs: ['', ''], queries: [''] }, 'given');
    const scores = async (prepared: Prepared) => [...(await prepared.index.search(0, 2, Int32Array.of(0, 1))).scores];
    expect(await scores(given)).toEqual([17, 6]);
    expect(await scores(await prune.bind('query=2').apply(given))).toEqual([16, 2]);
    expect(await scores(await prune.bind('doc=1').apply(given))).toEqual([6, 4]);
    const both = await prune.bind('query=2,doc=1').apply(given);
    expect(await scores(both)).toEqual([6, 0]);
    expect(both.conditions).toMatchObject({
      'prune.query': 2,
      'prune.doc': 1,
      'prune.meanActiveDimsDocs': 1,
      'prune.meanActiveDimsQueries': 2,
    });
    // The bytes of two postings of 12 bytes instead of five, the rest unchanged.
    expect(given.index.bytes - both.index.bytes).toBe(3 * 12);
    expect(both.index.bytesPerDoc).toBe(12);
    expect([given.index.bytesPerQuery, both.index.bytesPerQuery]).toEqual([3 * 12, 2 * 12]);
  });

  it('leaves counted terms counted terms, and learned ones learned', async () => {
    const given = sparseSubject();
    if (given.encoding?.kind !== 'sparse') throw new Error('not sparse');
    const counted: Prepared = { ...given, encoding: { ...given.encoding, origin: 'lexical' } };
    expect((await prune.bind('doc=3').apply(counted)).encoding).toMatchObject({ origin: 'lexical' });
    expect((await prune.bind('doc=3').apply(given)).encoding).not.toHaveProperty('origin');
  });

  it('keeps the vocabulary that a lexical index counts', async () => {
    const given = await lexicalSubject('bm25');
    const same = await prune.bind('doc=1000000').apply(given);
    expect(same.index.bytes).toBe(given.index.bytes);
    const fewer = await prune.bind('doc=2').apply(given);
    expect(fewer.index.bytes).toBeLessThan(given.index.bytes);
    expect(fewer.index.bytesPerDoc).toBe(24);
  });
});
