import type { ScoreBlocks } from '../../kernels/float-pass.js';
import { loadOrt } from '../onnx/runtime.js';
import { gemmGraph } from './gemm-graph.js';

export interface Gemm {
  /** For `exactIndex` and `exactSearchOverBlocks`. */
  readonly scoreBlocks: ScoreBlocks;
  /** Releases the session; nothing is asked of it afterwards. */
  readonly close: () => Promise<void>;
}

/**
 * Matrix products of ONNX Runtime on the processor, in float32 proper: other devices round their factors (TF32 on CUDA by
 * default), which the bound of `floatPass` does not allow for. On one thread it is about as fast as the kernels, so it
 * pays where more threads are idle and queries come by the hundred (`bench dense` says by how much). It runs in the
 * calling thread, as kernels do.
 */
export async function openGemm(threads: number): Promise<Gemm> {
  const ort = await loadOrt();
  const session = await ort.InferenceSession.create(gemmGraph(), {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 4,
  });
  const scoreBlocks: ScoreBlocks = async (queries, rows, dims) => {
    const matrix = (vectors: Float32Array) =>
      new ort.Tensor('float32', unshared(vectors), [vectors.length / dims, dims]);
    const { scores } = await session.run({ queries: matrix(queries), rows: matrix(rows) });
    if (scores.type !== 'float32') throw new Error(`Gemm gave ${scores.type} scores`);
    return scores.data as Float32Array;
  };
  return { scoreBlocks, close: () => session.release() };
}

/** ONNX Runtime takes no memory that is shared between threads. */
function unshared(vectors: Float32Array): Float32Array {
  return vectors.buffer instanceof SharedArrayBuffer ? new Float32Array(vectors) : vectors;
}
