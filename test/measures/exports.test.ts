import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { docId, queryId } from '../../core/ids.js';
import { exportFormats } from '../../results/exports/index.js';
import { decodeRun } from '../../results/readers/index.js';
import type { Ranking } from '../../tasks/types.js';

async function exported(format: string, system: string, rankings: ReadonlyMap<string, Ranking>): Promise<string> {
  const typed = new Map([...rankings].map(([query, ranking]) => [queryId(query), ranking]));
  let text = '';
  for await (const piece of exportFormats.bind(format)({ system, rankings: typed })) text += piece;
  return text;
}

const ranking = (...entries: readonly (readonly [string, number])[]): Ranking => ({
  docs: entries.map(([id]) => docId(id)),
  scores: entries.map(([, score]) => score),
});

test('trec has six columns, ranks from 1, and scores that read back as themselves', async () => {
  const run = new Map([['q1', ranking(['d2', 1 / 3], ['d1', -0], ['d3', Number.NEGATIVE_INFINITY])]]);
  expect(await exported('trec', 'hybrid > ce-minilm@100', run)).toBe(
    [
      'q1 Q0 d2 1 0.3333333333333333 hybrid_>_ce-minilm@100',
      'q1 Q0 d1 2 0 hybrid_>_ce-minilm@100',
      'q1 Q0 d3 3 -inf hybrid_>_ce-minilm@100',
      '',
    ].join('\n'),
  );
});

test('json keeps the order of the run and the ids that objects lose', async () => {
  const run = new Map([
    ['__proto__', ranking(['10', 2], ['9', 1.5])],
    ['1', ranking()],
  ]);
  expect(await exported('json', 'bm25', run)).toBe('{"__proto__":{"10":2,"9":1.5},\n"1":{}}\n');
  expect(await exported('json', 'bm25', new Map())).toBe('{}\n');
});

describe('refuses what a form cannot hold, naming it', () => {
  test.each(['a b', 'tab\there', 'new\nline', '\u00a0', 'x\u2028', '\u001cfile', 'nul\0', ''])(
    'trec: the id %j',
    async (id) => {
      const code = { code: 'refused' };
      await expect(exported('trec', 's', new Map([['q', ranking([id, 1])]]))).rejects.toMatchObject(code);
      await expect(exported('trec', 's', new Map([[id, ranking(['d', 1])]]))).rejects.toMatchObject(code);
    },
  );

  test('json: an infinite score; both: NaN', async () => {
    const infinite = new Map([['q', ranking(['d', Number.POSITIVE_INFINITY])]]);
    await expect(exported('json', 's', infinite)).rejects.toMatchObject({ code: 'not-finite' });
    const nan = new Map([['q', ranking(['d', Number.NaN])]]);
    for (const format of ['json', 'trec'])
      await expect(exported(format, 's', nan)).rejects.toMatchObject({ code: 'not-finite' });
  });

  test('an argument, and a form that there is not', () => {
    expect(() => exportFormats.bind('trec@2')).toThrow(/takes no argument/);
    expect(() => exportFormats.bind('jsno')).toThrow(/Did you mean `json`/);
  });
});

const score = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const anyRun = (id: fc.Arbitrary<string>) =>
  fc.uniqueArray(fc.tuple(id, fc.uniqueArray(fc.tuple(id, score), { selector: ([doc]) => doc, minLength: 1 })), {
    selector: ([query]) => query,
    minLength: 1,
  });

test.each([
  ['trec', fc.string({ unit: 'grapheme', minLength: 1 }).filter((id) => !/[\s\p{Cc}]/u.test(id))],
  ['json', fc.string({ unit: 'grapheme' })],
])('%s: what is written is read back, to the last bit', async (format, id) => {
  await fc.assert(
    fc.asyncProperty(anyRun(id), async (entries) => {
      const run = new Map(entries.map(([query, rows]) => [query, ranking(...rows)]));
      const bytes = new TextEncoder().encode(await exported(format, 'system', run));
      expect((await decodeRun(bytes, 'run')).rankings).toEqual(run);
    }),
  );
});
