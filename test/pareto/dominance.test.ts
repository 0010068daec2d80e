import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dominates } from '../../core/dominance.js';
import { alongFrontier, isSurelyBetter, standings, turned } from '../../results/pareto/dominance.js';
import type { Better, PlainPoint, Standing } from '../../results/pareto/types.js';
import { point } from './boards.js';

const statuses = (points: readonly PlainPoint[], better: 'more' | 'less' = 'more') =>
  new Map(standings(points, better).map((one, i) => [points[i].system, one]));

describe('how a point stands', () => {
  it('is the frontier for one point, and nothing for none', () => {
    expect(standings([], 'more')).toEqual([]);
    expect(standings([point('a', [1, 0.5])], 'more')).toEqual([{ status: 'frontier', by: null }]);
  });

  it('is the frontier for both of two equal points', () => {
    const found = standings([point('a', [1, 0.5]), point('b', [1, 0.5])], 'more');
    expect(found.map(({ status }) => status)).toEqual(['frontier', 'frontier']);
  });

  it('takes one strict advantage to dominate', () => {
    const cheaper = statuses([point('a', [1, 0.5]), point('b', [2, 0.5])]);
    expect(cheaper.get('b')).toEqual({ status: 'dominatedWithinError', by: 'a' });
    const good = statuses([point('a', [1, 0.6]), point('b', [1, 0.5])]);
    expect(good.get('b')).toEqual({ status: 'dominated', by: 'a' });
  });

  it('is sure only when the ends of the intervals are apart', () => {
    const touching: PlainPoint = { ...point('b', [2, 0.4]), high: 0.49 };
    expect(statuses([point('a', [1, 0.5]), touching]).get('b')?.status).toBe('dominatedWithinError');
    const apart = { ...touching, high: 0.489 };
    expect(statuses([point('a', [1, 0.5]), apart]).get('b')?.status).toBe('dominated');
  });

  it('is never sure without an interval', () => {
    const found = statuses([point('a', [1, 0.9], null), point('b', [2, 0.1])]);
    expect(found.get('b')).toEqual({ status: 'dominatedWithinError', by: 'a' });
    expect(statuses([point('a', [1, 0.9]), point('b', [2, 0.1], null)]).get('b')?.status).toBe('dominatedWithinError');
  });

  it('turns around for a measure of which less is better', () => {
    const found = statuses([point('a', [1, 0.1]), point('b', [2, 0.5])], 'less');
    expect(found.get('a')?.status).toBe('frontier');
    expect(found.get('b')).toEqual({ status: 'dominated', by: 'a' });
  });

  it('names the strongest dominator: a sure one, then the best, the cheapest, the first by id', () => {
    const weak = point('z', [10, 0.5]);
    // Better than the sure one, but its interval is wide.
    const wide = point('wide', [1, 0.9], 0.5);
    expect(statuses([weak, wide, point('sure', [1, 0.6])]).get('z')).toEqual({ status: 'dominated', by: 'sure' });
    expect(statuses([weak, point('a', [2, 0.7]), point('b', [3, 0.8])]).get('z')?.by).toBe('b');
    expect(statuses([weak, point('a', [3, 0.8]), point('b', [2, 0.8])]).get('z')?.by).toBe('b');
    expect(statuses([weak, point('\u{1f600}', [2, 0.8]), point('\uff5e', [2, 0.8])]).get('z')?.by).toBe('\uff5e');
  });

  it('names the best where less is better', () => {
    const found = statuses([point('a', [1, 0.3]), point('b', [2, 0.2]), point('z', [3, 0.9])], 'less');
    expect(found.get('z')).toEqual({ status: 'dominated', by: 'b' });
  });

  it('puts equal points of the frontier in the order of their ids', () => {
    const equal = ['b', '\u{1f600}', '\uff5e', 'a'].map((id) => point(id, [1, 0.5]));
    const ids = alongFrontier([...equal, point('0', [2, 0.6])], 'more').map(({ system }) => system);
    expect(ids).toEqual(['a', 'b', '\uff5e', '\u{1f600}', '0']);
  });

  it('takes a cost of nothing as a cost', () => {
    expect(statuses([point('free', [0, 0.4]), point('dear', [1e18, 0.3])]).get('dear')?.by).toBe('free');
  });
});

const above = (a: PlainPoint, b: PlainPoint) => a.low !== null && b.high !== null && a.low > b.high;

// A coarse grid, so that ties happen in both directions.
const places = fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { maxLength: 14 });
const made = (
  pairs: readonly (readonly [number, number])[],
  errors: (i: number) => number = () => 0.15,
): PlainPoint[] => pairs.map(([x, y], i) => point(`s${i}`, [x, y / 10], errors(i)));

