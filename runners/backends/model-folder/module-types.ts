import type { OpenFact } from './draft.js';

/**
 * The last part of a class's name where it is one of sentence-transformers or PyLate, whose packages have moved their
 * modules about: `Pooling` for `sentence_transformers.models.Pooling`. Code of the repository's own (`custom_st.Transformer`)
 * keeps its whole name: it may do anything under any last name.
 */
export function moduleType(name: string): string {
  return /^(sentence_transformers|pylate)\./.test(name) ? (name.split('.').at(-1) ?? name) : name;
}

/** Whether modules.json names a linear layer that we can compute. */
export function isDense(name: string): boolean {
  return moduleType(name) === 'Dense';
}

/** Types that a family reads; everything else changes its output in a way that nobody here knows. */
export const understood = {
  dense: ['Transformer', 'Pooling', 'Normalize', 'Dense'],
  sparse: ['Transformer', 'MLMTransformer', 'SpladePooling', 'SparseStaticEmbedding'],
  // Token vectors are scaled to unit length with or without Normalize.
  'late-interaction': ['Transformer', 'Dense', 'Normalize'],
  reranker: ['Transformer'],
} as const;

/** The modules of a folder that are of no type in the list, as a fact that has to be given; null where there are none. */
export function strangersIn(
  { modules }: { readonly modules: readonly { readonly type: string }[] | null },
  types: readonly string[],
): (OpenFact & { readonly reason: string }) | null {
  const strange = (modules ?? []).filter(({ type }) => !types.includes(type)).map(({ type }) => type);
  if (strange.length === 0) return null;
  return {
    looked: ['modules.json'],
    reason: `what the module ${[...new Set(strange)].join(' and ')} does is not understood`,
  };
}
