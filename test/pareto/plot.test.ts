import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact, costText } from '../../results/pareto/cost-text.js';
import { paretoOf } from '../../results/pareto/pareto.js';
import { paretoSvg } from '../../results/pareto/svg.js';
import { costAxis, valueAxis } from '../../results/reports/html-axis.js';
import { labelWidth } from '../../results/reports/html-labels.js';
import { boardOf, drawnBoard, keyOf, system } from './boards.js';

const svgOf = (board = drawnBoard, key = 'bytesPerDoc') =>
  paretoSvg(paretoOf(board, { x: keyOf(board, key), y: 'nDCG@10' })) ?? '';

describe('the plot', () => {
  it.each(['bytesPerDoc', 'flopsPerQuery'])(
    'against %s has the golden bytes (vitest -u writes them anew)',
    async (key) => {
      const svg = svgOf(drawnBoard, key);
      expect(svgOf(structuredCloneOf(), key)).toBe(svg);
      await expect(svg).toMatchFileSnapshot(`../golden/pareto/${key}.svg`);
    },
  );

  it('labels every point once, none on another, all inside', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 60 }), (places) => {
        const crowd = boardOf(
          ...places.map(([x, y], i) => system(`system number ${i}+rescore@4`, { cost: { bytesPerDoc: x }, y: y / 10 })),
        );
        const svg = svgOf(crowd);
        const height = Number(/height="(\d+)"/.exec(svg)?.[1]);
        const boxes = labelsIn(svg);
        expect(boxes.map(({ text }) => text).toSorted()).toEqual(crowd.systems.map(({ id }) => id).toSorted());
        boxes.forEach((a, i) => {
          expect(a.left >= 0 && a.right <= 960 && a.bottom <= height).toBe(true);
          for (const b of boxes.slice(i + 1)) {
            expect(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).toBe(false);
          }
        });
      }),
      { numRuns: 25 },
    );
  });

  it('of more than 200 points names what fits of the frontier, and says so', () => {
    const crowd = (count: number) =>
      boardOf(
        ...Array.from({ length: count }, (_, i) => system(`s${i}`, { cost: { bytesPerDoc: i + 1 }, y: i / count })),
      );
    const [all, some] = [svgOf(crowd(200)), svgOf(crowd(3000))];
    expect(labelsIn(all)).toHaveLength(200);
    expect(all).not.toContain('more than 200 points');
    const boxes = labelsIn(some);
    expect(boxes.length).toBeGreaterThan(5);
    expect(boxes.length).toBeLessThanOrEqual(200);
    expect(some).toMatch(/<desc[^>]*>[^<]*of a plot of more than 200 points, names stand only where they fit/);
    expect(some).toContain('height="528"');
    boxes.forEach((a, i) => {
      for (const b of boxes.slice(i + 1)) {
        expect(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).toBe(false);
      }
    });
  });

  it('holds no tag and no control character of a name, and a title and a description', () => {
    const svg = svgOf();
    expect(svg).not.toMatch(/<script|\u202e/);
    expect(svg).toMatch(/aria-labelledby="pareto-title pareto-desc"/);
    expect(svg).toMatch(/<title id="pareto-title">nDCG@10 against bytes per document<\/title>/);
    expect(svg).toMatch(/<desc id="pareto-desc">[^<]*5 of 10 systems are on the frontier/);
    expect(svgOf(boardOf(system('\uffff', { cost: { bytesPerDoc: 1 } })))).not.toContain('\uffff');
  });

  it('tells families by shape and standings by filling', () => {
    const svg = svgOf();
    // A mark for each point, and one for each entry of the legend: five families, three standings.
    expect(svg.match(/<path class="mark/g)).toHaveLength(10 + 5 + 3);
    expect(svg.match(/<path class="mark filled"/g)).toHaveLength(5 + 1);
    expect(svg.match(/<path class="half"/g)).toHaveLength(1 + 1);
  });

  it('is nothing without a point', () => {
    const board = boardOf(system('a', { cost: { bytesPerDoc: 1 }, lacks: ['a/one'] }));
    expect(paretoSvg(paretoOf(board, { x: keyOf(board, 'bytesPerDoc'), y: 'nDCG@10' }))).toBeNull();
  });
});

