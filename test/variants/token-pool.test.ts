import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gaussians, mulberry32 } from '../../core/random.js';
import { preparedLate } from '../../runners/families/late-interaction.js';
import type { LateInteractionEncoding, Prepared } from '../../runners/system.js';
import { variants } from '../../runners/variants/index.js';
import { wardClusters } from '../../runners/variants/token-pool-clusters.js';
import { lateSubject, outputOf, tokenRows } from './subjects.js';

/** Ward by its definition: merge the two clusters whose union adds least to the sum of squared distances to the means. */
function oracle(rows: readonly (readonly number[])[], wanted: number): number[][] {
  const clusters = rows.map((_, row) => [row]);
  const meanOf = (cluster: readonly number[]) =>
    rows[0].map((_, j) => cluster.reduce((sum, row) => sum + rows[row][j], 0) / cluster.length);
  const cost = (a: readonly number[], b: readonly number[]) => {
    const [x, y] = [meanOf(a), meanOf(b)];
    const squared = x.reduce((sum, value, j) => sum + (value - y[j]) ** 2, 0);
    return ((a.length * b.length) / (a.length + b.length)) * squared;
  };
  while (clusters.length > wanted) {
    let best: readonly [number, number] = [0, 1];
    for (let i = 0; i < clusters.length; i++) {
      for (let j = i + 1; j < clusters.length; j++) {
        if (cost(clusters[i], clusters[j]) < cost(clusters[best[0]], clusters[best[1]])) best = [i, j];
      }
    }
    clusters[best[0]] = [...clusters[best[0]], ...clusters[best[1]]].sort((a, b) => a - b);
    clusters.splice(best[1], 1);
  }
  return clusters;
}

function groups(labels: Int32Array): number[][] {
  const found: number[][] = Array.from({ length: Math.max(-1, ...labels) + 1 }, () => []);
  labels.forEach((label, row) => void found[label].push(row));
  return found;
}

describe('Ward’s clusters', () => {
  it('are those of the definition, numbered by their first row', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 14 }),
        fc.nat(1000),
        fc.integer({ min: 1, max: 14 }),
        (count, seed, wanted) => {
          const normal = gaussians(mulberry32(seed));
          const rows = Array.from({ length: count }, () => Array.from({ length: 3 }, () => Math.fround(normal())));
          const labels = wardClusters(Float32Array.from(rows.flat()), 3, wanted);
          expect(groups(labels)).toEqual(oracle(rows, Math.min(wanted, count)));
        },
      ),
    );
  });

  it('come out as many as wanted whatever is tied, and the same each time', () => {
    const few = fc.array(fc.constantFrom(0, 1, -1), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(few, fc.integer({ min: 1, max: 40 }), (values, wanted) => {
        const labels = wardClusters(Float32Array.from(values), 1, wanted);
        expect(Math.max(...labels) + 1).toBe(Math.min(wanted, values.length));
        expect(wardClusters(Float32Array.from(values), 1, wanted)).toEqual(labels);
      }),
    );
  });

  it('join equal rows first', () => {
    expect([...wardClusters(Float32Array.of(5, 1, 5, 1, 5, 9), 1, 3)]).toEqual([0, 1, 0, 1, 0, 2]);
  });

  it('of no rows and of one', () => {
    expect(wardClusters(new Float32Array(0), 4, 1)).toHaveLength(0);
    expect([...wardClusters(Float32Array.of(1, 2), 2, 1)]).toEqual([0]);
  });
});

const encodingOf = (prepared: Prepared): LateInteractionEncoding => {
  if (prepared.encoding?.kind !== 'late-interaction') throw new Error('not late interaction');
  return prepared.encoding;
};

async function pooled(
  docs: readonly (readonly number[])[],
  dims: number,
  factor = 2,
): Promise<LateInteractionEncoding> {
  const encoding = {
    kind: 'late-interaction',
    dims,
    docs: tokenRows(docs, dims),
    queries: tokenRows([Array.from({ length: dims }, () => 1)], dims),
  } as const;
  const given = preparedLate(outputOf(encoding), { docs: docs.map(() => ''), queries: [''] }, 'given');
  return encodingOf(await variants.bind(`pool@${factor}`).apply(given));
}

describe('pool', () => {
  it('keeps the first vector, and one for each F of the others, rounded up', async () => {
    const rows = (count: number) => Array.from({ length: 2 * count }, (_, i) => i + 1);
    const { docs } = await pooled([0, 1, 2, 3, 4, 5, 8].map(rows), 2);
    const counts = Array.from({ length: 7 }, (_, doc) => docs.offsets[doc + 1] - docs.offsets[doc]);
    expect(counts).toEqual([0, 1, 2, 2, 3, 3, 5]);
    const { docs: three } = await pooled([rows(8)], 2, 3);
    expect([...three.offsets]).toEqual([0, 4]);
  });

  it('makes each cluster its mean of unit length, in the order of first rows', async () => {
    // 1 stays; of the others (0, 1) and (0.6, 0.8) are near, and so are (-1, 0) and (-0.8, -0.6).
    const { docs } = await pooled([[1, 0, 0, 1, -1, 0, 0.6, 0.8, -0.8, -0.6]], 2);
    const expected = [1, 0, 0.6, 1.8, -1.8, -0.6];
    const unit = expected.map((value, i) => value / Math.hypot(expected[i & ~1], expected[i | 1]));
    expect([...docs.vectors]).toEqual(unit.map((value) => expect.closeTo(value, 6)));
  });

  it('leaves a cluster whose vectors cancel out at zero, and finds it', async () => {
    const { docs } = await pooled([[1, 0, 0, 1, 0, -1]], 2);
    expect([...docs.vectors]).toEqual([1, 0, 0, 0]);
  });

  it('leaves queries, and documents of one and two vectors, as they are', async () => {
    const given = encodingOf(lateSubject());
    const after = encodingOf(await variants.bind('pool').apply(lateSubject()));
    expect(after.queries).toEqual(given.queries);
    const [from, to] = [given.docs.offsets[1], given.docs.offsets[2]];
    expect(to - from).toBe(2);
    expect(after.docs.vectors.subarray(after.docs.offsets[1] * 64, after.docs.offsets[2] * 64)).toEqual(
      given.docs.vectors.subarray(from * 64, to * 64),
    );
  });

  it('states its rule and what is left', async () => {
    const { conditions, index } = await variants.bind('pool@2').apply(lateSubject());
    expect(conditions).toMatchObject({ 'pool.factor': 2, 'pool.protected': 1 });
    const rows = encodingOf(await variants.bind('pool@2').apply(lateSubject())).docs.offsets.at(-1) ?? 0;
    expect(conditions['pool.meanVectorsDocs']).toBe(rows / 61);
    expect(index.bytes).toBe(rows * 64 * 4 + 61 * 4);
  });

  it('composes: rescoring is exact over what was pooled', async () => {
    const float = await variants.bind('pool@2').apply(lateSubject());
    const coded = await variants.bind('int8').apply(float);
    const rescored = await variants.bind('rescore@61').apply(coded);
    expect(rescored.applied).toEqual(['pool@2', 'int8', 'rescore@61']);
    const [exact, hits] = [await float.index.search(2, 5), await rescored.index.search(2, 5)];
    expect([...hits.docs]).toEqual([...exact.docs]);
    expect([...hits.scores]).toEqual([...exact.scores]);
    expect(rescored.index.bytesPerDoc).toBe(float.index.bytesPerDoc + coded.index.bytesPerDoc);
  });
});
