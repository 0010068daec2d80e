import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import { describe, expect, test } from 'vitest';
import { type CountRequest, countGraph, type GraphCount } from '../../../runners/cost/graph/index.js';
import { hasShared, sharedModels } from '../../onnx/cards.js';
import { needsShared } from '../../onnx/references.js';

const embedded = join(import.meta.dirname, '../../../runners/models/embedded');

/** The graph as ONNX Runtime rewrites it: folded, with its own fused operators. */
async function fused(path: string): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'tenbin-fused-'));
  const optimizedModelFilePath = join(folder, 'fused.onnx');
  try {
    const options = { graphOptimizationLevel: 'extended', optimizedModelFilePath, logSeverityLevel: 4 } as const;
    const session = await InferenceSession.create(path, options);
    await session.release();
    return readFileSync(optimizedModelFilePath);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const contributed = ({ byOp, others }: GraphCount) =>
  [...byOp, ...others].map(({ op }) => op).filter((op) => op.startsWith('com.microsoft.'));

async function sameFlops(path: string, requests: readonly CountRequest[]): Promise<void> {
  const [plain, rewritten] = [readFileSync(path), await fused(path)];
  for (const request of requests) {
    const [before, after] = [countGraph(plain, request), countGraph(rewritten, request)];
    expect(after.problems).toEqual([]);
    expect(after.total).toBe(before.total);
    expect(contributed(after).length).toBeGreaterThan(0);
  }
}

const texts = [
  { batch: 1, tokens: 7 },
  { batch: 3, tokens: 64, sourceTokens: 21 },
];

describe('what the runtime makes of a graph costs the same', () => {
  test.each(['dense-tiny', 'splade-tiny', 'colbert-tiny', 'ce-tiny'])('embedded %s', (model) =>
    sameFlops(join(embedded, model, 'onnx/model_w8.onnx'), texts),
  );

  test
    .skipIf(!hasShared)
    .each([
      'bge-small-en-v1.5/onnx/model_int8.onnx',
      'splade-tiny/onnx/model_int8.onnx',
      'random-llama-tiny/onnx/model.onnx',
      'random-t5-tiny/onnx/encoder_model.onnx',
      'random-t5-tiny/onnx/decoder_model.onnx',
    ])(`shared %s${needsShared}`, (path) => sameFlops(join(sharedModels, path), texts));
});
