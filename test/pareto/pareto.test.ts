import { describe, expect, it } from 'vitest';
import { gainsAlong } from '../../results/pareto/gains.js';
import { betterOf, paretoOf } from '../../results/pareto/pareto.js';
import { parseParetoBoard } from '../../results/pareto/parse.js';
import { hostileBoard } from '../board/hostile.js';
import { boardOf, drawnBoard, keyOf, point, system } from './boards.js';

describe('points of a board', () => {
  const found = paretoOf(drawnBoard, { x: keyOf(drawnBoard, 'bytesPerDoc'), y: 'nDCG@10' });
  const by = new Map(found.points.map((one) => [one.system, one]));

  it('are those of formats.md §11, cheapest first', () => {
    expect(found.points.map(({ x }) => x)).toEqual(found.points.map(({ x }) => x).toSorted((a, b) => a - b));
    expect(by.get('bm25')).toMatchObject({ x: 100, y: 0.4, low: 0.4 - 0.01, high: 0.4 + 0.01, status: 'frontier' });
    expect(by.get('bm25')).not.toHaveProperty('by');
    expect(by.get('splade')).toMatchObject({ status: 'dominated', by: 'bm25' });
    expect(by.get('lsa@256')).toMatchObject({ status: 'dominatedWithinError', by: 'bm25' });
  });

  it('have cascades among them, like every system', () => {
    expect(by.get('bm25 > A@100 > B@20')).toMatchObject({ x: 1124, y: 0.5, status: 'frontier' });
    expect(by.get('colbert')).toMatchObject({ status: 'dominated', by: 'bm25 > A@100 > B@20' });
  });

  it('have equal ones both on the frontier, and names that are no keys', () => {
    expect(by.get('twin')?.status).toBe('frontier');
    expect(by.get('__proto__')).toMatchObject({ status: 'dominated', by: 'bm25' });
  });

  it('come with a summary that counts, and says what dominates what', () => {
    const { summary } = found;
    expect(summary.frontier + summary.dominated + summary.dominatedWithinError).toBe(found.points.length);
    expect(summary.sentence).toBe(
      'nDCG@10 against bytes per document: 5 of 10 systems are on the frontier, 4 surely dominated, 1 dominated within error.',
    );
    const bm25 = summary.dominators.find((one) => one.system === 'bm25');
    expect(bm25?.surely).toEqual(['splade', '__proto__']);
    expect(bm25?.withinError).toEqual(['lsa@256']);
  });

  it('say what more cost bought along the frontier, equal points once', () => {
    expect(found.gains.map(({ from, to }) => [from, to])).toEqual([
      ['"><script>alert(1)</script>\u202e', 'lsa@256+binary'],
      ['lsa@256+binary', 'bm25'],
      ['bm25', 'bm25 > A@100 > B@20'],
    ]);
    const [, second] = found.gains;
    expect(second).toMatchObject({ additionalX: 68, per: 'KiB' });
    expect(second.gain).toBeCloseTo((0.1 / 68) * 1024, 12);
  });
});

describe('what is no point', () => {
  const board = boardOf(
    system('whole', { cost: { flopsPerQuery: 0 } }),
    system('lacks', { cost: { flopsPerQuery: 1 }, lacks: ['a/two'] }),
    system('helped', { cost: { flopsPerQuery: 1 }, y: 0.9, safeguarded: true }),
    system('unknown', { cost: { flopsPerQuery: null } }),
    system('elsewhere', { cost: { flopsPerQuery: null }, imported: { as: 'runs' } }),
    system('unmeasured', { cost: { flopsPerQuery: 1 }, y: null }),
    system('broken', { cost: { flopsPerQuery: -1 } }),
  );
  const choice = { x: keyOf(board, 'flopsPerQuery'), y: 'nDCG@10' };

  it('is left out with its reason', () => {
    const { points, leftOut } = paretoOf(board, choice);
    expect(points.map((one) => one.system)).toEqual(['whole']);
    expect(leftOut).toEqual([
      { system: 'lacks', reason: 'it lacks 1 of 2 tasks' },
      { system: 'helped', reason: 'its candidates hold positives that the safeguard put in' },
      { system: 'unknown', reason: 'its flopsPerQuery is not known' },
      { system: 'elsewhere', reason: 'imported: its cost is unknown' },
      { system: 'unmeasured', reason: 'it has no nDCG@10' },
      { system: 'broken', reason: 'its flopsPerQuery is below 0' },
    ]);
  });

  it('is a safeguarded system unless it is asked for, and what is not chosen', () => {
    const { points } = paretoOf(board, { ...choice, safeguarded: 'with' });
    expect(points.map((one) => [one.system, one.status, one.safeguarded])).toEqual([
      ['whole', 'frontier', false],
      ['helped', 'frontier', true],
    ]);
    const chosen = paretoOf(board, { ...choice, systems: ['lacks'] });
    expect(chosen.points).toEqual([]);
    expect(chosen.leftOut).toHaveLength(1);
    expect(chosen.summary.sentence).toBe('No system has both nDCG@10 and flopsPerQuery.');
  });
});

