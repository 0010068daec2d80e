import type { ChatReply, TokenChance } from './chat.js';
import { completed } from './order-answer.js';
import { labelOf } from './prompts.js';
import { answerText, type Reading } from './reading.js';

/** Likely tokens of the first position that says something: some models begin with a blank. */
function firstChances({ chances }: ChatReply): readonly TokenChance[] | null {
  return chances?.find((listed) => (mostLikely(listed)?.token.trim() ?? '') !== '') ?? null;
}

/** log p(yes) - log p(no) over the first token, or ±1 by the word alone where no probabilities are to be had. */
export function readYesNo(reply: ChatReply, logprobs: 'used' | 'absent'): Reading<number> {
  const listed = logprobs === 'used' ? firstChances(reply) : null;
  const margin = listed === null ? null : yesNoMargin(listed);
  if (margin !== null) return { value: margin, outcome: 'clean' };
  const word = yesNoWord(answerText(reply));
  // By the word where probabilities were expected: a use of what is there, so a repair.
  return logprobs === 'used' && word.outcome === 'clean' ? { ...word, outcome: 'repaired' } : word;
}

/**
 * Tokens are compared without blanks and case, and their probabilities added. A word that is not listed counts as the
 * most that it can be: no more than the least likely listed token, nor than what the listed ones leave. Null when
 * neither is listed.
 */
function yesNoMargin(listed: readonly TokenChance[]): number | null {
  const of = (word: string) => listed.filter(({ token }) => token.trim().toLowerCase() === word);
  const [yes, no] = [of('yes'), of('no')];
  if (yes.length === 0 && no.length === 0) return null;
  const left = Math.log(Math.max(leastLeft, 1 - Math.exp(logSum(listed))));
  const floor = Math.min(left, ...listed.map(({ logprob }) => logprob));
  return (yes.length === 0 ? floor : logSum(yes)) - (no.length === 0 ? floor : logSum(no));
}

/** Services round: listed probabilities may add up to one, or to more. */
const leastLeft = 1e-9;

function yesNoWord(text: string): Reading<number> {
  const exact = /^[\s"'`*]*(yes|no)[\s"'`*.!]*$/i.exec(text)?.[1];
  if (exact !== undefined) return { value: signOf(exact), outcome: 'clean' };
  const words = new Set((text.match(/\b(?:yes|no)\b/gi) ?? []).map((word) => word.toLowerCase()));
  const [only] = words;
  return words.size === 1 ? { value: signOf(only), outcome: 'repaired' } : { value: 0, outcome: 'malformed' };
}

const signOf = (word: string) => (word.toLowerCase() === 'yes' ? 1 : -1);

/** Lettered passages by the probability of their letter as the first token; equal ones keep their order. */
export function readLabelOrder(reply: ChatReply, count: number): Reading<readonly number[]> {
  const listed = firstChances(reply) ?? [];
  const chances = Array.from({ length: count }, (_, place) => ({
    place,
    logprob: logSum(listed.filter(({ token }) => token.replace(/[^A-Za-z]/g, '') === labelOf(place))),
  }));
  const named = chances.filter(({ logprob }) => logprob > -Infinity).sort((a, b) => b.logprob - a.logprob);
  return completed(
    named.map(({ place }) => place),
    count,
  );
}

function mostLikely(listed: readonly TokenChance[]): TokenChance | null {
  return listed.reduce<TokenChance | null>(
    (best, one) => (best === null || one.logprob > best.logprob ? one : best),
    null,
  );
}

/** log Σ exp: -Infinity for none. */
function logSum(listed: readonly TokenChance[]): number {
  const top = Math.max(...listed.map(({ logprob }) => logprob));
  return top === -Infinity
    ? top
    : top + Math.log(listed.reduce((sum, { logprob }) => sum + Math.exp(logprob - top), 0));
}
