import fc from 'fast-check';
import { expect, test } from 'vitest';
import { docId, queryId } from '../../core/ids.js';
import { exportFormats } from '../../results/exports/index.js';
import { decodeImport } from '../../results/imports/index.js';
import type { Ranking } from '../../tasks/types.js';

async function exported(format: string, rankings: ReadonlyMap<string, Ranking>): Promise<Uint8Array> {
  const typed = new Map([...rankings].map(([query, ranking]) => [queryId(query), ranking]));
  const parts: Uint8Array[] = [];
  for await (const piece of exportFormats.bind(format)({ system: 'my-system', rankings: typed })) {
    parts.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  }
  return Buffer.concat(parts);
}

const anyId = fc.string({ unit: 'grapheme', minLength: 1 });
const plainId = anyId.filter((id) => id !== '#' && !/[\s\p{Cc}]/u.test(id));
const anyScore = fc.double({ noNaN: true }).map((score) => score + 0);
const finite = anyScore.filter(Number.isFinite);

test.each([
  ['trec', plainId, anyScore, 'my-system'],
  ['json', anyId, finite, null],
  ['parquet', anyId, anyScore, null],
])('%s: what is exported is imported, to the last bit', async (format, id, score, model) => {
  const rows = fc.uniqueArray(fc.tuple(id, score), { selector: ([doc]) => doc, minLength: 1, maxLength: 8 });
  const run = fc.uniqueArray(fc.tuple(id, rows), { selector: ([query]) => query, minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(run, async (queries) => {
      const rankings = new Map(
        queries.map(([query, list]): [string, Ranking] => [
          query,
          { docs: list.map(([doc]) => docId(doc)), scores: list.map(([, value]) => value) },
        ]),
      );
      const bytes = await exported(format, rankings);
      const decoded = await decodeImport(bytes, 'run', { renamed: new Map(), take: 'measures' });
      expect(decoded.kind === 'run' && decoded.runs.map((one) => [one.model, one.rankings])).toEqual([
        [model, rankings],
      ]);
    }),
    { numRuns: 60 },
  );
});

test('trec refuses a query whose lines would be comments, and no other that begins like one', async () => {
  const run = (query: string): Map<string, Ranking> => new Map([[query, { docs: [docId('#')], scores: [1] }]]);
  await expect(exported('trec', run('#'))).rejects.toThrow(/lines of this query for comments.*--to json/s);
  const bytes = await exported('trec', run('#1'));
  const decoded = await decodeImport(bytes, 'run', { renamed: new Map(), take: 'measures' });
  expect(decoded.kind === 'run' && decoded.runs[0].rankings).toEqual(run('#1'));
});
