import { describe, expect, it } from 'vitest';
import { eerFlops } from '../../runners/cost/eer.js';
import { asPrinted, differing, figuresOf } from '../../runners/cost/paper-rows.js';
import { type PaperModel, paperTable2 } from '../../runners/cost/paper-table2.js';
import type { Architecture } from '../../runners/models/card.js';

/** config.json of google/flan-t5-*: d_model, num_heads, d_ff; 24 layers on both sides, gated. */
function flanT5(hidden: number, heads: number, feedForward: number): Architecture {
  return {
    kind: 'encoder-decoder',
    layers: 24,
    decoderLayers: 24,
    hidden,
    heads,
    headSize: 64,
    feedForward,
    gated: true,
    vocabulary: 32128,
  };
}

const models: ReadonlyMap<PaperModel, Architecture> = new Map([
  ['flan-t5-large', flanT5(1024, 16, 2816)],
  ['flan-t5-xl', flanT5(2048, 32, 5120)],
  ['flan-t5-xxl', flanT5(4096, 64, 10240)],
]);

function reproduced(model: PaperModel) {
  return [...(paperTable2.get(model) ?? [])].map(([schedule, cell]) => {
    const of = models.get(model);
    if (of === undefined) throw new Error(model);
    const flops = eerFlops(of, cell.tokens);
    return { schedule, cell, flops, figures: asPrinted(flops, cell.ndcg10) };
  });
}

const allCells = [...models.keys()].flatMap((model) => reproduced(model).map((row) => ({ model, ...row })));
const wrongIn = (name: 'calls' | 'pflop' | 'RPP' | 'QPP') =>
  allCells
    .filter(({ figures, cell }) => differing({ ...figures, calls: cell.tokens.calls }, cell).includes(name))
    .map(({ model, schedule, figures, cell }) => [model, schedule, { ...figures, ...cell.tokens }[name]]);

describe('table 2 of arXiv 2507.06223, with its own estimator', () => {
  it('has nine schedules for three models', () => {
    for (const model of models.keys()) expect(reproduced(model)).toHaveLength(9);
  });

  it('Flan-T5-large: all nine cells, to the printed digits', () => {
    for (const { schedule, cell, figures } of reproduced('flan-t5-large')) {
      expect(figures, schedule).toEqual({ pflop: cell.pflop, RPP: cell.RPP, QPP: cell.QPP });
    }
  });

  it('all PFLOP but one, which is one in ten thousand too high', () => {
    expect(wrongIn('pflop')).toEqual([['flan-t5-xxl', 'pairwise.allpair', 25.512]]);
  });

  it('all RPP', () => {
    expect(wrongIn('RPP')).toEqual([]);
  });

  it('all QPP but four, which the paper cut where it rounds the others', () => {
    expect(wrongIn('QPP')).toEqual([
      ['flan-t5-xl', 'listwise.likelihood', 4.63],
      ['flan-t5-xl', 'pairwise.bubblesort', 1.062],
      ['flan-t5-xxl', 'listwise.generation', 0.905],
      ['flan-t5-xxl', 'setwise.heapsort', 2.611],
    ]);
  });

  it('all calls but those of one cell', () => {
    expect(wrongIn('calls')).toEqual([['flan-t5-xl', 'setwise.bubblesort', 466.9]]);
  });

  it('the calls that are printed for that cell would not give its PFLOP; those of the source do', () => {
    const cell = paperTable2.get('flan-t5-xl')?.get('setwise.bubblesort');
    const of = models.get('flan-t5-xl');
    if (cell === undefined || of === undefined) throw new Error('no cell');
    expect([cell.calls, cell.tokens.calls]).toEqual([446.9, 466.9]);
    expect(asPrinted(eerFlops(of, cell.tokens), cell.ndcg10).pflop).toBe(0.346);
    expect(asPrinted(eerFlops(of, { ...cell.tokens, calls: 446.9 }), cell.ndcg10).pflop).toBe(0.347);
  });

  it('gives 1.865 PFLOP for all pairs on Flan-T5-large, as their calculator does', () => {
    const row = reproduced('flan-t5-large').find(({ schedule }) => schedule === 'pairwise.allpair');
    expect(row?.flops).toBeCloseTo(1.865136e15, -10);
  });
});

