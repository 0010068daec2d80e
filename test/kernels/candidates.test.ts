import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidatesOf } from '../../runners/kernels/candidates.js';
import { errorsOf, plainValues } from '../../runners/kernels/quick-pass.js';

interface QuickLook {
  readonly docs: readonly {
    readonly score: number;
    readonly scale: number;
    readonly spread: number;
    readonly off: number;
  }[];
  readonly slack: number;
  readonly k: number;
  readonly blockSize: number;
}

/** True scores, and values that are off by at most slack · spread in the worst direction or any other. */
const quickLooks: fc.Arbitrary<QuickLook> = fc.record({
  docs: fc.array(
    fc.record({
      score: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.float({ min: -3, max: 3, noNaN: true })),
      scale: fc.constantFrom(0.5, 1, 2),
      spread: fc.constantFrom(0, 0.5, 1),
      off: fc.constantFrom(-1, -0.5, 0, 1),
    }),
    { minLength: 1, maxLength: 700 },
  ),
  slack: fc.constantFrom(0, 0.125, 0.25, 1),
  k: fc.integer({ min: 1, max: 40 }),
  blockSize: fc.integer({ min: 1, max: 300 }),
});

function survivorsOf({ docs, slack, k, blockSize }: QuickLook, rules: { floor: number; most: number }) {
  const errors = {
    scale: Float64Array.from(docs, ({ scale }) => scale),
    spread: Float64Array.from(docs, ({ spread }) => spread),
  };
  const candidates = candidatesOf(errorsOf(errors.scale, errors.spread), { k, slack: slack * (1 + 1e-9), ...rules });
  const values = Float32Array.from(docs, ({ score, spread, off, scale }) => (score + off * slack * spread) / scale);
  for (let firstDoc = 0; firstDoc < docs.length; firstDoc += blockSize) {
    const count = Math.min(blockSize, docs.length - firstDoc);
    // Another query's values stand before these, and padding behind them.
    const stride = count + 2;
    const padded = new Float32Array(2 * stride).fill(Number.POSITIVE_INFINITY);
    padded.set(values.subarray(firstDoc, firstDoc + count), stride);
    candidates.admit(plainValues(padded, stride), 1, { firstDoc, count });
  }
  return candidates.survivors();
}

const kthBest = (docs: QuickLook['docs'], k: number) =>
  docs.map(({ score }) => score).sort((a, b) => b - a)[Math.min(k, docs.length) - 1];

describe('candidates', () => {
  it('hold every document that is among the best k or tied with the k-th, each once', () => {
    fc.assert(
      fc.property(quickLooks, (look) => {
        const survivors = [...(survivorsOf(look, { floor: -Infinity, most: Number.POSITIVE_INFINITY }) ?? [])];
        const least = kthBest(look.docs, look.k);
        const best = look.docs.flatMap(({ score }, doc) => (score >= least ? [doc] : []));
        expect(survivors).toEqual(expect.arrayContaining(best));
        expect(new Set(survivors).size).toBe(survivors.length);
      }),
    );
  });

  it('are exactly those where values are scores', () => {
    fc.assert(
      fc.property(quickLooks, ({ slack: _, ...look }) => {
        const survivors = survivorsOf({ ...look, slack: 0 }, { floor: -Infinity, most: Number.POSITIVE_INFINITY });
        const least = kthBest(look.docs, look.k);
        const best = look.docs.flatMap(({ score }, doc) => (score >= least ? [doc] : []));
        expect([...(survivors ?? [])].sort((a, b) => a - b)).toEqual(best);
      }),
    );
  });

  it('leave out what is surely below a floor, and nothing that reaches it', () => {
    fc.assert(
      fc.property(quickLooks, fc.float({ min: -3, max: 3, noNaN: true }), (look, floor) => {
        const survivors = [...(survivorsOf(look, { floor, most: Number.POSITIVE_INFINITY }) ?? [])];
        const least = Math.max(floor, kthBest(look.docs, look.k));
        const reaching = look.docs.flatMap(({ score }, doc) => (score >= least ? [doc] : []));
        expect(survivors).toEqual(expect.arrayContaining(reaching));
        const far = survivors.filter((doc) => look.docs[doc].score + 2 * look.slack * 1.001 < floor);
        expect(far).toEqual([]);
      }),
    );
  });

  it('are given up where they are too many, or nothing is known of the error', () => {
    const docs = Array.from({ length: 600 }, () => ({ score: 1, scale: 1, spread: 1, off: 0 }));
    const look = { docs, slack: 1, k: 3, blockSize: 100 };
    expect(survivorsOf(look, { floor: -Infinity, most: 600 })).toHaveLength(600);
    expect(survivorsOf(look, { floor: -Infinity, most: 599 })).toBeNull();
    expect(survivorsOf(look, { floor: -Infinity, most: 2 })).toBeNull();
    for (const slack of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(survivorsOf({ ...look, slack }, { floor: -Infinity, most: 600 })).toBeNull();
    }
  });
});
