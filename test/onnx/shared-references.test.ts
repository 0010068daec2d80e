import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import type { DenseCard, Dtype } from '../../runners/models/card.js';
import type { OpenModel } from '../../runners/open-model.js';
import {
  bge,
  ceTiny,
  colbertTiny,
  cpu,
  denseTiny,
  hasShared,
  llamaTiny,
  minilm,
  readJson,
  shared,
  sharedModels,
  spladeTiny,
} from './cards.js';
import { maxSim } from './max-sim.js';
import {
  asEncoder,
  asScorer,
  cosine,
  difference,
  expectClose,
  goldenOf,
  lateDocuments,
  lateQueries,
  needsShared,
  ofKind,
  pairOf,
  rowsOf,
  sparseDifference,
  textOf,
  weightsOf,
} from './references.js';

/**
 * References by the original Python libraries; limits as the models' README suggests. Products of int8 saturate on
 * processors without VNNI, where the int8 graphs give other numbers than in the references: the README's cosine, or twice
 * the limit, counts there.
 */
const vnni = existsSync('/proc/cpuinfo') && /avx512_vnni|avx_vnni/.test(readFileSync('/proc/cpuinfo', 'utf8'));

const reference = (model: string, file: string) => readJson(sharedModels, model, 'reference', file);

async function using<Model extends OpenModel, T>(model: Model, use: (model: Model) => Promise<T>): Promise<T> {
  try {
    return await use(model);
  } finally {
    await model.close();
  }
}

