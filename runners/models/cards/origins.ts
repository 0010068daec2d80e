import type { ModelOrigin, ParameterCounts } from '../card.js';

/** A repository of the hub at a commit. Where a model's own repository has no graph, the one of its ONNX export. */
export function hub(repo: string, revision: string): ModelOrigin {
  return { kind: 'hub', repo, revision };
}

/**
 * Counts as published, which include a pooler that retrieval does not use; where a source rounds, the exact count of the
 * same layers. What is not looked up in the input embedding is active for every token.
 */
export function weights(total: number, embedding: number): ParameterCounts {
  return { total, active: total - embedding, embedding };
}

export const noPrompts = { query: '', document: '' } as const;
