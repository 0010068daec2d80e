import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { buildBoard } from '../../results/board.js';
import { island } from '../../results/reports/html-data.js';
import { boardMath } from '../../results/reports/html-math.js';
import { reports } from '../../results/reports/index.js';
import { noCost } from './boards.js';
import { hostileFile, hostileFormat, importedBoard, importedInput, means, tasks } from './imported-board.js';

const system = (id: string) => importedBoard.systems.find((each) => each.id === id);

describe('imported results on the board', () => {
  it('stand by their value among the complete, and take neither rank nor group from them', () => {
    expect(importedBoard.systems.map(({ id, complete, rank, group }) => [id, complete, rank, group])).toEqual([
      ['above all', true, null, null],
      ['best', true, { micro: 1, macro: 1 }, 1],
      ['__proto__', true, null, null],
      ['run <b>from</b> elsewhere', true, { micro: 2, macro: 2 }, expect.any(Number)],
      ['worst', true, { micro: 3, macro: 3 }, expect.any(Number)],
      ['lacks one', false, null, null],
    ]);
  });

  it('leave the numbers of the others as they are without them', () => {
    const { imported: _, ...without } = importedInput;
    const runs = importedBoard.systems.filter(({ imported }) => imported?.as !== 'means');
    expect(buildBoard(without).systems).toEqual(runs);
  });

  it('have means over tasks and suites and nothing that needs queries', () => {
    const found = system('__proto__');
    const blank = { low: null, high: null, min: null, max: null };
    expect(found?.micro['nDCG@10']).toEqual({ value: expect.closeTo(0.3, 12), ...blank, n: 3 });
    expect(found?.macro['nDCG@10']).toEqual({ value: 0.25, ...blank, n: 2 });
    expect(found?.suites.a['nDCG@10']).toEqual({ value: 0.4, ...blank, n: 2 });
    expect(found?.tasks['a/one']['nDCG@10']).toEqual({ value: 0.4, ...blank, n: null });
    expect(found?.tasks['b/one']['nDCG@10']).toEqual({ value: 0.1, ...blank, n: 50 });
    expect(found?.micro['R@100']).toEqual({ value: null, ...blank, n: 0 });
    expect(found?.cost.bytesPerDoc).toBe(null);
    expect(found?.cost.latencyMs.p50).toBe(null);
  });

  it('lack the tasks that they have no primary measure for', () => {
    expect(system('lacks one')?.missing).toEqual(['a/two']);
    const [other] = buildBoard({ ...importedInput, systems: [], primary: 'R@100' }).systems;
    expect(other.missing).toEqual(tasks.map(({ id }) => id));
  });

  it('say what they are and where from', () => {
    expect(system('best')).not.toHaveProperty('imported');
    expect(system('__proto__')?.imported).toEqual({ as: 'means', format: hostileFormat, files: [hostileFile] });
    expect(system('run <b>from</b> elsewhere')?.imported).toEqual({ as: 'runs', format: 'trec', files: ['x.run'] });
  });

  it('of several files name each once, whatever the order', () => {
    const files = ['b.json', 'a.json', 'b.json'];
    const each = tasks.map(
      ({ id }, i) =>
        [
          id,
          {
            origin: { format: i === 0 ? 'mteb' : 'hakari', file: files[i] },
            values: new Map([['nDCG@10', { value: 1, n: 1 }]]),
          },
        ] as const,
    );
    const [made] = buildBoard({
      ...importedInput,
      systems: [],
      imported: [{ id: 'x', family: 'dense', tasks: new Map(each.toReversed()) }],
    }).systems;
    expect(made.imported).toEqual({ as: 'means', format: 'hakari, mteb', files: ['a.json', 'b.json'] });
  });

  it('are ranked with unknown costs where they are runs', () => {
    const run = system('run <b>from</b> elsewhere');
    expect(run?.micro['nDCG@10'].low).not.toBe(null);
    expect(run?.cost).toEqual(noCost);
  });

  it('are refused under the name of a system, on unknown tasks, and where they are no numbers', () => {
    const board =
      (...imported: ReturnType<typeof means>[]) =>
      () =>
        buildBoard({ ...importedInput, imported });
    expect(board(means('best', { 'a/one': 1 }))).toThrow('stands twice on the board: best');
    expect(board(means('x', {}), means('x', {}))).toThrow('stands twice');
    expect(board(means('x', { 'c/one': 1 }))).toThrow('c/one, x');
    expect(board(means('x', { 'a/one': Number.NaN }))).toThrow('NaN: nDCG@10, a/one, x');
  });
});