describe.skipIf(!hasShared)(`references of ../shared/models${needsShared}`, () => {
  const dense: readonly (readonly [DenseCard, Dtype])[] = [
    [denseTiny, 'fp32'],
    [minilm, 'fp32'],
    [bge, 'int8'],
  ];
  test.each(dense)('$id: dense vectors', { timeout: 240_000 }, async (card, dtype) => {
    const { texts } = reference(card.id, 'vectors.json');
    const ids = Object.keys(texts);
    await using(asEncoder(await openOnnx(shared(card, dtype), cpu)), async (model) => {
      const rows = rowsOf(await model.encode(ids.map(textOf), 'document'));
      rows.forEach((row, i) => {
        const { vector } = texts[ids[i]];
        if (dtype === 'fp32' || vnni) expectClose(ids[i], difference(row, vector), 1e-4);
        else expectClose(ids[i], 1 - cosine(row, vector), 0.01);
      });
      expect(model.conditions['onnx.batchRule']).toBe(dtype === 'int8' ? 'one-text' : 'sorted-2048-tokens-slack-10%');
    });
  });

  test('bge: queries have their prompt', async () => {
    const { queries } = reference(bge.id, 'vectors.json');
    const { prompted } = reference(bge.id, 'tokens.json');
    const ids = Object.keys(queries.texts);
    await using(asEncoder(await openOnnx(shared(bge, 'int8'), cpu)), async (model) => {
      for (const id of ids) expect(model.tokenIds(textOf(id), 'query')).toEqual(prompted.query.texts[id].ids);
      const rows = rowsOf(await model.encode(ids.map(textOf), 'query'));
      rows.forEach((row, i) => {
        expectClose(ids[i], 1 - cosine(row, queries.texts[ids[i]].vector), vnni ? 1e-6 : 0.01);
      });
    });
  });

  test.each([
    ['fp32', 1e-4],
    ['fp16', 0.01],
    ['int8', vnni ? 0.5 : 1],
  ] as const)('splade-tiny %s: weights', { timeout: 240_000 }, async (dtype, limit) => {
    const { texts } = reference(spladeTiny.id, 'sparse.json');
    const ids = Object.keys(texts);
    await using(asEncoder(await openOnnx(shared(spladeTiny, dtype), cpu)), async (model) => {
      const rows = weightsOf(await model.encode(ids.map(textOf), 'document'));
      rows.forEach((row, i) => {
        expectClose(ids[i], sparseDifference(row, texts[ids[i]]), limit);
      });
    });
  });

  test('splade-tiny: with the positions of special tokens left out', async () => {
    const { specialPositionsMasked } = reference(spladeTiny.id, 'sparse.json');
    const ids = Object.keys(specialPositionsMasked.texts);
    const card = { ...spladeTiny, specialTokens: 'masked' } as const;
    await using(asEncoder(await openOnnx(shared(card), cpu)), async (model) => {
      const rows = weightsOf(await model.encode(ids.map(textOf), 'document'));
      rows.forEach((row, i) => {
        expectClose(ids[i], sparseDifference(row, specialPositionsMasked.texts[ids[i]]), 1e-4);
      });
    });
    expect(specialPositionsMasked.maxAbsDifference).toBeGreaterThan(1);
  });

  test('colbert-tiny: vectors of scored positions and MaxSim', async () => {
    const vectors = reference(colbertTiny.id, 'token_vectors.json');
    const tokens = reference(colbertTiny.id, 'tokens.json');
    await using(asEncoder(await openOnnx(shared(colbertTiny), cpu)), async (model) => {
      const queries = ofKind(await model.encode(lateQueries.map(textOf), 'query'), 'late-interaction');
      const documents = ofKind(await model.encode(lateDocuments.map(textOf), 'document'), 'late-interaction');
      lateDocuments.forEach((id, i) => {
        const scored: number[] = vectors.documents[id].scored;
        expect(documents.offsets[i + 1] - documents.offsets[i]).toBe(scored.filter((flag) => flag === 1).length);
        const kept = vectors.documents[id].vectors.filter((_: unknown, at: number) => scored[at] === 1);
        const ours = documents.vectors.subarray(documents.offsets[i] * 64, documents.offsets[i + 1] * 64);
        expectClose(id, difference(ours, kept.flat()), 1e-4);
        expect(model.tokenIds(textOf(id), 'document')).toEqual(tokens.documents[id].ids);
      });
      lateQueries.forEach((id, i) => {
        const ours = queries.vectors.subarray(queries.offsets[i] * 64, queries.offsets[i + 1] * 64);
        expectClose(id, difference(ours, vectors.queries[id].vectors.flat()), 1e-4);
      });
      expectClose('maxsim', difference(maxSim(queries, documents).flat(), vectors.maxsim.scores.flat()), 1e-4);
    });
  });

  test.each([
    ['fp32', 1e-4],
    ['int8', vnni ? 0.7 : 1.4],
  ] as const)('ce-tiny %s: logits', async (dtype, limit) => {
    const { pairs } = reference(ceTiny.id, 'scores.json');
    const ids = Object.keys(pairs);
    await using(asScorer(await openOnnx(shared(ceTiny, dtype), cpu)), async (model) => {
      const { margins } = await model.score(ids.map(pairOf));
      ids.forEach((id, i) => {
        expectClose(id, Math.abs(margins[i] - pairs[id].logit), limit);
      });
    });
  });

  test('random-llama-tiny: yes against no at the last position, all lengths in one batch', async () => {
    const { yesNo } = reference(llamaTiny.id, 'logits.json');
    const ids = Object.keys(yesNo.pairs);
    expect(llamaTiny.template).toBe(yesNo.template);
    await using(asScorer(await openOnnx(shared(llamaTiny), cpu)), async (model) => {
      const { margins } = await model.score(ids.map(pairOf));
      ids.forEach((id, i) => {
        const { ids: tokens, yes, no, score } = yesNo.pairs[id];
        expect(model.tokenIds(pairOf(id))).toEqual(tokens);
        expectClose(id, Math.abs(margins[i] - (yes - no)), 1e-4);
        expectClose(id, Math.abs(1 / (1 + Math.exp(-margins[i])) - score), 1e-4);
      });
      expect(model.probability).toBe('sigmoid');
    });
  });
});

describe('the golden files', () => {
  test.skipIf(!hasShared)(`are those of ../shared/models${needsShared}`, () => {
    expect(goldenOf('dense-tiny', 'vectors_w8.json')).toEqual(reference('dense-tiny', 'vectors_w8.json'));
    expect(goldenOf('ce-tiny', 'tokens.json')).toEqual(reference('ce-tiny', 'tokens.json'));
  });
});
