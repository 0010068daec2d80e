import { type Digest, digestOf } from '../../../core/digest.js';
import type { ChatMessage } from './chat.js';

export interface Prompt {
  readonly messages: readonly ChatMessage[];
  /** Room for the answer that is asked for, and a little politeness. */
  readonly maxTokens: number;
}

/** A text to be scored: the query's tokens are those of `query`, the end of it, with the blank that belongs to them. */
export interface LikelihoodPrompt {
  readonly text: string;
  readonly query: string;
}

/** The letters that name passages: one token each in the usual vocabularies. */
export const labelOf = (place: number): string => String.fromCharCode(65 + place);

export function relevancePrompt(query: string, passage: string): Prompt {
  return prompt(
    8,
    'You judge search results. Say whether a passage helps to answer a query. Reply with one word: Yes or No.',
    [`Query: ${query}`, `Passage:\n${passage}`, 'Does the passage answer the query, or a part of it? Reply Yes or No.'],
  );
}

export function pairPrompt(query: string, passages: readonly string[]): Prompt {
  return prompt(16, 'You compare search results. Reply with "Passage A" or "Passage B" and nothing else.', [
    `Query: ${query}`,
    ...lettered(passages),
    'Which passage is more relevant to the query? Reply "Passage A" or "Passage B".',
  ]);
}

export function setPrompt(query: string, passages: readonly string[]): Prompt {
  return prompt(8, 'You compare search results. Reply with the letter of one passage and nothing else.', [
    `Query: ${query}`,
    ...lettered(passages),
    'Which passage is the most relevant to the query? Reply with its letter.',
  ]);
}

export function listPrompt(query: string, passages: readonly string[]): Prompt {
  const form = passages.map((_, i) => `[${i + 1}]`).slice(0, 3);
  return prompt(
    16 + 8 * passages.length,
    'You order search results by their relevance to a query. Reply with the order alone.',
    [
      `Query: ${query}`,
      ...passages.map((passage, i) => `[${i + 1}] ${passage}`),
      `Write the numbers of all ${passages.length} passages, the most relevant first, in the form ${form.join(' > ')}.`,
    ],
  );
}

/** The start that query likelihood scores a query after, on models that complete texts. */
export function likelihoodPrompt(query: string, passage: string): LikelihoodPrompt {
  const spaced = ` ${query}`;
  return { text: `Passage: ${passage}\n\nA search query that this passage answers:${spaced}`, query: spaced };
}

function lettered(passages: readonly string[]): string[] {
  return passages.map((passage, i) => `Passage ${labelOf(i)}:\n${passage}`);
}

function prompt(maxTokens: number, system: string, parts: readonly string[]): Prompt {
  return {
    maxTokens,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: parts.join('\n\n') },
    ],
  };
}

/** Changes when the wording of any prompt does: a part of what a cached run is known by. */
export const promptsDigest: Digest = digestOf(
  [relevancePrompt('Q', 'D'), pairPrompt('Q', ['D', 'E']), setPrompt('Q', ['D', 'E']), listPrompt('Q', ['D', 'E'])]
    .map(({ messages, maxTokens }) => [maxTokens, ...messages.map(({ content }) => content)])
    .concat([[likelihoodPrompt('Q', 'D').text]]),
);
