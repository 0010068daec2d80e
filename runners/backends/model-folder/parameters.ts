import type { ParameterCounts } from '../../models/card.js';
import { architectureName, type FolderFamily } from './family.js';
import type { FolderContents } from './folder-contents.js';
import { projectionOf } from './late-interaction.js';
import { rerankerDraft } from './reranker.js';
import { stackOf } from './stacks/index.js';
import { countParameters, type Head } from './stacks/stack.js';

/** Weights of the graph that a family needs of a model, or null where config.json does not say enough. */
export function parametersOf(contents: FolderContents, family: FolderFamily): ParameterCounts | null {
  const stack = stackOf(contents.config);
  const head = headOf(contents, family);
  return stack === null || head === null ? null : countParameters(stack, head);
}

function headOf(contents: FolderContents, family: FolderFamily): Head | null {
  switch (family) {
    case 'dense': {
      const layers = (contents.modules ?? []).filter(({ type }) => type === 'Dense').length;
      const layer = projectionOf(contents);
      if (layers === 0) return { kind: 'none' };
      return layers > 1 || layer === null ? null : { kind: 'projection', ...layer };
    }
    case 'sparse':
      return { kind: 'vocabulary' };
    case 'late-interaction': {
      const layer = projectionOf(contents);
      return layer === null ? null : { kind: 'projection', ...layer };
    }
    case 'reranker': {
      if (!/ForSequenceClassification$/.test(architectureName(contents))) return { kind: 'vocabulary' };
      const labels = rerankerDraft(contents).facts.get('labels');
      return typeof labels === 'number' ? { kind: 'classifier', labels } : null;
    }
  }
}
