import { TenbinError } from '../../../core/errors.js';
import type { Pair } from '../../open-model.js';
import type { Tokenizer } from '../../tokenizers/index.js';
import { neverEmpty, type PreparedRow } from './encoding-run.js';
import type { Reading } from './job.js';
import { padIdOf } from './opened-graph.js';
import { type PromptPart, promptIds } from './prompt.js';

export interface LikelihoodPrompt {
  readonly id: string;
  readonly parts: readonly PromptPart[];
  readonly tokenizer: Tokenizer;
  /** The token that a decoder with an encoder starts with; null for a decoder alone. */
  readonly start: number | null;
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Tokens of an encoder's text without the special ones. */
  readonly room: number;
  readonly maxLength: number;
}

/**
 * Query likelihood (Sachan et al. 2022, UPR): how probable the query's own tokens are after the document. The end of the
 * query is not predicted. The query is cut to half of the length, the document to what is left.
 */
export function likelihoodRows(prompt: LikelihoodPrompt): (pair: Pair) => PreparedRow {
  const { id, parts, start } = prompt;
  const at = parts.findIndex(({ kind }) => kind === 'query');
  const last = at === parts.length - 1;
  if (!last && (start === null || at !== -1)) {
    throw new TenbinError('malformed', {
      what: `The template of ${id} must end with {query}, whose likelihood is asked for`,
      value: parts.map((part) => (part.kind === 'text' ? part.text : `{${part.kind}}`)).join(''),
      fix: 'Correct the template of the card.',
    });
  }
  const context = at === -1 ? parts : parts.slice(0, at);
  return start === null ? causalRows(prompt, context) : encoderDecoderRows(prompt, context, start);
}

/** The decoder reads start, q1 … q(n−1) and predicts q1 … qn; the encoder reads the document's prompt. */
function encoderDecoderRows(prompt: LikelihoodPrompt, context: readonly PromptPart[], start: number) {
  const { tokenizer, before, after, room, maxLength } = prompt;
  return (pair: Pair): PreparedRow => {
    const document = promptIds(context, pair, room, tokenizer);
    const { ids: targets, truncated } = tokenizer.plain(pair.query, maxLength);
    return {
      ids: neverEmpty([...before, ...document.ids, ...after], padIdOf(tokenizer)),
      decoder: [start, ...targets.slice(0, -1)],
      predicted: { positions: targets.map((_, i) => i), tokens: targets },
      truncated: document.truncated || truncated,
    };
  };
}

/**
 * The query is tokenized behind the end of its prompt, since a blank there belongs to its first word; its tokens are
 * those after the last one that both have in common.
 */
function causalRows({ tokenizer, before, maxLength }: LikelihoodPrompt, context: readonly PromptPart[]) {
  const lead = context.at(-1);
  const leadText = lead?.kind === 'text' ? lead.text : '';
  return (pair: Pair): PreparedRow => {
    const alone = tokenizer.plain(leadText).ids;
    const joined = tokenizer.plain(leadText + pair.query).ids;
    let common = 0;
    while (common < alone.length && alone[common] === joined[common]) common++;
    const limit = Math.floor(maxLength / 2);
    const targets = joined.slice(common, common + limit);
    const kept = alone.slice(0, common);
    const front = lead?.kind === 'text' ? context.slice(0, -1) : context;
    const room = Math.max(0, maxLength - before.length - kept.length - targets.length);
    const document = promptIds(front, pair, room, tokenizer);
    const ids = [...before, ...document.ids, ...kept, ...targets];
    // The very first token of all has nothing before it that could predict it.
    const first = Math.max(1, ids.length - targets.length);
    const tokens = ids.slice(first);
    return {
      ids: neverEmpty(ids, padIdOf(tokenizer)),
      predicted: { positions: tokens.map((_, i) => first + i - 1), tokens },
      truncated: document.truncated || joined.length - common > limit,
    };
  };
}

/** What is read of the logits: the rows' predicted tokens, one row after the other. */
export function likelihoodReading(rows: readonly PreparedRow[]): Reading {
  const offsets = new Int32Array(rows.length + 1);
  rows.forEach(({ predicted }, row) => {
    offsets[row + 1] = offsets[row] + (predicted?.tokens.length ?? 0);
  });
  return {
    kind: 'likelihood',
    offsets,
    positions: Int32Array.from(rows.flatMap(({ predicted }) => predicted?.positions ?? [])),
    tokens: Int32Array.from(rows.flatMap(({ predicted }) => predicted?.tokens ?? [])),
  };
}
