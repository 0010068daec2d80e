import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../core/digest.js';
import { docId, queryId } from '../../core/ids.js';
import { animals, type SmallNano } from '../small-nano.js';
import { freeze, headed, nanoOf, readAll, resealed, textLines } from './artifacts.js';

const small = nanoOf(animals);

describe('what is frozen', () => {
  test('a header, then a line for each query with ranks, scores, marks and grades', async () => {
    const frozen = await freeze([small]);
    const [header, first, , third] = textLines(frozen).map((line) => JSON.parse(line));
    expect(header).toMatchObject({
      schema: 'tenbin/replay@1',
      pool: 'hybrid',
      tasks: [{ task: 'test/small', digest: small.manifest.digest, language: 'en', licence: 'MIT', queries: 3 }],
      counts: { queries: 3, candidates: 6, forced: 1, judgements: 5 },
    });
    expect(first).toMatchObject({ index: 1, task: 'test/small', query: 'q1', text: 'cat' });
    expect(first.candidates).toEqual([
      { rank: 1, id: 'a', text: 'the cat sat on the mat', score: 2, forced: false, grade: 2 },
      { rank: 2, id: 'b', text: 'dogs and cats living together', score: 1, forced: false, grade: 1 },
    ]);
    expect(first.otherJudged).toEqual([{ id: 'c', grade: 0 }]);
    expect(third.candidates[1]).toMatchObject({ id: 'c', forced: true, grade: 1 });
    expect(third.candidates[0]).toMatchObject({ id: 'a', forced: false, grade: null });
  });

  test('a line digest is the sha256 of the line without it, keys sorted, no white space', async () => {
    const [, line] = textLines(await freeze([small]));
    const without = line.replace(/"digest":"[0-9a-f]{64}",/, '');
    expect(without).not.toBe(line);
    expect(JSON.parse(line).digest).toBe(sha256(without));
  });

  test('the same tasks give the same bytes', async () => {
    const bytes = async () => Buffer.concat((await freeze([small])).pieces);
    expect(await bytes()).toEqual(await bytes());
  });

  test('a pool that a task lacks is refused with those that it has', async () => {
    await expect(freeze([small], 'splade')).rejects.toThrow(/test\/small, pool splade.*bm25, dense, hybrid/);
  });

  test('a score that JSON cannot hold is refused with query and document', async () => {
    const infinite = { hybrid: { q1: { docs: ['a', 'b'], scores: [Number.POSITIVE_INFINITY, 1] } } };
    await expect(freeze([nanoOf({ ...animals, pools: infinite })])).rejects.toThrow(
      /query q1, document a, score Infin/,
    );
  });
});

describe('no line is longer than the limit', () => {
  const limited = (mostLineBytes: number) => freeze([small], 'hybrid', mostLineBytes);

  test('a line of a query, its end included', async () => {
    const { pieces } = await freeze([small]);
    const longest = Math.max(...pieces.slice(1).map(({ length }) => length));
    const at = pieces.findIndex(({ length }) => length === longest);
    await expect(limited(longest - 1)).rejects.toMatchObject({
      code: 'refused',
      parts: {
        what: `A line of a replay artifact would be longer than ${longest - 1} bytes, which no reader takes`,
        value: `test/small, query q${at}: ${longest} bytes`,
      },
    });
  });

  test('the header', async () => {
    const { pieces } = await freeze([small]);
    const [{ length }, ...lines] = pieces;
    // Nothing else is in the way of it.
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(length);
    expect((await limited(length)).pieces).toEqual(pieces);
    await expect(limited(length - 1)).rejects.toMatchObject({
      code: 'refused',
      parts: { value: `the header: ${length} bytes` },
    });
  });
});

