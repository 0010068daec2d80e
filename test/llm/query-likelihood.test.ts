import { describe, expect, it } from 'vitest';
import type { EchoReply } from '../../runners/backends/llm/completion.js';
import { readLikelihood } from '../../runners/backends/llm/query-likelihood.js';

/** A reply with these tokens, offsets from `shift` on, as a server with a special token before the text counts. */
function echoed(
  tokens: readonly (readonly [string, number | null])[],
  completionTokens: number | null,
  shift = 0,
): EchoReply {
  let offset = shift;
  const placed = tokens.map(([text, logprob]) => {
    const token = { text, logprob, offset };
    offset += [...text].length;
    return token;
  });
  const facts = { content: null, finishReason: null, promptTokens: null, servedModel: null, attempts: 1 };
  return { ...facts, completionTokens, tokens: placed };
}

describe('query likelihood', () => {
  it('is the mean over the query’s tokens, the generated one left out', () => {
    const reply = echoed(
      [
        ['Passage: x query:', null],
        [' what', -1],
        [' is', -3],
        [' zip', -5],
        ['?', -100],
      ],
      1,
    );
    expect(readLikelihood(reply, ' what is zip')).toEqual({ value: -3, outcome: 'clean' });
  });

  it('does not depend on special tokens before the text', () => {
    const reply = echoed(
      [
        ['<s>', null],
        ['text:', -9],
        [' what', -1],
        [' now', -2],
        ['\n', -7],
      ],
      null,
      40,
    );
    expect(readLikelihood(reply, ' what now')).toEqual({ value: -1.5, outcome: 'clean' });
  });

  it('works where nothing was generated', () => {
    const reply = echoed(
      [
        ['text:', null],
        [' what', -1],
        [' now', -2],
      ],
      0,
    );
    expect(readLikelihood(reply, ' what now')).toEqual({ value: -1.5, outcome: 'clean' });
  });

  it('counts a token that reaches into the query', () => {
    const reply = echoed(
      [
        ['tex', null],
        ['t: wh', -4],
        ['at', -2],
        ['!', -1],
      ],
      1,
    );
    expect(readLikelihood(reply, ' what')).toEqual({ value: -3, outcome: 'repaired' });
  });

  it('of a query whose first token has none is the mean of the others', () => {
    const reply = echoed(
      [
        [' what', null],
        [' now', -2],
        ['!', -9],
      ],
      1,
    );
    expect(readLikelihood(reply, ' what now')).toEqual({ value: -2, outcome: 'repaired' });
  });

  it('counts offsets in code points', () => {
    const reply = echoed(
      [
        ['text:', null],
        [' \u{1F600}', -1],
        ['日本', -2],
        ['語', -6],
        ['.', -50],
      ],
      1,
    );
    expect(readLikelihood(reply, ' \u{1F600}日本語')).toEqual({ value: -3, outcome: 'clean' });
  });

  it.each([
    ['no tokens', { ...echoed([], 1), tokens: null }],
    ['an empty list', echoed([], 1)],
    ['only what was generated: the prompt was not echoed', echoed([[' Paris', -1]], 1)],
    ['more generated than there is', echoed([[' Paris', -1]], 7)],
    [
      'no log-probabilities',
      echoed(
        [
          ['text:', null],
          [' what', null],
          ['.', null],
        ],
        1,
      ),
    ],
  ])('of %s is none: the passage comes last', (_, reply) => {
    expect(readLikelihood(reply, ' what')).toEqual({ value: -Infinity, outcome: 'malformed' });
  });

  it('of an empty query is that of the blank before it', () => {
    const reply = echoed(
      [
        ['text:', null],
        [' ', -2],
        ['.', -1],
      ],
      1,
    );
    expect(readLikelihood(reply, ' ')).toEqual({ value: -2, outcome: 'clean' });
  });
});