describe('the estimator, term by term', () => {
  /** Llama-3.1-8B: config.json. */
  const llama: Architecture = {
    kind: 'decoder',
    layers: 32,
    hidden: 4096,
    heads: 32,
    keyValueHeads: 8,
    headSize: 128,
    feedForward: 14336,
    gated: true,
    vocabulary: 128256,
  };

  /** Sums over tokens, written out as the paper derives them. */
  function oracle(of: Architecture, n: number, o: number): number {
    const r = (of.keyValueHeads ?? of.heads) / of.heads;
    const weights = 2 * of.hidden * of.layers * ((1 + r) * of.hidden + of.feedForward);
    let flops = 2 * weights * n + 4 * of.layers * n * n * of.hidden * r;
    for (let i = 0; i < o; i++) flops += 2 * weights + 4 * of.layers * of.hidden * r * (n + i);
    return flops;
  }

  it.each([
    [1, 0],
    [300, 0],
    [300, 1],
    [457, 10],
    [2000, 80],
  ])('decoder with shared keys: %i tokens in, %i out', (n, o) => {
    const tokens = { calls: 7, inputTokens: 7 * n, outputTokens: 7 * o };
    expect(eerFlops(llama, tokens) / oracle(llama, n, o)).toBeCloseTo(7, 9);
    const every: Architecture = { ...llama, keyValueHeads: 32 };
    expect(eerFlops(every, tokens) / oracle(every, n, o)).toBeCloseTo(7, 9);
  });

  it('Llama-3.1-8B: where two prompts take the .096 PFLOP of the paper, its two ratios follow', () => {
    const at = (inputTokens: number) =>
      asPrinted(eerFlops(llama, { calls: 2, inputTokens: 2 * inputTokens, outputTokens: 0 }), 0.649);
    const fits = Array.from({ length: 6000 }, (_, i) => i + 1).filter((n) => at(n).pflop === 0.096);
    expect(fits.length).toBeGreaterThan(10);
    expect(at(fits[0])).toMatchObject({ RPP: 6.76, QPP: 10.42 });
  });

  it('takes the hidden size for the width of attention, whatever the heads are', () => {
    const wide: Architecture = { ...llama, headSize: 512 };
    const tokens = { calls: 1, inputTokens: 100, outputTokens: 3 };
    expect(eerFlops(wide, tokens)).toBe(eerFlops(llama, tokens));
  });

  it('a mixture counts the experts that run, and no router', () => {
    const mixture: Architecture = { ...llama, feedForward: 1000, experts: 8, activeExperts: 2, sharedExperts: 1 };
    const tokens = { calls: 3, inputTokens: 900, outputTokens: 6 };
    expect(eerFlops(mixture, tokens)).toBe(eerFlops({ ...llama, feedForward: 3000 }, tokens));
    expect(eerFlops({ ...mixture, sharedFeedForward: 500 }, tokens)).toBe(
      eerFlops({ ...llama, feedForward: 2500 }, tokens),
    );
    const plain: Architecture = { ...llama, feedForward: 1000, experts: 8 };
    expect(eerFlops(plain, tokens)).toBe(eerFlops({ ...llama, feedForward: 1000 }, tokens));
  });

  it('without an answer the decoder of Flan-T5 projects the source and does nothing else', () => {
    const of = flanT5(1024, 16, 2816);
    const silent = eerFlops(of, { calls: 1, inputTokens: 100, outputTokens: 0 });
    const encoder = 2 * 2 * 1024 * 24 * (2 * 1024 + 2816) * 100 + 4 * 24 * 100 * 100 * 1024;
    expect(silent).toBe(encoder + 4 * 24 * 100 * 1024 * 1024);
    const one = eerFlops(of, { calls: 1, inputTokens: 100, outputTokens: 1 });
    expect(one - silent).toBe(2 * 2 * 1024 * 24 * (3 * 1024 + 2816) + 2 * 24 * 1024 * 200);
  });

  it('a decoder of another depth than its encoder', () => {
    const of: Architecture = { ...flanT5(1024, 16, 2816), decoderLayers: 5 };
    const encoder = 2 * 2 * 1024 * 24 * (2 * 1024 + 2816) * 100 + 4 * 24 * 100 * 100 * 1024;
    const crossing = 4 * 5 * 100 * 1024 * 1024;
    const answer = 2 * 2 * 1024 * 5 * (3 * 1024 + 2816) + 2 * 5 * 1024 * 200;
    expect(eerFlops(of, { calls: 1, inputTokens: 100, outputTokens: 1 })).toBe(encoder + crossing + answer);
    const { decoderLayers: _, ...alike } = of;
    expect(eerFlops(alike, { calls: 1, inputTokens: 100, outputTokens: 0 })).toBe(encoder + 4 * 24 * 100 * 1024 * 1024);
  });

  it('nothing asked is nothing spent', () => {
    expect(eerFlops(llama, { calls: 0, inputTokens: 0, outputTokens: 0 })).toBe(0);
  });
});

describe('figures', () => {
  it('ratios of what costs nothing are undefined, never infinite', () => {
    expect(figuresOf(0, 0.5)).toEqual({ pflop: 0, RPP: null, QPP: null });
    expect(asPrinted(9e11, 0.5)).toEqual({ pflop: 0, RPP: null, QPP: null });
  });

  it('without a quality there are queries per PetaFLOP alone', () => {
    expect(figuresOf(2.5e14, null)).toEqual({ pflop: 0.25, RPP: null, QPP: 4 });
    expect(figuresOf(2.5e14, 0)).toEqual({ pflop: 0.25, RPP: 0, QPP: 4 });
  });

  it('queries per PetaFLOP have four digits, below one three decimals', () => {
    expect([3e15, 1.001e15, 1e15, 9.99e14, 3e14].map((flops) => asPrinted(flops, 0.5).QPP)).toEqual([
      0.333, 0.999, 1, 1.001, 3.333,
    ]);
  });

  it('PFLOP are cut, ratios rounded', () => {
    expect(asPrinted(9.9999e12, 0.654)).toEqual({ pflop: 0.009, RPP: 72.67, QPP: 111.1 });
    expect(asPrinted(1e13, 0.654)).toEqual({ pflop: 0.01, RPP: 65.4, QPP: 100 });
  });
});
