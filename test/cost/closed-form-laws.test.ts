import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grouped, paddedGroups, textsFlops } from '../../runners/cost/batch.js';
import { backwardFlops, type ForwardRequest, forwardFlops } from '../../runners/cost/forward.js';
import { partsByLayer, partsByOp, partsByPurpose } from '../../runners/cost/parts.js';
import { passFlops } from '../../runners/cost/pass.js';
import type { CostHead } from '../../runners/cost/types.js';
import type { Architecture } from '../../runners/models/card.js';
import { eachHead, stack, upTo } from './any-stack.js';
import { goldenArchitecture } from './golden-models.js';
import { naiveBody } from './naive-flops.js';

const none: CostHead = { kind: 'none' };
const last: CostHead = { kind: 'language-model', positions: 'last' };
describe('the closed form is the enumeration', () => {
  test.each(['encoder', 'decoder'] as const)('%s', (kind) => {
    fc.assert(
      fc.property(stack(kind), upTo(20), (architecture, tokens) => {
        const naive = naiveBody({ architecture, tokens });
        const { body, causalUseful } = forwardFlops({ architecture, head: none, tokens });
        expect({ body, causalUseful }).toEqual({ body: naive.dense, causalUseful: naive.useful });
        expect(passFlops({ architecture, head: none }, { tokens })).toBe(naive.dense);
      }),
    );
  });

  test('generating with and without a cache', () => {
    fc.assert(
      fc.property(stack('decoder'), upTo(12), upTo(6), (architecture, tokens, generate) => {
        let kept = naiveBody({ architecture, tokens });
        let whole = kept;
        const add = (a: typeof kept, b: typeof kept) => ({ dense: a.dense + b.dense, useful: a.useful + b.useful });
        for (let step = 1; step < generate; step++) {
          kept = add(kept, naiveBody({ architecture, tokens: 1, past: tokens + step - 1 }));
          whole = add(whole, naiveBody({ architecture, tokens: tokens + step }));
        }
        const request = { architecture, head: last, tokens, generate };
        const cached = forwardFlops(request);
        const uncached = forwardFlops({ ...request, cache: 'none' });
        expect([cached.body, cached.causalUseful]).toEqual([kept.dense, kept.useful]);
        expect([uncached.body, uncached.causalUseful]).toEqual([whole.dense, whole.useful]);
        expect(cached.head).toBe(2 * architecture.hidden * architecture.vocabulary * generate);
        expect(uncached.head).toBe(cached.head);
      }),
    );
  });
});

