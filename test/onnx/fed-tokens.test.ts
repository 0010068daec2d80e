import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callClock } from '../../runners/backends/onnx/call-clock.js';
import { runEncoding } from '../../runners/backends/onnx/encoding-run.js';
import { fedTokens } from '../../runners/backends/onnx/fed-tokens.js';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import type { Job } from '../../runners/backends/onnx/job.js';
import { batchOf, padded } from '../../runners/backends/onnx/padding.js';
import { type BatchRule, floatRule, fullRule, singleRule } from '../../runners/backends/onnx/plan.js';
import { builtIn, ceTiny, cpu, denseTiny, hasShared, shared, spladeTiny, t5Tiny } from './cards.js';
import { asEncoder, asScorer, needsShared, pairIds, pairOf } from './references.js';

const idsOf = (length: number) => Array.from({ length }, (_, i) => i);
const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 200 });

/** Runs rows of these lengths; the widths are those of the batches that the graph was given. */
async function widthsOf(all: readonly number[], rule: BatchRule, decoders: readonly number[] | null = null) {
  const jobs: Job[] = [];
  const positionOf = new Map<number, { width: number; decoder: number }>();
  const { tokens, times } = await runEncoding({
    characters: all,
    prepare: (position) => ({
      ids: idsOf(all[position]),
      truncated: position % 3 === 0,
      ...(decoders && { decoder: idsOf(decoders[position]) }),
    }),
    rule,
    jobOf: (rows) => ({
      batch: batchOf(rows),
      reading: { kind: 'labels', labels: 1 },
      decoder: decoders && batchOf(rows.map(({ decoder = [] }) => ({ ids: decoder }))),
    }),
    run: async (job) => {
      jobs.push(job);
      return { kind: 'margins', values: Float64Array.of(jobs.length - 1) };
    },
    keep: (result, positions) => {
      const { batch, decoder } = jobs[result.kind === 'margins' ? result.values[0] : -1];
      const width = padded(batch, rule.leastWidth).width;
      const behind = decoder === null ? 0 : padded(decoder, rule.leastWidth).width;
      for (const position of positions) positionOf.set(position, { width, decoder: behind });
    },
  });
  return { tokens, times, expected: all.map((_, position) => positionOf.get(position)) };
}

describe('positions that are computed', () => {
  test.each([floatRule, fullRule, singleRule])('are the width of the batch as it is padded: $name', async (rule) => {
    await fc.assert(
      fc.asyncProperty(lengths, async (all) => {
        const { tokens, expected } = await widthsOf(all, rule);
        expect([...(tokens.widths ?? [])]).toEqual(expected.map((one) => one?.width));
        expect([...tokens.counts]).toEqual(all);
        expect([...tokens.truncated]).toEqual(all.map((_, position) => (position % 3 === 0 ? 1 : 0)));
        expect(Object.keys(tokens)).toEqual(['counts', 'truncated', 'widths']);
      }),
      { numRuns: 30 },
    );
  });

  test('of an encoder-decoder are told for each part', async () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 30 })), {
      maxLength: 90,
    });
    await fc.assert(
      fc.asyncProperty(pairs, async (rows) => {
        const [sources, decoders] = [rows.map(([source]) => source), rows.map(([, decoder]) => decoder)];
        const { tokens, expected } = await widthsOf(sources, floatRule, decoders);
        expect([...tokens.counts]).toEqual(rows.map(([source, decoder]) => source + decoder));
        expect([...(tokens.widths ?? [])]).toEqual(expected.map((one) => one?.width));
        expect([...(tokens.decoderCounts ?? [])]).toEqual(decoders);
        expect([...(tokens.decoderWidths ?? [])]).toEqual(expected.map((one) => one?.decoder));
      }),
      { numRuns: 30 },
    );
  });

  test('are two at least where results must not depend on the batch', () => {
    const widths = (rule: BatchRule) => {
      const fed = fedTokens(1, rule);
      fed.add([{ ids: [7], truncated: false }], [0]);
      return [...(fed.facts().widths ?? [])];
    };
    expect([widths(floatRule), widths(singleRule)]).toEqual([[2], [1]]);
  });

  test('of nothing are none', async () => {
    const { tokens, times } = await widthsOf([], floatRule);
    expect([tokens.counts.length, tokens.widths?.length]).toEqual([0, 0]);
    expect(times).toEqual({ tokenizeMs: 0, modelMs: 0 });
  });

  test('predicted tokens are counted for rows that have them', () => {
    const fed = fedTokens(3, floatRule);
    fed.add(
      [
        { ids: [1, 2, 3], truncated: false, predicted: { tokens: [2, 3] } },
        { ids: [1], truncated: true, predicted: { tokens: [] } },
      ],
      [2, 0],
    );
    expect([...(fed.facts().predicted ?? [])]).toEqual([0, 0, 2]);
  });
});

