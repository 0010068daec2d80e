import { describe, expect, it } from 'vitest';
import type { LateInteractionEncoding, Prepared, TokenRows } from '../../runners/system.js';
import { variants } from '../../runners/variants/index.js';
import { docCount, lateSubject, queryCount } from './subjects.js';

const given = lateSubject();
const apply = (text: string, prepared: Prepared = given): Promise<Prepared> =>
  Promise.resolve(variants.bind(text).apply(prepared));
const encodingOf = ({ encoding }: Prepared): LateInteractionEncoding => {
  if (encoding?.kind !== 'late-interaction') throw new Error('not late interaction');
  return encoding;
};
const all = Int32Array.from({ length: docCount }, (_, doc) => doc);
const rowsOf = ({ offsets, vectors }: TokenRows, text: number, dims: number): number[][] =>
  Array.from({ length: offsets[text + 1] - offsets[text] }, (_, i) => [
    ...vectors.subarray((offsets[text] + i) * dims, (offsets[text] + i + 1) * dims),
  ]);

/** Σ over the query's rows of the greatest similarity of the document's. */
function maxSim(
  query: readonly number[][],
  doc: readonly number[][],
  similarity: (a: number[], b: number[]) => number,
) {
  return query.reduce((sum, q) => sum + Math.max(...doc.map((d) => similarity(q, d))), 0);
}
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, j) => sum + value * b[j], 0);

async function expectScores(prepared: Prepared, expected: (query: number, doc: number) => number): Promise<void> {
  for (let query = 0; query < queryCount; query++) {
    const { docs, scores } = await prepared.index.search(query, docCount, all);
    docs.forEach((doc, i) => void expect(scores[i]).toBeCloseTo(expected(query, doc), 5));
  }
}

describe('variants of token vectors', () => {
  it('truncate scores the first dimensions, of unit length again on both sides', async () => {
    const { dims, docs, queries } = encodingOf(given);
    const cut = (rows: readonly number[][]) =>
      rows.map((row) => row.slice(0, 16)).map((row) => row.map((value) => value / Math.hypot(...row)));
    const prepared = await apply('truncate@16');
    await expectScores(prepared, (q, d) => maxSim(cut(rowsOf(queries, q, dims)), cut(rowsOf(docs, d, dims)), dot));
    expect(encodingOf(prepared).dims).toBe(16);
    expect(prepared.exact).toBe(prepared.index);
    expect(prepared.index.bytesPerDoc).toBeCloseTo((given.index.bytesPerDoc - 4) / 4 + 4, 9);
  });

  it('binary counts equal signs', async () => {
    const { dims, docs, queries } = encodingOf(given);
    const signs = (a: readonly number[], b: readonly number[]) =>
      a.reduce((sum, value, j) => sum + (value > 0 === b[j] > 0 ? 1 : -1), 0) / dims;
    const prepared = await apply('binary');
    await expectScores(prepared, (q, d) => maxSim(rowsOf(queries, q, dims), rowsOf(docs, d, dims), signs));
    expect(prepared.index.bytesPerDoc).toBeCloseTo((given.index.bytesPerDoc - 4) / 32 + 4, 9);
    expect(prepared.exact).toBe(given.exact);
  });

  it('int8 stays near the float score at a quarter of the bytes', async () => {
    const { dims, docs, queries } = encodingOf(given);
    const prepared = await apply('int8');
    for (let query = 0; query < queryCount; query++) {
      const hits = await prepared.index.search(query, docCount, all);
      hits.docs.forEach((doc, i) => {
        const float = maxSim(rowsOf(queries, query, dims), rowsOf(docs, doc, dims), dot);
        expect(Math.abs(hits.scores[i] - float)).toBeLessThan(0.02);
      });
    }
    expect(prepared.index.bytesPerDoc).toBeCloseTo((given.index.bytesPerDoc - 4) / 4 + 4, 9);
  });

  it('rescore takes the exact MaxSim of the encoding at that point', async () => {
    const short = await apply('truncate@16');
    const rescored = await apply(`rescore@${docCount}`, await apply('binary', short));
    const [exact, hits] = [await short.index.search(3, 7), await rescored.index.search(3, 7)];
    expect([...hits.docs]).toEqual([...exact.docs]);
    expect([...hits.scores]).toEqual([...exact.scores]);
  });
});

describe('a corpus that is changed block by block', () => {
  it.each([
    ['truncate@8', 'documents'],
    ['prune@doc=4', 'documents'],
    ['pool@2', 'documents'],
    ['binary', 'documents'],
    ['rescore@4', 'answers'],
    ['int8', undefined],
    ['hnsw', undefined],
  ])('%s: %s', (text, looksAt) => {
    expect(variants.bind(text).looksAt).toBe(looksAt);
  });
});
