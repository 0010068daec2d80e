import { describe, expect, it } from 'vitest';
import { reports } from '../../results/reports/index.js';
import { emptyBoard, hostileBoard } from './hostile.js';

/** The form that programs read: an empty one has no sentence. */
const forPrograms = new Set(['json', 'csv']);

// Control characters but the newline, and the invisible ones that reorder or split lines.
const invisible = /[\p{Cc}\u202e\u2028\u2029]/u;

describe.each(reports.plugins)('report $name', ({ name, bind }) => {
  const { fileName, render } = bind(undefined);
  const text = render(hostileBoard);

  it('has the golden bytes (vitest -u writes them anew)', async () => {
    await expect(text).toMatchFileSnapshot(`../golden/board/${fileName}`);
  });

  it('gives the same bytes for the same board', () => {
    expect(render(structuredClone(hostileBoard))).toBe(text);
  });

  it('says so where there is no system', () => {
    const empty = render(emptyBoard);
    if (name === 'json') expect(JSON.parse(empty)).toEqual(emptyBoard);
    else if (forPrograms.has(name)) expect(empty.split('\n')).toHaveLength(2);
    else expect(empty).toMatch(/No system has been run/);
  });

  it('is whole lines without characters that act unseen', () => {
    expect(text.endsWith('\n')).toBe(true);
    if (forPrograms.has(name)) return; // they keep ids as they are, inside quotes
    expect(text.replaceAll('\n', '')).not.toMatch(invisible);
  });

  it('takes no argument that it does not know', () => {
    expect(() => bind('nonsense')).toThrow(/no argument/);
  });
});

describe('hostile names', () => {
  const render = (name: string) => reports.bind(name).render(hostileBoard);

  it('are text in Markdown: no tag, and as many cells in every row of a table', () => {
    const markdown = render('markdown');
    expect(markdown).not.toMatch(/[<>]/);
    const tables = markdown.split('\n\n').filter((block) => block.includes('|'));
    expect(tables.length).toBeGreaterThanOrEqual(3);
    for (const block of tables) {
      const rows = block.split('\n').filter((line) => line.startsWith('|'));
      const cells = rows.map((line) => line.replace(/\\\\|\\\|/g, '').split('|').length);
      expect(new Set(cells).size).toBe(1);
    }
  });

  it('are no formulas in CSV', () => {
    const text = render('csv');
    expect(text).not.toMatch(/(^|\n|,)"?[=+@-]/);
    expect(text).toContain("'=cmd()");
    expect(text).toContain("'@SUM(1+1)");
  });

  it('do not widen the table beyond a terminal, nor move its cursor', () => {
    const lines = render('table').split('\n');
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(110);
  });

  it('are kept whole in JSON, __proto__ included', () => {
    expect(JSON.parse(render('json'))).toEqual(structuredClone(hostileBoard));
  });
});

describe('table', () => {
  it('has colours only when asked for', () => {
    const sequence = '\u001b[';
    expect(reports.bind('table').render(hostileBoard)).not.toContain(sequence);
    expect(reports.bind('table@color').render(hostileBoard)).toContain(sequence);
  });
});

it('marks a system that safeguard rows helped, and says what the mark means', () => {
  const marked = hostileBoard.systems.filter(({ safeguarded }) => safeguarded);
  expect(marked.length).toBe(1);
  for (const name of ['table', 'markdown', 'html']) {
    const text = reports.bind(name).render(hostileBoard);
    expect(text).toContain('† its candidates hold positives');
    expect(text.match(/†/g)?.length).toBeGreaterThanOrEqual(2);
    expect(reports.bind(name).render(emptyBoard)).not.toContain('†');
  }
});
