import type { ModelFiles, RerankerCard } from '../../models/card.js';
import type { PairScorer, TextEncoder } from '../../open-model.js';
import { openCrossEncoder } from './cross-encoder.js';
import { openDense } from './dense-encoder.js';
import { finiteEncoder } from './finite-encoder.js';
import { openLanguageScorer } from './language-scorer.js';
import { openLateInteraction } from './late-encoder.js';
import type { OnnxOptions } from './opened-graph.js';
import { openSparse } from './sparse-encoder.js';

export type { OnnxOptions } from './opened-graph.js';

/** Opens a model's files on ONNX Runtime, in a thread of its own. Close it: native memory is not collected. */
export async function openOnnx(
  { card, ...files }: ModelFiles,
  options: OnnxOptions,
): Promise<TextEncoder | PairScorer> {
  switch (card.family) {
    case 'dense':
      return finiteEncoder(card.id, await openDense({ ...files, card }, options));
    case 'sparse':
      return finiteEncoder(card.id, await openSparse({ ...files, card }, options));
    case 'late-interaction':
      return finiteEncoder(card.id, await openLateInteraction({ ...files, card }, options));
    case 'reranker':
      return openReranker({ ...files, card }, options);
  }
}

function openReranker(files: ModelFiles<RerankerCard>, options: OnnxOptions): Promise<PairScorer> {
  return files.card.method === 'cross-encoder' ? openCrossEncoder(files, options) : openLanguageScorer(files, options);
}