describe.each(reports.plugins)('report $name of a board with imported results', ({ name, bind }) => {
  const { fileName, render } = bind(undefined);
  const text = render(importedBoard);

  it('has the golden bytes (vitest -u writes them anew)', async () => {
    await expect(text).toMatchFileSnapshot(`../golden/board/imported/${fileName}`);
  });

  it('marks them, and no others', () => {
    if (name === 'json') expect(JSON.parse(text)).toEqual(structuredClone(importedBoard));
    else if (name === 'csv') {
      const rows = text.trimEnd().split('\n');
      expect(rows[0].endsWith(',imported')).toBe(true);
      expect(rows.filter((row) => row.startsWith('above all')).every((row) => row.endsWith(',hakari'))).toBe(true);
      expect(rows.filter((row) => row.startsWith('best')).every((row) => row.endsWith(','))).toBe(true);
    } else {
      expect(text).toMatch(/‡ imported \(trec\): runs from elsewhere/);
      expect(text).toMatch(/‡ imported \([^)]*hakari[^)]*\): means from elsewhere/);
      expect(text).toContain('above all ‡');
      expect(text).not.toContain('best ‡');
    }
  });
});

describe('hostile formats and files', () => {
  const render = (name: string) => reports.bind(name).render(importedBoard);

  it('are text in every form', () => {
    expect(render('markdown')).not.toMatch(/[<>]/);
    const page = render('html');
    expect(page).not.toMatch(/<img|<b>from/);
    expect(page.match(/<\/script/g)).toHaveLength(2);
    for (const name of ['table', 'markdown', 'html']) expect(render(name)).not.toContain('\u202e');
    for (const line of render('table').split('\n')) expect([...line].length).toBeLessThanOrEqual(110);
    const formula = buildBoard({
      ...importedInput,
      imported: [means('x', { 'a/one': 1 }, { format: '=1+1', file: '' })],
    });
    expect(reports.bind('csv').render(formula)).toContain(",'=1+1\n");
  });

  it('keep as many cells in every row of a Markdown table', () => {
    const tables = render('markdown')
      .split('\n\n')
      .filter((block) => block.includes('| :--'));
    expect(tables.length).toBe(4);
    for (const block of tables) {
      const rows = block.split('\n').filter((line) => line.startsWith('|'));
      expect(new Set(rows.map((line) => line.replace(/\\\\|\\\|/g, '').split('|').length)).size).toBe(1);
    }
  });
});

describe('the page', () => {
  const data = JSON.parse(island(importedBoard));
  const math = runInNewContext(`${boardMath}; boardMath`)(data);
  const all = [0, 1];

  it('ranks runs as the board does and stands imported means among them', () => {
    expect(math.ranks('micro', 0, all)).toEqual(importedBoard.systems.map(({ rank }) => rank?.micro ?? null));
    expect(math.places('micro', 0, all)).toEqual([1, 2, 3, 4, 5, null]);
    expect(math.places('suite:1', 0, all)).toEqual([1, 2, 6, 4, 5, 3]);
  });

  it('lets imported means lack a measure', () => {
    const measure = importedBoard.measures.indexOf('R@100');
    expect(math.lacking(data.systems[0], 'micro', measure, all)).toBe(3);
    expect(math.lacking(data.systems[1], 'micro', measure, all)).toBe(0);
    expect(math.places('micro', measure, all)).toEqual([null, 1, null, 2, 3, null]);
  });
});
