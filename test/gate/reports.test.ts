import { describe, expect, test } from 'vitest';
import { annotations } from '../../results/gate/annotations.js';
import { fitSections } from '../../results/gate/fit.js';
import { judge } from '../../results/gate/judge.js';
import { junit } from '../../results/gate/junit.js';
import { markdown } from '../../results/gate/markdown.js';
import type { CheckResult, GateResult } from '../../results/gate/types.js';
import { hostileContext, hostileResult } from './hostile-result.js';
import { pairedBy, policyOf } from './paired.js';
import { xmlFault } from './xml.js';

const context = { policy: 'gate.yaml', baseline: 'baseline.json', candidate: 'out' };
const half = Array<number>(40).fill(0.5);
const judged = (checks: string, more = '', delta = 0) =>
  judge(policyOf(checks, more), pairedBy(half, Array(40).fill(delta)));
const good = judged('{measure: nDCG@10, drop: 0.01}');
const missing = (more: string) => judged('{measure: RR, drop: 0.01}, {measure: nDCG@10, drop: 0}', more);

// Control characters but the newline, and the invisible ones that reorder or split lines.
const invisible = /[\p{Cc}\u202e\u2028\u2029]/u;

test('the hostile result has every verdict', () => {
  const verdicts = new Set(hostileResult.checks.map(({ verdict }) => verdict));
  expect([...verdicts].sort()).toEqual(['improved', 'inconclusive', 'missing', 'pass', 'regressed']);
});

describe.each([
  ['comment.md', markdown(hostileResult, hostileContext)],
  ['junit.xml', junit(hostileResult, hostileContext)],
  ['annotations.txt', annotations(hostileResult)],
])('%s', (name, text) => {
  test('has the golden bytes (vitest -u writes them anew)', async () => {
    await expect(text).toMatchFileSnapshot(`../golden/gate/${name}`);
  });

  test('is whole lines without characters that act unseen', () => {
    expect(text.endsWith('\n')).toBe(true);
    expect(text.replaceAll('\n', '')).not.toMatch(invisible);
  });
});

