import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ForwardRequest, forwardFlops } from '../../runners/cost/forward.js';
import { partsByLayer } from '../../runners/cost/parts.js';
import { passFlops } from '../../runners/cost/pass.js';
import type { CostHead } from '../../runners/cost/types.js';
import type { Architecture } from '../../runners/models/card.js';
import { eachHead, stack, upTo } from './any-stack.js';
import { goldenArchitecture } from './golden-models.js';
import { naiveBody } from './naive-flops.js';

const none: CostHead = { kind: 'none' };
const last: CostHead = { kind: 'language-model', positions: 'last' };

describe('an encoder–decoder whose sides are of different depths', () => {
  const both = fc.tuple(stack('encoder-decoder'), upTo(5)).map(([of, decoderLayers]): Architecture => {
    const { window: _window, localLayers: _local, keyValueHeads: _grouped, ...plain } = of;
    return { ...plain, denseLayers: 0, decoderLayers };
  });

  test('the pass at run time and the list of products agree under every head', () => {
    fc.assert(
      fc.property(both, upTo(12), upTo(12), upTo(9), (architecture, source, prefix, read) => {
        for (const head of eachHead) {
          const forward = forwardFlops({ architecture, head, tokens: prefix, sourceTokens: source, read });
          const pass = { tokens: source, decoderTokens: prefix, read };
          expect(passFlops({ architecture, head }, pass)).toBe(forward.total);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('each side is the enumeration of its own layers, and crosses as the decoder does', () => {
    fc.assert(
      fc.property(both, upTo(9), upTo(9), (architecture, source, prefix) => {
        const { decoderLayers = 0, hidden, heads, headSize = Math.floor(hidden / heads), ...rest } = architecture;
        const one = { ...rest, hidden, heads, headSize };
        const encoder = naiveBody({ architecture: { ...one, kind: 'encoder' }, tokens: source }).dense;
        const own = { ...one, kind: 'decoder', layers: decoderLayers } as const;
        const decoder = naiveBody({ architecture: own, tokens: prefix });
        let crossing = 0;
        for (let i = 0; i < prefix; i++) crossing += 2 * 2 * hidden * heads * headSize + 4 * heads * headSize * source;
        for (let i = 0; i < source; i++) crossing += 2 * 2 * hidden * heads * headSize;
        const request = { architecture, head: none, tokens: prefix, sourceTokens: source };
        const { body, causalUseful } = forwardFlops(request);
        expect(body).toBe(encoder + decoder.dense + decoderLayers * crossing);
        expect(body - causalUseful).toBe(decoder.dense - decoder.useful);
      }),
    );
  });

  test('layers by number add up, those of a side alike', () => {
    const architecture = { ...goldenArchitecture('flan-t5-large'), layers: 2, decoderLayers: 3 };
    const request: ForwardRequest = { architecture, head: last, tokens: 3, sourceTokens: 20, generate: 4 };
    const parts = partsByLayer(request, {});
    const names = [
      'encoder layer 0',
      'encoder layer 1',
      'decoder layer 0',
      'decoder layer 1',
      'decoder layer 2',
      'head',
    ];
    expect(parts.map(({ name }) => name)).toEqual(names);
    const { total, matmuls } = forwardFlops(request);
    expect(parts.reduce((sum, { flops }) => sum + flops, 0)).toBe(total);
    const side = matmuls.reduce((sum, { name, flops }) => (name.startsWith('enc.') ? sum + flops : sum), 0);
    expect(parts[0].flops).toBe(side / 2);
  });
});

describe('heads', () => {
  const architecture = goldenArchitecture('Qwen3-0.6B');
  const { hidden, vocabulary } = architecture;
  const every: CostHead = { kind: 'language-model', positions: 'all' };

  test('logits of all positions come with every pass that goes through them', () => {
    const request = { architecture, head: every, tokens: 7, generate: 4 };
    expect(forwardFlops(request).head).toBe(2 * hidden * vocabulary * (7 + 3));
    expect(forwardFlops({ ...request, cache: 'none' }).head).toBe(2 * hidden * vocabulary * (7 + 8 + 9 + 10));
  });

  test('a projection is over each token, or over one vector of the text', () => {
    const over = (place: 'tokens' | 'text') =>
      forwardFlops({ architecture, head: { kind: 'projection', dims: 5, over: place }, tokens: 7 }).head;
    expect([over('tokens'), over('text')]).toEqual([2 * 7 * hidden * 5, 2 * hidden * 5]);
  });
});

test('places of another number of layers than the architecture has are not believed', () => {
  const architecture: Architecture = { ...goldenArchitecture('bert-base'), layers: 4, window: 2, localLayers: 3 };
  const request = { architecture, head: none, tokens: 9 };
  const names = (localAt: readonly number[]) => partsByLayer(request, { localAt }).map(({ name }) => name);
  expect(names([1, 2, 3])).toEqual(['layer 0', 'layer 1', 'layer 2', 'layer 3']);
  expect(names([1])).toEqual(['layers that see all tokens (1)', 'layers with a window (3)']);
});
