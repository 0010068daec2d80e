import {
  type LikelihoodPrompt,
  likelihoodPrompt,
  listPrompt,
  type Prompt,
  pairPrompt,
  relevancePrompt,
  setPrompt,
} from '../backends/llm/prompts.js';
import type { Question } from '../schedules/schedule.js';

/** Lengths that the cost of a prompt follows from. */
export interface TextTokens {
  readonly query: number;
  readonly passage: number;
  /** Everything around query and passages in one prompt; that of our own prompts where it is left out. */
  readonly instruction?: number;
  /** What is generated for a question whose answer is read as text; that of our answers where it is left out. */
  readonly answer?: number;
}

/** Whole numbers, for one prompt. */
export interface PromptTokens {
  /** All that the model reads, the query among them. */
  readonly input: number;
  /** Those whose probabilities are read, for a query likelihood. */
  readonly query: number;
  /** Generated ones; 0 where the answer is read from the probabilities behind the prompt. */
  readonly output: number;
}

export function promptTokens(question: Question, passages: number, texts: TextTokens): PromptTokens {
  const around = texts.instruction ?? instructionPieces(question, passages);
  const answer = answerPieces(question, passages);
  return {
    input: around + texts.query + passages * texts.passage,
    query: texts.query,
    output: answer === 0 ? 0 : (texts.answer ?? answer),
  };
}

/**
 * Words and marks of our prompts without query and passages, labels of the passages included. A tokenizer splits some of
 * them further and a chat template adds its own, so this is a little less than a model reads.
 */
function instructionPieces(question: Question, passages: number): number {
  return pieces(promptText(question, Array<string>(passages).fill('D'))) - 1 - passages;
}

/** Of the shortest answer that is asked for, the token that ends it left out. */
function answerPieces(question: Question, passages: number): number {
  switch (question) {
    case 'pair':
      return pieces('Passage A');
    case 'set':
      return pieces('A');
    case 'list':
      return pieces(Array.from({ length: passages }, (_, i) => `[${i + 1}]`).join(' > '));
    case 'relevance':
    case 'query-likelihood':
    case 'list-likelihood':
      return 0;
  }
}

function promptText(question: Question, passages: readonly string[]): string {
  switch (question) {
    case 'relevance':
      return chatText(relevancePrompt('Q', passages.join(' ')));
    case 'query-likelihood':
      return completionText(likelihoodPrompt('Q', passages.join(' ')));
    case 'pair':
      return chatText(pairPrompt('Q', passages));
    case 'set':
    case 'list-likelihood':
      return chatText(setPrompt('Q', passages));
    case 'list':
      return chatText(listPrompt('Q', passages));
  }
}

const chatText = ({ messages }: Prompt) => messages.map(({ content }) => content).join('\n');
const completionText = ({ text }: LikelihoodPrompt) => text;

function pieces(text: string): number {
  return text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0;
}
