import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildBoard } from '../../results/board.js';
import type { BoardInput } from '../../results/board-types.js';
import { html } from '../../results/reports/html.js';
import { island } from '../../results/reports/html-data.js';
import { placeLabels } from '../../results/reports/html-labels.js';
import { boardMath } from '../../results/reports/html-math.js';
import { pageScript } from '../../results/reports/html-script.js';
import { madeUp } from './boards.js';
import { emptyBoard, hostileBoard, hostileNames } from './hostile.js';

const page = html.bind(undefined).render(hostileBoard);

describe('the page', () => {
  it('has two scripts and a data island of its own, and no tag from a name', () => {
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script/g)).toHaveLength(2);
    expect(page).not.toMatch(/<img|<!--|alert\(1\)<\/script/);
  });

  it('fetches nothing', () => {
    const tags = page.match(/<[^>]+>/g) ?? [];
    expect(tags.filter((tag) => /\s(src|href|action|on\w+)=/.test(tag))).toEqual([]);
    expect(page.slice(0, page.indexOf('</style>'))).not.toMatch(/@import|url\(/);
    expect(page).toContain("default-src 'none'");
  });

  it('keeps every name whole in its data', () => {
    const text = /<script type="application\/json" id="data">(.*)<\/script>/.exec(page)?.[1] ?? '';
    expect(text).not.toMatch(/[<>&\u2028\u2029]/);
    const ids: string[] = JSON.parse(text).systems.map(({ id }: { id: string }) => id);
    expect(ids.toSorted()).toEqual([...hostileNames].toSorted());
  });

  it('labels every control and every column', () => {
    const controls = page.match(/<(?:select|input)[^>]*>/g) ?? [];
    const labelled = page.match(/<label>[^<]*<(?:select|input)[^>]*>/g) ?? [];
    expect(labelled).toHaveLength(controls.length);
    const board = page.slice(page.indexOf('<table id="board">'), page.indexOf('<tbody id="ranked">'));
    expect(board.match(/<th scope="col"/g)?.length).toBe(board.match(/<button type="button">/g)?.length);
  });

  it('has no script and no form where there is nothing to sort', () => {
    expect(html.bind(undefined).render(emptyBoard)).not.toMatch(/<script|<form|<table/);
  });

  it('holds scripts that parse', () => {
    expect(() => runInNewContext(`(function () { 'use strict'; ${boardMath} ${pageScript} })`)).not.toThrow();
  });
});

type Cell = readonly [number, number | null, number | null, number, number, number] | null;
interface PageMath {
  readonly estimate: (system: unknown, scope: string, measure: number, suites: readonly number[]) => Cell;
  readonly ranks: (scope: string, measure: number, suites: readonly number[]) => (number | null)[];
}

describe('filtering by suite', () => {
  it('shows the means and ranks of a board of those tasks', () => {
    const shapes = fc.record({
      seed: fc.nat(),
      gaps: fc.constantFrom(0, 5),
      chosen: fc.subarray([0, 1, 2], { minLength: 1 }),
    });
    fc.assert(
      fc.property(shapes, ({ seed, gaps, chosen }) => {
        const input = madeUp({ suites: 3, tasksPerSuite: 2, systems: 4, queries: 5, gaps, seed });
        const data = JSON.parse(island(buildBoard(input)));
        const math: PageMath = runInNewContext(`${boardMath}; boardMath`)(data);
        const expected = buildBoard(
          restricted(
            input,
            chosen.map((i) => data.suites[i]),
          ),
        );
        const ranks = math.ranks('micro', 0, chosen);
        data.systems.forEach((system: { id: string }, place: number) => {
          const own = expected.systems.find(({ id }) => id === system.id);
          expect(ranks[place]).toBe(own?.rank?.micro ?? null);
          for (const mean of ['micro', 'macro'] as const) {
            const cell = math.estimate(system, mean, 0, chosen);
            const { value, n } = own?.[mean]['nDCG@10'] ?? { value: null, n: 0 };
            expect(cell === null).toBe(value === null);
            expect(cell?.[0] ?? 0).toBeCloseTo(value ?? 0, 12);
            expect(cell?.[5] ?? 0).toBe(n);
            expect(cell?.[1] === null).toBe(chosen.length === 2 && cell !== null);
          }
        });
      }),
      { numRuns: 30 },
    );
  });
});

function restricted(input: BoardInput, suites: readonly string[]): BoardInput {
  const tasks = input.tasks.filter(({ suite }) => suites.includes(suite));
  const ids = new Set(tasks.map(({ id }) => id));
  const systems = input.systems.map((system) => ({
    ...system,
    tasks: new Map([...system.tasks].filter(([id]) => ids.has(id))),
  }));
  return { ...input, tasks, systems };
}

