import { TenbinError } from '../../../core/errors.js';
import type { Pair } from '../../open-model.js';
import type { Tokenizer } from '../../tokenizers/index.js';

/** A template as the texts around its two places. */
export type PromptPart = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'query' | 'document' };

/** Reads `{query}` and `{document}` off a template; each stands in it at most once. */
export function promptParts(id: string, template: string | null): readonly PromptPart[] {
  const parts = (template ?? '').split(/(\{query\}|\{document\})/).flatMap((text): PromptPart[] => {
    if (text === '{query}') return [{ kind: 'query' }];
    if (text === '{document}') return [{ kind: 'document' }];
    return text === '' ? [] : [{ kind: 'text', text }];
  });
  const count = (kind: PromptPart['kind']) => parts.filter((part) => part.kind === kind).length;
  if (count('document') === 1 && count('query') <= 1) return parts;
  throw new TenbinError('malformed', {
    what: `The template of ${id} does not hold {document} once and {query} at most once`,
    value: template ?? 'no template',
    fix: 'Correct the template of the card.',
  });
}

export interface Prompt {
  readonly ids: readonly number[];
  readonly truncated: boolean;
}

const render = (parts: readonly PromptPart[], pair: Pair) =>
  parts.map((part) => (part.kind === 'text' ? part.text : pair[part.kind])).join('');

/**
 * The tokens of a prompt. When they are too many, the document gives way: everything up to its end is cut on the right,
 * never into what stands before the document, and what comes after it is appended whole. A query that alone fills the
 * room is cut too, after the document is gone.
 */
export function promptIds(parts: readonly PromptPart[], pair: Pair, room: number, tokenizer: Tokenizer): Prompt {
  const whole = tokenizer.plain(render(parts, pair), room);
  if (!whole.truncated) return whole;
  const at = parts.findIndex(({ kind }) => kind === 'document');
  const tail = tokenizer.plain(render(parts.slice(at + 1), pair)).ids;
  const before = tokenizer.plain(render(parts.slice(0, at), pair)).ids;
  const left = room - tail.length;
  if (before.length <= left) {
    const { ids } = tokenizer.plain(render(parts.slice(0, at + 1), pair), left);
    return { ids: [...ids, ...tail], truncated: true };
  }
  return { ids: withoutDocument(parts, pair, room, tokenizer), truncated: true };
}

/** The query cut so that the template around it stays whole; where not even that fits, the end is kept. */
function withoutDocument(parts: readonly PromptPart[], pair: Pair, room: number, tokenizer: Tokenizer): number[] {
  const rest = parts.filter(({ kind }) => kind !== 'document');
  const at = rest.findIndex(({ kind }) => kind === 'query');
  const tail = tokenizer.plain(render(rest.slice(at + 1), pair)).ids;
  const left = Math.max(0, room - tail.length);
  const { ids } = tokenizer.plain(render(rest.slice(0, at + 1), pair), left);
  return [...ids.slice(0, left), ...tail].slice(-room);
}
