import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JobResult, SessionRequest } from '../../runners/backends/onnx/job.js';
import { withMaximum } from '../../runners/backends/onnx/maximum-graph.js';
import { batchOf } from '../../runners/backends/onnx/padding.js';
import { openSession } from '../../runners/backends/onnx/session.js';

const path = join(import.meta.dirname, '../../runners/models/embedded/splade-tiny/onnx/model_w8.onnx');
const plain: SessionRequest = { path, encoderPath: null, device: 'cpu', threads: 1, leastWidth: 2, projections: [] };

async function weightsOf(request: SessionRequest, batches: readonly (readonly number[][])[]): Promise<JobResult[]> {
  const session = await openSession(request);
  try {
    const results: JobResult[] = [];
    for (const rows of batches) {
      const batch = batchOf(rows.map((ids) => ({ ids })));
      results.push(await session.run({ batch, reading: { kind: 'sparse', logarithms: 1, skip: [] }, decoder: null }));
    }
    return results;
  } finally {
    await session.close();
  }
}

describe('the maximum taken by the graph', () => {
  test('is the maximum taken afterwards, to the last bit, with and without padding', async () => {
    const long = Array.from({ length: 300 }, (_, i) => 1000 + ((i * 7919) % 20_000));
    const batches = [
      [[101, 2129, 2079, 102]],
      [
        [101, 2129, 102],
        [101, 9325, 102],
      ],
      [
        [101, 2129, 2079, 4264, 102],
        [101, 102],
      ],
      [[101, ...long, 102]],
    ];
    const [inGraph, after] = [
      await weightsOf({ ...plain, maximum: 'in-graph' }, batches),
      await weightsOf(plain, batches),
    ];
    expect(inGraph).toEqual(after);
    for (const result of inGraph) expect(result.kind === 'sparse' && result.terms.length).toBeGreaterThan(0);
  }, 60_000);

  test('bytes that are no graph are left alone', () => {
    expect(withMaximum(new Uint8Array(0), 'logits')).toBeNull();
    expect(withMaximum(new TextEncoder().encode('<html>not a graph</html>'), 'logits')).toBeNull();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const longer = withMaximum(bytes, 'logits');
        // Whatever is made of it, what was there stays in front.
        if (longer !== null) expect([...longer.subarray(0, bytes.length)]).toEqual([...bytes]);
      }),
    );
    // Cut inside the outermost graph field: the walk ends, and does not run over.
    expect(withMaximum(readFileSync(path).subarray(0, 1000), 'logits')).toBeNull();
  });
});
