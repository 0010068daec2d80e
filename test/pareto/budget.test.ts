import { describe, expect, it } from 'vitest';
import { adviceOf } from '../../results/pareto/advise.js';
import { excess, parseBudget } from '../../results/pareto/budget.js';
import { costKey } from '../../results/pareto/cost-keys.js';
import { noPrices, usdPerThousand } from '../../results/pareto/usd.js';
import { boardOf, system } from './boards.js';

const board = boardOf(
  system('small', { cost: { bytesPerDoc: 64, flopsPerQuery: 2e9, latencyMs: { p95: 3, p50: 1 } }, y: 0.4 }),
  system('good', { cost: { bytesPerDoc: 128, flopsPerQuery: 5e9, latencyMs: { p95: 9, p50: 2 } }, y: 0.5 }),
  system('twin', { cost: { bytesPerDoc: 96, flopsPerQuery: 6e9, latencyMs: { p95: 9, p50: 2 } }, y: 0.5 }),
  system('dear', { cost: { bytesPerDoc: 4096, flopsPerQuery: 9e12, latencyMs: { p95: 90, p50: 40 } }, y: 0.9 }),
  system('words', {
    cost: { bytesPerDoc: 100, flopsPerQuery: 0, opsPerQuery: { postings: 1000 }, latencyMs: { p95: 1, p50: 1 } },
    y: 0.3,
  }),
  system('unknown', { cost: { bytesPerDoc: 1, flopsPerQuery: null }, y: 0.99 }),
  system('helped', { cost: { bytesPerDoc: 1, flopsPerQuery: 1 }, y: 0.99, safeguarded: true }),
  system('lacks', { cost: { bytesPerDoc: 1, flopsPerQuery: 1 }, y: 0.99, lacks: ['a/one'] }),
);
const parse = (text: string) => parseBudget(text, board.systems, noPrices);