describe('the comment', () => {
  test('begins with the verdict in one line', () => {
    expect(markdown(good, context)).toMatch(/^\*\*pass\*\*: No check got worse by more than the budget allows\.\n/);
    expect(markdown(judged('{measure: nDCG@10, drop: 0}', '', -0.1), context)).toMatch(
      /^\*\*regressed\*\*: 1 of 1 check got worse by more than the budget allows\.\n/,
    );
  });

  test('has no tags but its own, and as many cells in every row of a table', () => {
    const text = markdown(hostileResult, hostileContext);
    const own = /<details><summary>Worst queries<\/summary>|<\/details>/g;
    expect(text.match(own)).toHaveLength(2);
    expect(text.replace(own, '')).not.toMatch(/[<>]/);
    const tables = text.split('\n\n').filter((block) => block.startsWith('|') || block.includes('\n|'));
    expect(tables.length).toBeGreaterThanOrEqual(4);
    for (const block of tables) {
      const rows = block.split('\n').filter((line) => line.startsWith('|'));
      const cells = rows.map((line) => line.replace(/\\\\|\\\|/g, '').split('|').length);
      expect(new Set(cells).size).toBe(1);
    }
  });

  test('folds nothing where nothing got worse, and warns of nothing where there is nothing', () => {
    const text = markdown(good, context);
    expect(text).not.toMatch(/details|Warnings|To know/);
    expect(text).toContain('Intervals hold 95 %: BCa bootstrap over queries, 1000 resamples, seed 17.');
  });

  test('says what is beyond a mean, and what would decide', () => {
    const text = markdown(hostileResult, hostileContext);
    expect(text).toContain('judged by its mean alone, which may be chance');
    expect(text).toMatch(/about \d+ queries would decide/);
    expect(text).toContain('Intervals hold 95 % over 4 checks (holm)');
  });

  describe('says of a mean beyond the budget that it may be chance', () => {
    const [regressed] = judged('{measure: nDCG@10, drop: 0.01, fail: on-point}', '', -0.02).checks;
    const told = (change: Partial<CheckResult>) =>
      markdown({ ...good, checks: [{ ...regressed, budget: 0.125, ...change }] }, context).includes('may be chance');

    test.each([
      // direction, low, high
      ['drop', -0.5, -0.0625, true],
      ['drop', -0.5, -0.125, true],
      ['drop', -0.5, -0.126, false],
      ['rise', 0.0625, 0.5, true],
      ['rise', 0.125, 0.5, true],
      ['rise', 0.126, 0.5, false],
    ] as const)('%s in [%d, %d]: %s', (direction, low, high, isTold) => {
      expect(told({ direction, low, high })).toBe(isTold);
    });

    test('and only of such a one', () => {
      expect(regressed.verdict).toBe('regressed');
      const within = { low: -0.5, high: 0.5 };
      expect(told(within)).toBe(true);
      expect(told({ ...within, verdict: 'pass' })).toBe(false);
      expect(told({ ...within, fail: 'interval' })).toBe(false);
      expect(told({ ...within, measure: null, cost: 'bytesPerDoc' })).toBe(false);
      for (const absent of [{ low: null }, { high: null }, { budget: null }]) {
        expect(told({ ...within, ...absent })).toBe(false);
      }
    });
  });

  test('is counted in bytes, be the names of three or four bytes a character', () => {
    const [check] = judged('{measure: nDCG@10, drop: 0.01}', '', -0.1).checks;
    for (const character of ['天', '🎉']) {
      const query = (_: unknown, i: number) => ({
        query: `${i}`,
        text: character.repeat(100),
        task: null,
        delta: -0.1,
      });
      const worst = Array.from({ length: 1000 }, query);
      const text = markdown({ ...good, checks: [{ ...check, worst }] }, context);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_000);
      expect(Buffer.byteLength(text)).toBeGreaterThan(64_000);
      expect(text).toMatch(/…and \d+ more\./);
    }
  });

  test('fits into a comment of GitHub, whatever the names, and keeps its frame', () => {
    const [check] = hostileResult.checks;
    const long = { query: '天'.repeat(500), text: '<'.repeat(500), task: `|${'_'.repeat(500)}`, delta: -0.1 };
    const checks = Array.from({ length: 1000 }, (_, i) => ({
      ...check,
      slice: `${'&'.repeat(500)}${i}`,
      worst: Array(1000).fill(long),
    }));
    const huge: GateResult = { ...hostileResult, checks, warnings: Array(1000).fill('@'.repeat(199)) };
    const text = markdown(huge, { policy: '['.repeat(5000), baseline: ']'.repeat(5000), candidate: '$'.repeat(5000) });
    expect(Buffer.byteLength(text)).toBeLessThan(65_536);
    expect(Buffer.byteLength(text)).toBeGreaterThan(60_000);
    expect(text).toMatch(/…and \d+ more\./);
    expect(text.endsWith('</details>\n')).toBe(true);
  });
});

describe('fitting', () => {
  const lines = ['one', 'two', 'three'];
  const section = { open: ['open'], lines, close: ['close'] };

  test('leaves all lines where they fit, and says how many it left out where they do not', () => {
    expect(fitSections([section], 1000)).toBe('open\none\ntwo\nthree\nclose\n');
    expect(fitSections([section], 62)).toBe('open\none\ntwo\n\n…and 1 more.\nclose\n');
    expect(fitSections([section], 0)).toBe('open\n\n…and 3 more.\nclose\n');
  });

  test('never takes more than it may, as long as the frames fit', () => {
    for (let most = 110; most < 180; most++) {
      const text = fitSections([section, { ...section, lines: ['天天', '🎉'] }], most);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
    }
  });

  test('counts bytes of lines and of frames, not characters', () => {
    const frame = '天'.repeat(60);
    const wide = { open: [frame], lines: Array<string>(50).fill('🎉天'.repeat(5)), close: [frame] };
    for (let most = 850; most < 1700; most += 7) {
      const text = fitSections([wide, wide], most);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
    }
  });
});