/** The definition, word for word: quadratic. */
function naive(points: readonly PlainPoint[], better: Better): readonly Standing[] {
  const gain = (a: PlainPoint, b: PlainPoint) => (better === 'more' ? a.y - b.y : b.y - a.y);
  const strongest = [...points].sort((a, b) => -gain(a, b) || a.x - b.x || (a.system < b.system ? -1 : 1));
  return points.map((one): Standing => {
    const above = strongest.filter((other) => other.x <= one.x && gain(other, one) >= 0);
    const dominators = above.filter((other) => other.x < one.x || gain(other, one) > 0);
    const sure = dominators.find((other) => {
      const [up, down] = better === 'more' ? [other, one] : [one, other];
      return up.low !== null && down.high !== null && up.low > down.high;
    });
    if (sure !== undefined) return { status: 'dominated', by: sure.system };
    const [first] = dominators;
    return first === undefined
      ? { status: 'frontier', by: null }
      : { status: 'dominatedWithinError', by: first.system };
  });
}

describe('laws', () => {
  it('what a sweep finds is what the definition says, whatever the intervals', () => {
    const end = fc.option(fc.integer({ min: -2, max: 9 }));
    const any = fc.record({ x: fc.nat(5), y: fc.nat(5), low: end, high: end });
    fc.assert(
      fc.property(
        fc.array(any, { maxLength: 20 }),
        fc.constantFrom('more' as const, 'less' as const),
        (rows, better) => {
          const points = rows.map((row, i): PlainPoint => ({ ...point(`s${i % 10}${i}`, [0, 0]), ...row }));
          expect(standings(points, better)).toEqual(naive(points, better));
          const frontier = points.filter((_, i) => standings(points, better)[i].status === 'frontier');
          expect(alongFrontier(points, better)).toEqual(
            frontier.sort((a, b) => a.x - b.x || (a.system < b.system ? -1 : 1)),
          );
          for (const a of points) {
            const sure = better === 'more' ? (b: PlainPoint) => above(a, b) : (b: PlainPoint) => above(b, a);
            for (const b of points) expect(isSurelyBetter(turned(a, better), turned(b, better))).toBe(sure(b));
          }
        },
      ),
    );
  });

  it('twenty thousand points on the frontier take no comparison of all with all', () => {
    const points = Array.from({ length: 20_000 }, (_, i) => point(`s${i}`, [i, i / 20_000]));
    expect(standings(points, 'more').every(({ status }) => status === 'frontier')).toBe(true);
    expect(standings(points, 'less').filter(({ by }) => by === 's0')).toHaveLength(19_999);
  });

  it('the frontier is an antichain', () => {
    fc.assert(
      fc.property(places, fc.constantFrom('more' as const, 'less' as const), (pairs, better) => {
        const frontier = alongFrontier(made(pairs), better);
        for (const a of frontier)
          for (const b of frontier) {
            expect(dominates(turned(a, better), turned(b, better))).toBe(false);
          }
      }),
    );
  });

  it('every other point is dominated by a point of the frontier, and the status agrees with the definition', () => {
    fc.assert(
      fc.property(places, fc.infiniteStream(fc.nat(3)), (pairs, widths) => {
        const points = made(pairs, () => (widths.next().value ?? 0) / 10);
        const found = standings(points, 'more');
        const frontier = alongFrontier(points, 'more');
        points.forEach((one, i) => {
          const dominators = points.filter(
            (other) => other.x <= one.x && other.y >= one.y && (other.x < one.x || other.y > one.y),
          );
          expect(found[i].status === 'frontier').toBe(dominators.length === 0);
          if (dominators.length === 0) return;
          expect(frontier.some((other) => dominates(turned(other, 'more'), turned(one, 'more')))).toBe(true);
          expect(dominators.map(({ system }) => system)).toContain(found[i].by);
          const sure = dominators.some(({ low }) => (low ?? 0) > (one.high ?? 0));
          expect(found[i].status).toBe(sure ? 'dominated' : 'dominatedWithinError');
        });
      }),
    );
  });

  it('one more dominated point moves no frontier, and with intervals of one width changes nothing at all', () => {
    fc.assert(
      fc.property(places, fc.nat(6), fc.nat(6), fc.constantFrom(0.15, 0.9), (pairs, x, y, error) => {
        const points = made(pairs);
        const added = point('added', [x + 1, (y - 1) / 10], error);
        fc.pre(points.some((other) => dominates(turned(other, 'more'), turned(added, 'more'))));
        const before = standings(points, 'more');
        const after = standings([...points, added], 'more').slice(0, -1);
        expect(after.map(({ status }) => status === 'frontier')).toEqual(
          before.map(({ status }) => status === 'frontier'),
        );
        if (error === 0.15) expect(after).toEqual(before);
      }),
    );
  });

  it('neither the order of the points nor the unit of the cost matters', () => {
    fc.assert(
      fc.property(places, fc.integer({ min: -40, max: 60 }), fc.nat(), (pairs, exponent, turn) => {
        const points = made(pairs);
        const by = points.length === 0 ? 0 : turn % points.length;
        const turned = [...points.slice(by), ...points.slice(0, by)]
          .reverse()
          .map((one) => ({ ...one, x: one.x * 2 ** exponent }));
        expect(statuses(turned)).toEqual(
          new Map([...statuses(points)].sort(([a], [b]) => order(turned, a) - order(turned, b))),
        );
      }),
    );
  });
});

const order = (points: readonly PlainPoint[], id: string): number => points.findIndex(({ system }) => system === id);