describe('a budget', () => {
  it.each([
    ['bytesPerDoc<=128', 'bytesPerDoc', '<=', 128],
    [' bytesPerDoc < 4k ', 'bytesPerDoc', '<', 4000],
    ['bytesPerDoc<=4Ki', 'bytesPerDoc', '<=', 4096],
    ['bytesPerDoc<=1.5MiB', 'bytesPerDoc', '<=', 1.5 * 2 ** 20],
    ['bytesPerDoc<=2GB', 'bytesPerDoc', '<=', 2e9],
    ['flopsPerQuery<=5G', 'flopsPerQuery', '<=', 5e9],
    ['flopsPerQuery<=1P', 'flopsPerQuery', '<=', 1e15],
    ['flopsPerQuery<=2.5e-3T', 'flopsPerQuery', '<=', 2.5e9],
    ['p95<20ms', 'latencyMs.p95', '<', 20],
    ['p50<=0.5s', 'latencyMs.p50', '<=', 500],
    ['latencyMs.p95 <= 250us', 'latencyMs.p95', '<=', 0.25],
    ['opsPerQuery.postings<=1k', 'opsPerQuery.postings', '<=', 1000],
    ['usd<=0', 'usd', '<=', 0],
  ] as const)('reads %s', (text, key, relation, limit) => {
    const [one, ...more] = parse(text);
    expect(more).toEqual([]);
    expect(one.cost.key).toBe(key);
    expect(one.relation).toBe(relation);
    expect(one.limit).toBeCloseTo(limit, 6);
  });

  it('may have several conditions', () => {
    expect(parse('bytesPerDoc<=128, flopsPerQuery<=5G,p95<20').map(({ cost }) => cost.key)).toEqual([
      'bytesPerDoc',
      'flopsPerQuery',
      'latencyMs.p95',
    ]);
  });

  it.each([
    ['', /condition/],
    ['bytesPerDoc<=128,', /condition/],
    ['bytesPerDoc', /condition.*`bytesPerDoc`/],
    ['bytesPerDoc>=128', /condition.*`bytesPerDoc>=128`/],
    ['bytesPerDoc=128', /condition/],
    ['bytesPerDoc<=', /number from 0/],
    ['bytesPerDoc<=much, p95<1', /number from 0: `bytesPerDoc<=much`/],
    ['bytesPerDoc<=-1', /number from 0/],
    ['bytesPerDoc<=1e999', /finite/],
    ['bytesPerDoc<=1K', /does not end in `K`/],
    ['flopsPerQuery<=5Gi', /limit in flops does not end in `Gi`/],
    ['p95<3G', /limit in ms/],
    ['bytesPerDocs<=1', /Did you mean `bytesPerDoc`\?/],
    ['__proto__<=1', /No system of the board has this cost/],
    ['RPP.nDCG@10.ratioOfMeans<=1', /No system of the board/],
    ['QPP.ratioOfMeans<=1', /No system of the board/],
  ])('that is wrong names the part: %s', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it('knows by which factor a limit is missed', () => {
    const [most] = parse('bytesPerDoc<=100');
    const [below] = parse('bytesPerDoc<100');
    expect([excess(50, most), excess(100, most), excess(200, most)]).toEqual([0.5, 1, 2]);
    expect(excess(100, below)).toBeGreaterThan(1);
    expect(excess(0, parse('bytesPerDoc<=0')[0])).toBe(1);
    expect(excess(1, parse('bytesPerDoc<=0')[0])).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('advice', () => {
  const within = (text: string) => adviceOf(board, { y: 'nDCG@10', conditions: parse(text), safeguarded: 'without' });

  it('is the best that fits, both sides of a limit', () => {
    const ids = (text: string) => within(text).fitting.map((one) => one.system);
    expect(ids('bytesPerDoc<=128, flopsPerQuery<=5G')).toEqual(['good', 'small', 'words']);
    expect(ids('bytesPerDoc<128, flopsPerQuery<=5G')).toEqual(['small', 'words']);
    expect(ids('flopsPerQuery<=0')).toEqual(['words']);
    expect(ids('bytesPerDoc<=1Mi')[0]).toBe('unknown');
  });

  it('takes the cheaper by the first condition of equally good ones', () => {
    expect(
      within('bytesPerDoc<=128, p95<=9')
        .fitting.slice(0, 2)
        .map((one) => one.system),
    ).toEqual(['twin', 'good']);
    expect(
      within('flopsPerQuery<=1T')
        .fitting.slice(0, 2)
        .map((one) => one.system),
    ).toEqual(['good', 'twin']);
  });

  it('leaves out what is not known, incomplete or helped, and says so', () => {
    const { leftOut } = within('flopsPerQuery<=5G');
    expect(leftOut.map((one) => one.system)).toEqual(['unknown', 'helped', 'lacks']);
    expect(leftOut[0].reason).toBe('its flopsPerQuery is not known');
  });

  it('names what comes nearest where nothing fits', () => {
    const { fitting, over } = within('bytesPerDoc<=32, p95<=2');
    expect(fitting).toEqual([]);
    expect(over[0]).toMatchObject({
      system: 'small',
      exceeds: [
        { key: 'bytesPerDoc', value: 64, limit: 32 },
        { key: 'latencyMs.p95', value: 3, limit: 2 },
      ],
    });
  });

  it('leaves out a cost below 0, which is none', () => {
    const odd = boardOf(system('odd', { cost: { bytesPerDoc: -5 } }), system('even', { cost: { bytesPerDoc: 5 } }));
    const conditions = parseBudget('bytesPerDoc<=9', odd.systems, noPrices);
    const { fitting, leftOut } = adviceOf(odd, { y: 'nDCG@10', conditions, safeguarded: 'without' });
    expect(fitting.map((one) => one.system)).toEqual(['even']);
    expect(leftOut).toEqual([{ system: 'odd', reason: 'its bytesPerDoc is below 0' }]);
  });

  it('takes the best of those that miss a limit of 0, each by infinity', () => {
    const { over } = within('bytesPerDoc<=0');
    expect(over.map((one) => one.system)).toEqual(['unknown', 'dear', 'twin', 'good', 'small', 'words']);
  });

  it('turns around for a measure of which less is better', () => {
    const conditions = parse('flopsPerQuery<=5G');
    const { fitting } = adviceOf(board, { y: 'Unjudged@10', conditions, safeguarded: 'with' });
    expect(fitting.map((one) => one.system)).toEqual(['words', 'small', 'good', 'helped']);
  });
});

describe('USD per 1,000 queries', () => {
  const asked = (ops: object) => system('llm', { cost: { opsPerQuery: ops } });

  it('is of the tokens that the service counted, by the given prices', () => {
    const prices = { prompt: 0.5, completion: 2 };
    expect(usdPerThousand(asked({ calls: 3, promptTokens: 4000, completionTokens: 100 }), prices)).toBeCloseTo(2.2, 12);
    expect(usdPerThousand(asked({ promptTokens: 1000 }), { prompt: 0, completion: null })).toBe(0);
  });

  it('is 0 without a service, and unknown where it counted nothing or nothing is known', () => {
    expect(usdPerThousand(asked({ postings: 5 }), noPrices)).toBe(0);
    const pool = { bytesPerDoc: null, flops: null, opsPerQuery: {}, latencyMs: { p50: null, p95: null }, RPP: {} };
    expect(usdPerThousand(system('hybrid', { cost: pool }), noPrices)).toBeNull();
    expect(usdPerThousand(system('old', { cost: {} }), noPrices)).toBeNull();
    expect(usdPerThousand(system('old', { cost: { bytesPerDoc: 0 } }), noPrices)).toBe(0);
    expect(usdPerThousand(asked({ calls: 3 }), { prompt: 1, completion: 1 })).toBeNull();
    expect(usdPerThousand(system('x', { imported: {} }), noPrices)).toBeNull();
  });

  it('is an error without the price that is needed', () => {
    expect(() => usdPerThousand(asked({ promptTokens: 1 }), noPrices)).toThrow(/--price-prompt/);
    expect(() => usdPerThousand(asked({ completionTokens: 1 }), { prompt: 1, completion: null })).toThrow(
      /--price-completion/,
    );
  });
});

describe('a cost by its name', () => {
  it('is no ratio of quality to cost, and no short name of what nobody has', () => {
    const rated = [
      system('a', {
        cost: {
          flopsPerQuery: 1,
          RPP: { x: { ratioOfMeans: 2 } },
          QPP: { ratioOfMeans: 3 },
          latencyMs: { p50: 1, p95: null },
        },
      }),
    ];
    for (const key of ['RPP.x.ratioOfMeans', 'QPP.ratioOfMeans', 'p95']) {
      expect(() => costKey(key, rated, noPrices)).toThrow(
        /There are `flopsPerQuery`, `latencyMs\.p50`, `p50`, `usd`\./,
      );
    }
  });

  it('lists those there are where it is none', () => {
    expect(() => costKey('peakMemory', board.systems, noPrices)).toThrow(
      /There are `bytesPerDoc`, `flopsPerQuery`, `latencyMs\.p50`, `latencyMs\.p95`, `opsPerQuery\.postings`, `p50`, `p95`, `usd`\./,
    );
  });

  it('is null for a system that has it not, and has a unit and a title', () => {
    const postings = costKey('opsPerQuery.postings', board.systems, noPrices);
    expect(board.systems.slice(3, 5).map(postings.of)).toEqual([null, 1000]);
    expect(postings).toMatchObject({ unit: 'count', title: 'postings per query' });
    expect(costKey('p95', board.systems, noPrices)).toMatchObject({ key: 'latencyMs.p95', unit: 'ms' });
  });
});