describe('JUnit', () => {
  const count = (text: string, name: string) => text.match(new RegExp(`<${name} `, 'g'))?.length ?? 0;

  test('is well-formed XML, hostile names and all', () => {
    expect(xmlFault(junit(hostileResult, hostileContext))).toBeNull();
    const odd = `\u0000\u0008\ufffe\uffff]]>\ud800&"'<`;
    expect(xmlFault(junit(missing(''), { policy: odd, baseline: odd, candidate: odd }))).toBeNull();
    expect(xmlFault(junit({ ...good, warnings: [odd] }, context))).toBeNull();
  });

  test('has one testcase per check, and totals that add up', () => {
    const text = junit(hostileResult, hostileContext);
    expect(count(text, 'testcase')).toBe(hostileResult.checks.length);
    const [failures, errors, skipped] = ['failure', 'error', 'skipped'].map((name) => count(text, name));
    expect(text).toContain(`tests="10" failures="${failures}" errors="${errors}" skipped="${skipped}"`);
    expect([failures, errors, skipped]).toEqual([4, 2, 1]);
  });

  test('has an error where the policy lets what is missing stop the change, else it skips', () => {
    expect(junit(missing('onMissing: fail'), context)).toContain(
      '<error message="the baseline and the candidate have no RR"',
    );
    expect(junit(missing('onMissing: warn'), context)).toContain('<skipped message="the baseline and');
    expect(junit(missing('onMissing: warn'), context)).toContain('<property name="exitCode" value="0"/>');
  });
});

describe('the XML check of these tests', () => {
  const of = (body: string) => xmlFault(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`);
  test('takes what is well-formed and nothing else', () => {
    expect(of('<a b="1&amp;"><c/>x</a>\n')).toBeNull();
    const broken = [
      '<a>',
      '<a></b>',
      '<a b="<"/>',
      '<a b="&x;"/>',
      '<a b=1/>',
      '<a b="1" b="2"/>',
      'x<a/>',
      '<a/><b/>',
    ];
    for (const body of [...broken, '<a>&</a>', '<a>\u0001</a>', '', '<a b="1"c="2"/>'])
      expect(of(body), body).not.toBeNull();
    expect(xmlFault('<a/>')).toBe('no declaration');
  });
});

describe('annotations', () => {
  test('are one command a line, the verdict first', () => {
    const lines = annotations(hostileResult).trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) title=[^:,]*::[^\r\n]+$/);
    expect(lines[0]).toBe('::error title=Gate%3A regressed::4 of 10 checks got worse by more than the budget allows.');
    expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(7);
  });

  test('of a good result are one notice', () => {
    expect(annotations(good)).toBe('::notice title=Gate%3A pass::No check got worse by more than the budget allows.\n');
  });

  test('write % and what parts properties as numbers', () => {
    expect(annotations(hostileResult)).toContain(
      'title=missing%3A nDCG@10 on </details>%3A%3Aerror title=x%2Cy%25%3A%3Az::',
    );
    expect(annotations(hostileResult)).toContain(' at 95 %25');
  });

  test('only warn of what does not stop the change', () => {
    expect(annotations(missing('onMissing: warn'))).toMatch(/^::warning title=Gate%3A missing::/);
    expect(annotations(missing('onMissing: fail'))).toMatch(/^::error title=Gate%3A missing::/);
  });

  test('are ten of a level at most: GitHub shows no more', () => {
    const many: GateResult = { ...good, warnings: Array.from({ length: 30 }, (_, i) => `warning ${i}`) };
    const lines = annotations(many).trimEnd().split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[9]).toBe('::warning title=Gate::warning 8');
    expect(lines[10]).toBe('::warning title=Gate::21 more are not shown here; the log and the JSON have them.');
    const ten: GateResult = { ...many, warnings: many.warnings.slice(0, 10) };
    expect(annotations(ten)).not.toContain('more are not shown');
  });
});
