import { afterAll, describe, expect, test } from 'vitest';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import { builtIn, ceTiny, colbertTiny, cpu, denseTiny, spladeTiny } from './cards.js';
import { maxSim } from './max-sim.js';
import {
  asEncoder,
  asScorer,
  difference,
  expectClose,
  goldenOf,
  lateDocuments,
  lateQueries,
  ofKind,
  pairOf,
  rowsOf,
  sparseDifference,
  textOf,
  weightsOf,
} from './references.js';

/** Limits are those of the models' README: 1e-4 for `*_w8.json`. */
const limit = 1e-4;

describe('dense-tiny', async () => {
  const model = asEncoder(await openOnnx(builtIn(denseTiny), cpu));
  afterAll(model.close);

  test('vectors of all texts, encoded together', async () => {
    const { texts } = goldenOf('dense-tiny', 'vectors_w8.json');
    const ids = Object.keys(texts);
    const encoded = await model.encode(ids.map(textOf), 'document');
    for (const [i, row] of rowsOf(encoded).entries()) {
      expectClose(ids[i], difference(row, texts[ids[i]].vector), limit);
    }
    expect(ids).toHaveLength(63);
  });

  test('token ids, counts and what was cut', async () => {
    const { texts } = goldenOf('dense-tiny', 'tokens.json');
    const ids = Object.keys(texts);
    const { tokens } = await model.encode(ids.map(textOf), 'query');
    ids.forEach((id, i) => {
      const { ids: expected, untruncatedLength } = texts[id];
      expect(model.tokenIds(textOf(id), 'query')).toEqual(expected);
      expect([id, tokens?.counts[i], tokens?.truncated[i]]).toEqual([
        id,
        expected.length,
        untruncatedLength > expected.length ? 1 : 0,
      ]);
    });
  });

  test('says what its numbers depend on', () => {
    expect(model.conditions).toMatchObject({
      'onnx.device': 'cpu',
      'onnx.dtype': 'w8',
      'onnx.batchRule': 'sorted-2048-tokens-slack-10%',
      maxLength: 256,
    });
    expect(String(model.conditions['onnx.version'])).toMatch(/^\d+\.\d+\.\d+$/);
    expect(String(model.conditions.tokenizer)).toContain('@huggingface/tokenizers');
    expect(model.modelBytes).toBe(4_976_599);
  });
});

describe('splade-tiny', async () => {
  const model = asEncoder(await openOnnx(builtIn(spladeTiny), cpu));
  afterAll(model.close);

  test('weights of all texts, terms ascending and above zero', async () => {
    const { texts } = goldenOf('splade-tiny', 'sparse_w8.json');
    const ids = Object.keys(texts);
    const encoded = ofKind(await model.encode(ids.map(textOf), 'document'), 'sparse');
    weightsOf(encoded).forEach((row, i) => {
      expectClose(ids[i], sparseDifference(row, texts[ids[i]]), limit);
      expect([...row.keys()]).toEqual([...row.keys()].sort((a, b) => a - b));
      expect([...row.values()].every((weight) => weight > 0)).toBe(true);
    });
    expect(encoded.termCount).toBe(30_522);
    // The positions of [CLS] and [SEP] take part: a text without words can have weights.
    expect(Object.keys(texts.empty).length).toBeGreaterThan(0);
  });
});

describe('colbert-tiny', async () => {
  const model = asEncoder(await openOnnx(builtIn(colbertTiny), cpu));
  afterAll(model.close);
  const tokens = goldenOf('colbert-tiny', 'tokens.json');
  const reference = goldenOf('colbert-tiny', 'token_vectors_w8.json');

  test('ids of queries and documents: marker, cut, masks', () => {
    for (const [id, { ids }] of Object.entries<{ ids: number[] }>(tokens.queries)) {
      expect(model.tokenIds(textOf(id), 'query')).toEqual(ids);
      expect(ids).toHaveLength(32);
    }
    for (const [id, { ids }] of Object.entries<{ ids: number[] }>(tokens.documents)) {
      expect(model.tokenIds(textOf(id), 'document')).toEqual(ids);
    }
  });

  test.each(['query', 'document'] as const)('vectors of scored positions: %s', async (role) => {
    const part = role === 'query' ? 'queries' : 'documents';
    const ids = Object.keys(reference[part]);
    const { offsets, vectors } = ofKind(await model.encode(ids.map(textOf), role), 'late-interaction');
    const skipped = new Set(role === 'query' ? [] : tokens.skippedTokenIds);
    ids.forEach((id, i) => {
      const fed: number[] = tokens[part][id].ids;
      const scored: number[][] = reference[part][id].vectors.filter((_: unknown, at: number) => !skipped.has(fed[at]));
      const ours = vectors.subarray(offsets[i] * 64, offsets[i + 1] * 64);
      expectClose(id, difference(ours, scored.flat()), limit);
      for (let row = 0; row < ours.length; row += 64) {
        const length = Math.hypot(...ours.subarray(row, row + 64));
        expect(Math.abs(length - 1)).toBeLessThan(1e-6);
      }
    });
  });

  test('MaxSim of every query with every document', async () => {
    const queries = ofKind(await model.encode(lateQueries.map(textOf), 'query'), 'late-interaction');
    const documents = ofKind(await model.encode(lateDocuments.map(textOf), 'document'), 'late-interaction');
    const { rows, columns, scores } = reference.maxsim;
    expect([rows, columns]).toEqual([lateQueries, lateDocuments]);
    expectClose('maxsim', difference(maxSim(queries, documents).flat(), scores.flat()), limit);
  });
});

describe('ce-tiny', async () => {
  const model = asScorer(await openOnnx(builtIn(ceTiny), cpu));
  afterAll(model.close);

  test('logits of all pairs, and their ids', async () => {
    const { pairs } = goldenOf('ce-tiny', 'scores_w8.json');
    const { pairs: rows, maxLength } = goldenOf('ce-tiny', 'tokens.json');
    const ids = Object.keys(pairs);
    const { margins, tokens } = await model.score(ids.map(pairOf));
    ids.forEach((id, i) => {
      expectClose(id, Math.abs(margins[i] - pairs[id].logit), limit);
      expect(model.tokenIds(pairOf(id))).toEqual(rows[id].ids);
      expect(tokens?.counts[i]).toBe(rows[id].ids.length);
    });
    expect(model.probability).toBe('sigmoid');
    const both = ids.indexOf('p-both-long');
    expect([tokens?.counts[both], tokens?.truncated[both]]).toEqual([maxLength, 1]);
    expect(tokens?.truncated[ids.indexOf('p-photo')]).toBe(0);
  });
});