describe('ratios', () => {
  it('stand beside the point where the board has them, and are null where they are undefined', () => {
    const ratio = { meanOfRatios: 5, ratioOfMeans: 4 };
    const board = boardOf(
      system('model', {
        cost: { flopsPerQuery: 10, RPP: { 'nDCG@10': ratio }, QPP: { meanOfRatios: null, ratioOfMeans: 2 } },
      }),
      system('words', { cost: { flopsPerQuery: 0, RPP: { 'nDCG@10': null }, QPP: null } }),
    );
    const { points } = paretoOf(board, { x: keyOf(board, 'flopsPerQuery'), y: 'nDCG@10' });
    expect(points.map(({ RPP, QPP }) => [RPP, QPP])).toEqual([
      [null, null],
      [ratio, { meanOfRatios: null, ratioOfMeans: 2 }],
    ]);
  });
});

describe('points of one cost', () => {
  it('stand best first, whichever way is better', () => {
    const ids = ['b', 'a', 'c'];
    const board = boardOf(...ids.map((id, i) => system(id, { cost: { bytesPerDoc: 1 }, y: [0.2, 0.1, 0.3][i] })));
    const order = (y: string) => paretoOf(board, { x: keyOf(board, 'bytesPerDoc'), y }).points.map((one) => one.system);
    expect(order('nDCG@10')).toEqual(['c', 'b', 'a']);
    expect(order('Unjudged@10')).toEqual(['a', 'b', 'c']);
  });
});

describe('gains', () => {
  it('are per PetaFLOP for FLOPs', () => {
    const [gain] = gainsAlong([point('a', [0, 0.4]), point('b', [2e14, 0.5])], 'flops');
    expect(gain.gain).toBeCloseTo(0.5, 12);
    expect(gain.per).toBe('PetaFLOP');
  });

  it('are none for one point, and null where the costs are too near', () => {
    expect(gainsAlong([], 'ms')).toEqual([]);
    expect(gainsAlong([point('a', [1, 0.4])], 'ms')).toEqual([]);
    expect(gainsAlong([point('a', [0, 0.4]), point('b', [5e-324, 0.5])], 'flops')[0].gain).toBeNull();
  });
});

it('knows of which measures less is better', () => {
  expect(['nDCG@10', 'Unjudged@10', 'Oracle(nDCG@10)'].map(betterOf)).toEqual(['more', 'less', 'more']);
  const { points } = paretoOf(drawnBoard, { x: keyOf(drawnBoard, 'bytesPerDoc'), y: 'Unjudged@10' });
  expect(points.filter(({ status }) => status === 'frontier')).toHaveLength(1);
});

describe('a board.json', () => {
  it('is read as the board it was, hostile names included', () => {
    const board = parseParetoBoard(JSON.parse(JSON.stringify(hostileBoard)), 'board.json');
    const choice = (of: typeof board) => ({ x: keyOf(of, 'bytesPerDoc'), y: 'nDCG@10' });
    expect(paretoOf(board, choice(board))).toEqual(paretoOf(hostileBoard, choice(hostileBoard)));
    expect(paretoOf(board, choice(board)).points.length).toBeGreaterThan(5);
  });

  it('may lack what older boards lack', () => {
    const old = {
      ...{ schema: 'tenbin/board@1', primary: 'nDCG@10', measures: ['nDCG@10'], tasks: [] },
      systems: [
        {
          ...{ id: 'bm25', family: 'lexical', complete: true, tasks: {}, cost: { bytesPerDoc: 1, opsPerQuery: {} } },
          micro: { 'nDCG@10': { value: 0.5 } },
        },
      ],
    };
    const board = parseParetoBoard(old, 'old.json');
    expect(board.systems[0]).toMatchObject({ missing: [], safeguarded: false, micro: { 'nDCG@10': { low: null } } });
    expect(board.interval).toMatchObject({ seed: 17, resamples: 1000 });
  });

  it.each([
    ['a cost that is a text', (board: Mutable) => Object.assign(board.systems[0].cost, { bytesPerDoc: '1' })],
    ['a family of no kind', (board: Mutable) => Object.assign(board.systems[0], { family: 'magic' })],
    ['no systems', (board: Mutable) => Object.assign(board, { systems: 3 })],
    ['a cost without end', (board: Mutable) => Object.assign(board.systems[0].cost, { bytesPerDoc: 1e301 })],
    ['resamples without end', (board: Mutable) => Object.assign(board.interval, { resamples: 1e9 })],
  ])('is refused with %s', (_, change) => {
    const board: Mutable = JSON.parse(JSON.stringify(hostileBoard));
    change(board);
    expect(() => parseParetoBoard(board, 'x/board.json')).toThrow(/x\/board\.json/);
  });

  it('is refused with two systems of one id', () => {
    const { systems, ...rest } = JSON.parse(JSON.stringify(hostileBoard));
    const twice = { ...rest, systems: [...systems, systems[0]] };
    expect(() => parseParetoBoard(twice, 'x/board.json')).toThrow(/two systems of the id .*x\/board\.json/);
  });
});

interface Mutable {
  readonly systems: { readonly cost: object }[];
  readonly interval: object;
}