describe('what is read', () => {
  test('candidates of one score are ties, in the order that they were frozen in', async () => {
    const hybrid = { q1: { docs: ['b', 'a', 'c'], scores: [1, 1, 1] }, q2: { docs: ['d', 'c'], scores: [0, -0] } };
    const tied = nanoOf({ ...animals, pools: { hybrid } });
    const { tasks } = await readAll(textLines(await freeze([tied])));
    expect(tasks[0].pool.get(queryId('q1'))).toEqual({ docs: ['b', 'a', 'c'], scores: [1, 1, 1], forced: [] });
    expect(tasks[0].pool.get(queryId('q2'))?.docs).toEqual(['d', 'c']);
  });

  test('pools, judgements and texts are those of the nano-set, documents without the others', async () => {
    const { tasks } = await readAll(textLines(await freeze([small])));
    const [task] = tasks;
    expect(task.pool).toEqual(small.pools.get('hybrid'));
    expect(task.judged).toEqual(small.judged);
    expect(task.queries).toEqual(small.queries);
    expect(task.docs).toEqual(small.docs.filter(({ id }) => ['a', 'b', 'c', 'd'].includes(id)));
  });

  test('queries without candidates and without judgements stay what they are', async () => {
    const bare: SmallNano = {
      docs: { d: 'x' },
      queries: { q: 'x', r: 'y' },
      judged: { r: { d: 1 } },
      pools: { hybrid: {} },
    };
    const { tasks } = await readAll(textLines(await freeze([nanoOf(bare)])));
    expect(tasks[0].judged.has(queryId('q'))).toBe(false);
    expect(tasks[0].judged.get(queryId('r'))).toEqual(new Map([[docId('d'), 1]]));
    expect(tasks[0].pool.get(queryId('q'))).toEqual({ docs: [], scores: [], forced: [] });
  });

  test('several tasks come one by one in the order of the header, one without queries too', async () => {
    const none = nanoOf({ docs: {}, queries: {}, judged: {}, pools: { hybrid: {} } }, 'test/none');
    const other = nanoOf(animals, 'test/other');
    const { tasks } = await readAll(textLines(await freeze([small, none, other])));
    expect(tasks.map(({ facts, queries }) => [facts.task, queries.length])).toEqual([
      ['test/small', 3],
      ['test/none', 0],
      ['test/other', 3],
    ]);
  });

  test('white space and the order of keys do not matter', async () => {
    const lines = textLines(await freeze([small])).map((line) => {
      const entries = Object.entries(JSON.parse(line)).reverse();
      return JSON.stringify(Object.fromEntries(entries), null, 1).replace(/\n\s*/g, ' ');
    });
    expect((await readAll(lines)).tasks).toHaveLength(1);
  });

  test('any ids and texts come back as they were', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('__proto__', 'constructor', '\ud800', '\u2028', ''),
    );
    const texts = fc.uniqueArray(text, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(texts, texts, text, async (docs, queries, body) => {
        const nano = nanoOf({
          docs: Object.fromEntries(docs.map((id) => [id, body])),
          queries: Object.fromEntries(queries.map((id) => [id, body])),
          judged: Object.fromEntries(queries.map((id) => [id, Object.fromEntries([[docs[0], 1]])])),
          pools: { hybrid: Object.fromEntries(queries.map((id) => [id, { docs }])) },
        });
        const { tasks } = await readAll(textLines(await freeze([nano])));
        expect(tasks[0].pool).toEqual(nano.pools.get('hybrid'));
        expect(tasks[0].judged).toEqual(nano.judged);
        expect(tasks[0].queries).toEqual(nano.queries);
        expect(new Map(tasks[0].docs.map(({ id, text: kept }) => [id, kept]))).toEqual(
          new Map(nano.docs.map(({ id, text: kept }) => [id, kept])),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('what is refused', () => {
  const lines = async () => textLines(await freeze([small]));
  const edits: readonly (readonly [what: string, from: string, to: string])[] = [
    ['a text', 'the cat sat', 'the bat sat'],
    ['a query', '"text":"cat"', '"text":"cats"'],
    ['a candidate', '"id":"b"', '"id":"z"'],
    ['a score', '"score":2', '"score":3'],
    ['a rank', '"rank":2', '"rank":3'],
    ['a grade', '"grade":2', '"grade":1'],
    ['a grade elsewhere', '"grade":0', '"grade":1'],
    ['a mark', '"forced":false', '"forced":true'],
    ['a key more', '{"candidates"', '{"note":1,"candidates"'],
    ['a digest', '"digest":"', '"digest":"f'],
  ];

  test.each(edits)('%s that was changed, naming file, line and query', async (_, from, to) => {
    const changed = await lines();
    expect(changed[1]).toContain(from);
    changed[1] = changed[1].replace(from, to);
    await expect(readAll(changed)).rejects.toMatchObject({ code: 'damaged', parts: { value: 'a.jsonl:2, query q1' } });
  });

  test('two candidates that changed places', async () => {
    const changed = await lines();
    const line = JSON.parse(changed[1]);
    changed[1] = JSON.stringify({ ...line, candidates: line.candidates.reverse() });
    await expect(readAll(changed)).rejects.toMatchObject({ parts: { value: 'a.jsonl:2, query q1' } });
  });

  test('a line that was lost, in the middle or at the end', async () => {
    const [header, one, two, three] = await lines();
    const middle = { what: 'A line was lost: number 2 should stand here', value: 'a.jsonl:3, query q3' };
    await expect(readAll([header, one, three])).rejects.toMatchObject({ code: 'damaged', parts: middle });
    const end = { what: 'A line was lost: the file ends after 2 of 3 queries', value: 'a.jsonl:3, query q2' };
    await expect(readAll([header, one, two])).rejects.toMatchObject({ code: 'damaged', parts: end });
    await expect(readAll([header])).rejects.toThrow(/after 0 of 3 queries: a\.jsonl:1/);
  });

  test('a line that was added or moved', async () => {
    const [header, one, two, three] = await lines();
    const again = { parts: { value: 'a.jsonl:3, query q1' } };
    await expect(readAll([header, one, one, two, three])).rejects.toMatchObject(again);
    await expect(readAll([header, two, one, three])).rejects.toThrow(
      /lost: number 1 should stand here: a\.jsonl:2, query q2/,
    );
    const more = resealed(three, (value) => Object.assign(value, { index: 4, query: 'q4' }));
    await expect(readAll([header, one, two, three, more])).rejects.toThrow(/no such query: a\.jsonl:5, query q4/);
  });

  test('a line that was replaced along with its digest', async () => {
    const [header, one, two, three] = await lines();
    const forged = resealed(two, (value) => Object.assign(value, { text: 'other' }));
    await expect(readAll([header, one, forged, three])).rejects.toThrow(/replaced along with its digest: a\.jsonl/);
  });

  test('a header that was changed, and a file without one', async () => {
    const [header, ...rest] = await lines();
    const changed = header.replace('"licence":"MIT"', '"licence":"CC0"');
    await expect(readAll([changed, ...rest])).rejects.toMatchObject({ code: 'damaged', parts: { value: 'a.jsonl:1' } });
    await expect(readAll(rest)).rejects.toThrow(/no header of tenbin\/replay@1: a\.jsonl:1/);
    await expect(readAll([])).rejects.toThrow(/empty/);
    for (const line of ['[]', 'null', '{', '1 0 d 1']) await expect(readAll([line])).rejects.toThrow(/no header/);
  });

  const forgeries: readonly (readonly [what: string, change: (value: Record<string, unknown>) => void, why: RegExp])[] =
    [
      [
        'ranks',
        ({ candidates }) => Object.assign((candidates as object[])[1], { rank: 1 }),
        /Rank 1 stands in place 2/,
      ],
      [
        'scores',
        ({ candidates }) => Object.assign((candidates as object[])[1], { score: 9 }),
        /score of rank 2 is not below/,
      ],
      ['ids', ({ candidates }) => Object.assign((candidates as object[])[1], { id: 'a' }), /stands twice/],
      ['two judgements', ({ otherJudged }) => Object.assign((otherJudged as object[])[0], { id: 'a' }), /stands twice/],
      [
        'grades',
        ({ candidates }) => Object.assign((candidates as object[])[0], { grade: 0.5 }),
        /candidates\.0\.grade/,
      ],
      ['keys', (value) => Object.assign(value, { note: 1 }), /Unrecognized key/],
      ['a task', (value) => Object.assign(value, { task: 'test/other' }), /wrong task: test\/small comes here/],
    ];

  test.each(forgeries)('wrong %s although every digest fits', async (_, change, why) => {
    const [header, one, two, three] = await lines();
    const forged = headed([header, resealed(one, change), two, three]);
    await expect(readAll(forged)).rejects.toThrow(why);
  });

  test('two texts of one document, and one query twice, although every digest fits', async () => {
    const [header, one, two, three] = await lines();
    const texts = resealed(three, ({ candidates }) => Object.assign((candidates as object[])[0], { text: 'other' }));
    await expect(readAll(headed([header, one, two, texts]))).rejects.toThrow(/Document a has two texts: a\.jsonl:4/);
    const twice = resealed(three, (value) => Object.assign(value, { query: 'q1' }));
    await expect(readAll(headed([header, one, two, twice]))).rejects.toThrow(/A query stands there twice: a\.jsonl:4/);
    expect((await readAll(headed([header, one, two, three]))).tasks).toHaveLength(1);
  });

  test('any one character of a line that changes what it says', async () => {
    const all = await lines();
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: all.length - 1 }), async (at, row) => {
        const changed = [...all];
        const place = at % changed[row].length;
        const other = changed[row][place] === '7' ? '8' : '7';
        changed[row] = changed[row].slice(0, place) + other + changed[row].slice(place + 1);
        await expect(readAll(changed)).rejects.toThrow(new RegExp(`a\\.jsonl:${row + 1}`));
      }),
      { numRuns: 100 },
    );
  });
});
