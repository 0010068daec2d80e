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
 * default), which the bound of `floatPass` does not allow for. It pays where several threads are free and queries come in
 * blocks of 256; on one thread the kernels are as fast (bench/dense.ts). It runs in the calling thread, as kernels do.
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
    const { scores } = await session.run({
      queries: new ort.Tensor('float32', queries, [queries.length / dims, dims]),
      rows: new ort.Tensor('float32', rows, [rows.length / dims, dims]),
    });
    if (scores.type !== 'float32') throw new Error(`Gemm gave ${scores.type} scores`);
    return scores.data as Float32Array;
  };
  return { scoreBlocks, close: () => session.release() };
}