describe('real models tell them', () => {
  test.each([builtIn(denseTiny), builtIn(spladeTiny)])('$card.id, with the time of the call', async (files) => {
    const model = asEncoder(await openOnnx(files, cpu));
    const { tokens, times } = await model.encode(['one', 'a longer text of several words', ''], 'query');
    await model.close();
    const { counts, widths = [] } = tokens ?? { counts: [] };
    expect([...widths].every((width, i) => width >= counts[i])).toBe(true);
    expect(tokens).not.toHaveProperty('decoderCounts');
    expect(Object.values(times ?? {}).every((ms) => ms > 0)).toBe(true);
  });

  test('ce-tiny', async () => {
    const model = asScorer(await openOnnx(builtIn(ceTiny), cpu));
    const { tokens, times } = await model.score(pairIds.slice(0, 5).map(pairOf));
    await model.close();
    const { counts, widths = [] } = tokens ?? { counts: [] };
    expect(widths).toHaveLength(5);
    expect([...widths].every((width, i) => width >= counts[i])).toBe(true);
    expect(Object.keys(times ?? {})).toEqual(['tokenizeMs', 'modelMs']);
  });

  test.skipIf(!hasShared)(`T5: source, decoder and predicted tokens${needsShared}`, async () => {
    const model = asScorer(await openOnnx(shared(t5Tiny), cpu));
    const { tokens } = await model.score(pairIds.slice(0, 6).map(pairOf));
    await model.close();
    const sources = pairIds.slice(0, 6).map((id) => model.tokenIds(pairOf(id))?.length ?? 0);
    const decoders = [...(tokens?.decoderCounts ?? [])];
    expect([...(tokens?.counts ?? [])]).toEqual(sources.map((source, i) => source + decoders[i]));
    // The decoder reads its start and all but the last of the tokens that it predicts.
    expect([...(tokens?.predicted ?? [])]).toEqual(decoders);
    expect(tokens?.decoderWidths).toHaveLength(6);
  });
});

describe('the times of a call', () => {
  /** A clock that moves when it is told to. */
  const clock = () => {
    let now = 0;
    return { pass: (ms: number) => (now += ms), times: callClock(() => now) };
  };

  test('batches under way at once count once, and what is tokenized meanwhile is the graph’s', async () => {
    const { pass, times } = clock();
    times.tokenizing(() => pass(5));
    const done: (() => void)[] = [];
    const batch = () => times.inGraph(() => new Promise<void>((resolve) => done.push(resolve)));
    const running = [batch(), batch()];
    pass(10);
    times.tokenizing(() => pass(3));
    done[0]();
    await running[0];
    pass(4);
    done[1]();
    await running[1];
    pass(100);
    times.tokenizing(() => pass(1));
    expect(times.times()).toEqual({ tokenizeMs: 6, modelMs: 17 });
  });

  test('a batch that fails has taken its time too', async () => {
    const { pass, times } = clock();
    const failing = times.inGraph(async () => {
      pass(2);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(times.times()).toEqual({ tokenizeMs: 0, modelMs: 2 });
  });
});
