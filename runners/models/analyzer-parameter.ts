import { analyzers } from '../analyzers/index.js';
import type { LexicalModel } from '../system.js';
import type { TextParameter } from './parameters.js';

/** `analyzer=segmenter@ja`: an analyzer in place of the one that the task's language chooses. */
export const analyzerParameter: TextParameter = {
  kind: 'text',
  fallback: '',
  example: 'segmenter@ja',
  canonical: (text) => analyzers.bind(text).id,
};

/** The field of a model with that parameter; none when it was left out. */
export function analyzerField(text: string): Pick<LexicalModel, 'analyzer'> {
  return text === '' ? {} : { analyzer: analyzers.bind(text) };
}
