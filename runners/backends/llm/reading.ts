import type { ChatReply } from './chat.js';

/**
 * What an answer was taken to mean. `clean`: exactly in the form that was asked for; `repaired`: understood otherwise, or
 * in part; `malformed`: not understood, so the value is the one that changes nothing.
 */
export interface Reading<Value> {
  readonly value: Value;
  readonly outcome: 'clean' | 'repaired' | 'malformed';
}

/** The answer without the thoughts that some models write before it, in their tags; what is longer is no answer. */
export function answerText({ content }: ChatReply): string {
  return (content ?? '')
    .replace(/^\s*<think>[\s\S]*?<\/think>/, '')
    .trim()
    .slice(0, 10_000);
}
