import fc from 'fast-check';
import type { CostHead } from '../../runners/cost/types.js';
import type { Architecture } from '../../runners/models/card.js';

export const upTo = (max: number, min = 1) => fc.integer({ min, max });

const base = fc.record({
  layers: upTo(5),
  hidden: upTo(12),
  heads: upTo(4),
  headSize: fc.option(upTo(5), { nil: undefined }),
  keyValueHeads: fc.option(upTo(4), { nil: undefined }),
  feedForward: upTo(9),
  gated: fc.boolean(),
  vocabulary: upTo(30, 3),
});
const mixture = fc.record({
  experts: upTo(6),
  activeExperts: upTo(3),
  sharedExperts: upTo(2, 0),
  sharedFeedForward: fc.option(upTo(7), { nil: undefined }),
  sharedGate: fc.option(fc.constant(true as const), { nil: undefined }),
  denseFeedForward: upTo(9),
});

/** Any stack; `kind` decides what a window is. Whatever is undefined is left out. */
export const stack = (kind: Architecture['kind']): fc.Arbitrary<Architecture> =>
  fc
    .tuple(base, fc.option(mixture, { nil: {} }), fc.option(upTo(12), { nil: undefined }), upTo(5, 0), upTo(5, 0))
    .map(([layers, experts, window, local, dense]) => {
      const most = (count: number) => Math.min(count, layers.layers);
      const all = { kind, ...layers, ...experts, window, localLayers: most(local), denseLayers: most(dense) };
      return Object.fromEntries(
        Object.entries(all).filter(([, value]) => value !== undefined),
      ) as unknown as Architecture;
    })
    // Heads of no size are no heads.
    .filter((of) => of.headSize !== undefined || of.hidden >= of.heads);

export const eachHead: readonly CostHead[] = [
  { kind: 'none' },
  { kind: 'pooler' },
  { kind: 'classifier', labels: 3, dense: true },
  { kind: 'masked-language-model' },
  { kind: 'language-model', positions: 'last' },
  { kind: 'language-model', positions: 'all' },
  { kind: 'language-model', positions: 'read' },
  { kind: 'two-words' },
  { kind: 'projection', dims: 5, over: 'tokens' },
  { kind: 'projection', dims: 5, over: 'text' },
];