describe('labels of the plot', () => {
  const crowd = Array.from({ length: 25 }, (_, i) => ({ x: 450 + (i % 3), y: 200 + (i % 5), text: `system ${i}` }));
  const frame = { left: 0, right: 900, top: 0, bottom: 400 };

  it('stand once each, inside the frame, on no other label', () => {
    const labels = placeLabels(crowd, frame) ?? [];
    expect(labels.map(({ text }) => text)).toEqual(crowd.map(({ text }) => text));
    const places = labels.map(({ x, y, anchor }) => `${anchor} ${Math.round(x / 9)} ${y}`);
    expect(new Set(places).size).toBe(crowd.length);
    for (const { y } of labels) expect(y > frame.top && y < frame.bottom).toBe(true);
  });

  it('are none where the frame is too low for all of them', () => {
    expect(placeLabels(crowd, { ...frame, top: 180, bottom: 225 })).toBeNull();
    expect(placeLabels([], { ...frame, bottom: 0 })).toEqual([]);
  });
});

describe('costs on the page', () => {
  const sectionOf = (text: string, id: string) => {
    const [, found] = text.split(`<section aria-labelledby="${id}">`);
    return found?.slice(0, found.indexOf('</section>')) ?? '';
  };

  it('have a plot with the frontier for bytes and latency, each element with an id of its own', () => {
    for (const id of ['bytes', 'latency']) {
      const section = sectionOf(page, id);
      expect(section.match(/<path class="frontier"/g)).toHaveLength(1);
      expect(section).toContain(`aria-labelledby="plot-${id}-title plot-${id}-desc"`);
    }
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('name every complete system once in a plot, and those that are left out with the reason', () => {
    const section = sectionOf(page, 'bytes');
    const complete = hostileBoard.systems.filter(({ complete, safeguarded }) => complete && !safeguarded);
    expect(section.match(/<text class="label"/g)).toHaveLength(complete.length);
    const left = hostileBoard.systems.length - complete.length;
    expect(section).toContain(`<summary>${left} left out</summary>`);
    expect(section).toContain('its candidates hold positives that the safeguard put in');
    expect(section.match(/it lacks 1 of 4 tasks/g)).toHaveLength(left - 1);
  });

  it('are all in one table, with a reason behind every dash', () => {
    const section = sectionOf(page, 'costs');
    const cells = section.match(/<td class="cost"[^>]*>[^<]*/g) ?? [];
    expect(cells.length % hostileBoard.systems.length).toBe(0);
    for (const cell of cells) expect(cell.endsWith('–')).toBe(/ title="[A-Z][^"]+\."/.test(cell));
    expect(cells.some((cell) => cell.endsWith('–'))).toBe(true);
  });

  it('call times those of a batch run, and say why there is no percentile', () => {
    expect(sectionOf(page, 'costs')).toContain('<span>batch p50 ms</span>');
    expect(sectionOf(page, 'latency')).toMatch(
      /batch run, without encoding the query; <code>tenbin latency<\/code> measures serving/,
    );
    expect(sectionOf(page, 'bytes')).not.toContain('tenbin latency');
    const systems = hostileBoard.systems.map((system, i) => {
      const latencyMs = { p50: 1, p95: i === 0 ? 2 : null };
      return { ...system, cost: { ...system.cost, latencyMs } };
    });
    const costs = sectionOf(html.bind(undefined).render({ ...hostileBoard, systems }), 'costs');
    expect(costs.match(/title="Not known: nothing was timed, or queries were timed in blocks/g)).toHaveLength(
      systems.length - 1 - systems.slice(1).filter(({ imported }) => imported !== undefined).length,
    );
    const none = systems.map((system) => ({
      ...system,
      cost: { ...system.cost, latencyMs: { p50: null, p95: null } },
    }));
    const text = html.bind(undefined).render({ ...hostileBoard, systems: none });
    expect(text).not.toMatch(/batch p\d\d ms|aria-labelledby="latency"/);
  });

  it('show both ratios where there are FLOPs, and why there are none', () => {
    const ratio = { meanOfRatios: 2e9, ratioOfMeans: 1.5e9 };
    const systems = hostileBoard.systems.map((system, i) => ({
      ...system,
      cost: { ...system.cost, flopsPerQuery: i, RPP: i === 0 ? {} : { 'nDCG@10': ratio }, QPP: i === 0 ? null : ratio },
    }));
    const text = html.bind(undefined).render({ ...hostileBoard, systems });
    const section = sectionOf(text, 'costs');
    expect(section).toContain('RPP(nDCG@10), mean of ratios'.replace(',', ',<wbr>'));
    expect(section.match(/>1\.50 G</g)).toHaveLength(2 * (systems.length - 1));
    expect(section).toContain('title="Undefined: some query needs no FLOPs, or they are not known."');
    expect(section).not.toContain('Infinity');
    expect(sectionOf(text, 'flops')).toContain('FLOPs per query');
  });
});