describe('laws', () => {
  const any = fc.oneof(stack('encoder'), stack('decoder'));

  test('the pass at run time and the list of products agree under every head', () => {
    fc.assert(
      fc.property(any, upTo(20), upTo(20), (architecture, tokens, read) => {
        for (const head of eachHead) {
          const forward = forwardFlops({ architecture, head, tokens, read });
          expect(passFlops({ architecture, head }, { tokens, read })).toBe(forward.total);
          expect(forward.total).toBe(forward.body + forward.head);
          expect(forward.causalUseful).toBeLessThanOrEqual(forward.body);
          for (const { shape, count, flops } of forward.matmuls)
            if (shape !== null) expect(flops).toBe(2 * count * shape.reduce((product, side) => product * side, 1));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('one generated token is the prompt, a cache never costs more, and parts add up', () => {
    fc.assert(
      fc.property(stack('decoder'), upTo(12), upTo(5), (architecture, tokens, generate) => {
        const request: ForwardRequest = { architecture, head: last, tokens };
        expect(forwardFlops({ ...request, generate: 1 })).toEqual(forwardFlops(request));
        expect(forwardFlops({ ...request, generate: 1, cache: 'none' })).toEqual(forwardFlops(request));
        const cached = forwardFlops({ ...request, generate });
        expect(forwardFlops({ ...request, generate, cache: 'none' }).total).toBeGreaterThanOrEqual(cached.total);
        const sum = (parts: readonly { readonly flops: number }[]) => parts.reduce((all, { flops }) => all + flops, 0);
        expect(sum(partsByOp(cached.matmuls))).toBe(cached.total);
        expect(sum(partsByPurpose(cached.matmuls))).toBe(cached.total);
        expect(sum(partsByLayer({ ...request, generate }, {}))).toBe(cached.total);
      }),
    );
  });

  test('a window that the text fits in is none', () => {
    fc.assert(
      fc.property(fc.constantFrom('encoder', 'decoder'), upTo(30), (kind, tokens) => {
        const window = kind === 'encoder' ? 2 * tokens : tokens;
        const plain: Architecture = { ...goldenArchitecture('bert-base'), kind };
        const windowed = { ...plain, window, localLayers: 7 };
        expect(forwardFlops({ architecture: windowed, head: none, tokens })).toEqual(
          forwardFlops({ architecture: plain, head: none, tokens }),
        );
        expect(passFlops({ architecture: windowed, head: none }, { tokens })).toBe(
          passFlops({ architecture: plain, head: none }, { tokens }),
        );
      }),
    );
  });

  test('padding never costs less, and texts of one length have none', () => {
    const request = { head: last, prefix: 1, by: 'op', places: {} } as const;
    fc.assert(
      fc.property(any, fc.array(upTo(15), { minLength: 1, maxLength: 8 }), upTo(8), (architecture, lengths, size) => {
        const texts = { ...request, architecture };
        const unpadded = textsFlops(texts, grouped(lengths));
        const alone = lengths.reduce((sum, tokens) => sum + passFlops({ architecture, head: last }, { tokens }), 0);
        expect(unpadded.total).toBe(alone);
        expect(unpadded.parts.reduce((sum, { flops }) => sum + flops, 0)).toBe(alone);
        const padded = textsFlops(texts, paddedGroups(lengths, size)).total;
        expect(padded).toBeGreaterThanOrEqual(alone);
        expect(textsFlops(texts, paddedGroups(lengths, 1)).total).toBe(alone);
      }),
    );
    expect(paddedGroups([5, 9, 12, 3], 2)).toEqual([
      { tokens: 9, count: 2 },
      { tokens: 12, count: 2 },
    ]);
    expect(paddedGroups([], 2)).toEqual([]);
  });
});

describe('edges', () => {
  const architecture = goldenArchitecture('Qwen3-0.6B');

  test('no tokens, no pass', () => {
    expect(passFlops({ architecture, head: last }, { tokens: 0 })).toBe(0);
    expect(() => forwardFlops({ architecture, head: last, tokens: 0 })).toThrow('from 1 on');
  });

  test.each([1.5, Number.NaN, -1, Number.POSITIVE_INFINITY])('%s tokens are refused', (tokens) => {
    expect(() => forwardFlops({ architecture, head: none, tokens })).toThrow('tokens');
    expect(() => passFlops({ architecture, head: none }, { tokens })).toThrow('whole number');
  });

  test('beyond 2^53 the error names the figure', () => {
    const tokens = 300_000;
    expect(() => passFlops({ architecture, head: none }, { tokens })).toThrow('FLOPs of a forward pass');
    expect(() => forwardFlops({ architecture, head: none, tokens })).toThrow(/FLOPs of .* is beyond .*2\^53/);
    const most = forwardFlops({ architecture, head: none, tokens: 150_000 }).total;
    expect(Number.isSafeInteger(most)).toBe(true);
    expect(() => backwardFlops(most)).toThrow('backward');
  });

  test('a backward pass is twice the forward one', () => {
    expect(backwardFlops(7)).toBe(14);
  });

  test('what does not fit together is wrong use', () => {
    const encoder = goldenArchitecture('bert-base');
    expect(() => forwardFlops({ architecture: encoder, head: none, tokens: 3, generate: 2 })).toThrow('encoder');
    expect(() => forwardFlops({ architecture: encoder, head: none, tokens: 3, sourceTokens: 2 })).toThrow('source');
    expect(() => forwardFlops({ architecture: goldenArchitecture('t5-base'), head: none, tokens: 3 })).toThrow(
      'source',
    );
    expect(() =>
      forwardFlops({ architecture, head: { kind: 'language-model', positions: 'read' }, tokens: 3 }),
    ).toThrow('number is missing');
  });

  test('an encoder-decoder without a cache computes the keys and values of its source again', () => {
    const request = {
      architecture: goldenArchitecture('t5-base'),
      head: last,
      tokens: 1,
      sourceTokens: 40,
      generate: 3,
    };
    const counts = (cache: 'kept' | 'none') =>
      forwardFlops({ ...request, cache })
        .matmuls.filter(({ name }) => name === 'dec.cross.k_proj')
        .map(({ count }) => count);
    expect([counts('kept'), counts('none')]).toEqual([[12], [12, 24]]);
  });

  test('the band of a window, by hand: 5 tokens that see one neighbour to each side', () => {
    const one: Architecture = {
      kind: 'encoder',
      layers: 1,
      hidden: 1,
      heads: 1,
      feedForward: 1,
      gated: false,
      vocabulary: 3,
      window: 2,
      localLayers: 1,
    };
    const scores = forwardFlops({ architecture: one, head: none, tokens: 5 }).matmuls.filter(
      ({ shape }) => shape === null,
    );
    expect(scores.map(({ name, flops }) => [name, flops])).toEqual([
      ['scores_qk', 2 * 13],
      ['weights_v', 2 * 13],
    ]);
  });

  test('DeBERTa multiplies its table of positions in every layer', () => {
    const plain = goldenArchitecture('bert-base');
    const relative = { ...plain, relativePositions: 512 };
    const body = (of: Architecture) => forwardFlops({ architecture: of, head: none, tokens: 10 }).body;
    const table = 2 * (2 * 512 * 768 * 768);
    const scores = 2 * (2 * 10 * 768 * 512);
    expect(body(relative) - body(plain)).toBe(12 * (table + scores));
    expect(passFlops({ architecture: relative, head: none }, { tokens: 10 })).toBe(body(relative));
  });
});