const structuredCloneOf = () => ({ ...drawnBoard, systems: drawnBoard.systems.toReversed().toReversed() });

/** Labels as boxes of 14 px, which is how high a line is. */
function labelsIn(svg: string) {
  const found = svg.matchAll(
    /<text class="label" x="([\d.-]+)" y="([\d.-]+)" text-anchor="(start|end)">([^<]*)<\/text>/g,
  );
  return [...found].map(([, x, y, anchor, text]) => {
    const [at, middle, width] = [Number(x), Number(y) - 4, labelWidth(text)];
    const left = anchor === 'start' ? at : at - width;
    return { text, left, right: left + width, top: middle - 6.9, bottom: middle + 6.9 };
  });
}

const ends = { from: 72, to: 940 };

describe('the axis of costs', () => {
  it('has a tick of its own for 0', () => {
    const axis = costAxis([0, 8, 64], 'bytes', ends);
    expect(axis.ticks.map(({ text }) => text)).toEqual(['0 B', '8 B', '16 B', '32 B', '64 B']);
    expect(axis.at(0)).toBeLessThan(axis.breakAt ?? 0);
    expect(axis.at(8)).toBeGreaterThan(axis.breakAt ?? 0);
    expect(costAxis([8], 'bytes', ends).breakAt).toBeNull();
  });

  it('counts in powers of ten, finer where they are few', () => {
    const texts = (values: readonly number[]) => costAxis(values, 'flops', ends).ticks.map(({ text }) => text);
    expect(texts([1, 30])).toEqual(['1', '2', '5', '10', '20', '50']);
    expect(texts([1e3, 1e6])).toEqual(['1 k', '10 k', '100 k', '1 M']);
    expect(texts([0])).toEqual(['0', '1', '2']);
    expect(texts([0.02, 0.05])).toEqual(['0.02', '0.05']);
  });

  it('keeps the order and the frame, whatever the numbers', () => {
    const costs = fc.array(fc.double({ min: 0, max: 1e300, noNaN: true }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(costs, fc.constantFrom('bytes' as const, 'flops' as const, 'ms' as const), (values, unit) => {
        const { at, ticks } = costAxis(values, unit, ends);
        const sorted = values.toSorted((a, b) => a - b).map(at);
        expect(sorted).toEqual(sorted.toSorted((a, b) => a - b));
        for (const x of [...sorted, ...ticks.map((tick) => tick.at)]) expect(x >= 72 && x <= 940).toBe(true);
        expect(ticks.length).toBeLessThanOrEqual(10);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the axis of values', () => {
  it('holds every value between few ticks', () => {
    const values = fc.array(fc.double({ min: -1e12, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(values, (numbers) => {
        const { at, ticks } = valueAxis(numbers, { from: 430, to: 30 });
        for (const value of numbers) expect(at(value) >= 29.9 && at(value) <= 430.1).toBe(true);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(11);
      }),
    );
  });

  it('has round steps', () => {
    expect(
      valueAxis([0.08, 0.24], { from: 430, to: 30 })
        .ticks.map(({ text }) => text)
        .slice(0, 3),
    ).toEqual(['0.08', '0.10', '0.12']);
    expect(valueAxis([0, 0], { from: 430, to: 30 }).ticks.map(({ text }) => text)).toEqual(['0.00', '0.05']);
  });
});

it('writes costs in three figures', () => {
  expect([0, 5, 12.345, 999.4, 999.6, 1000, 2_347_000, 999_999, 1e15, 2e21].map(compact)).toEqual([
    ...['0', '5', '12.3', '999', '1 k', '1 k', '2.35 M', '1 M', '1 P', '2.00e+3 E'],
  ]);
  expect([costText(1536, 'bytes'), costText(2.5, 'ms'), costText(5e9, 'flops'), costText(0.25, 'usd')]).toEqual([
    ...['1.5 KiB', '2.50 ms', '5 G', '0.250 USD'],
  ]);
});
