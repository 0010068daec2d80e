import { TenbinError } from '../../core/errors.js';
import { grouped, type LengthGroup, paddedGroups } from '../../runners/cost/batch.js';
import type { Architecture } from '../../runners/models/card.js';

export const mostTokens = 10_000_000;
export const mostTexts = 100_000;

/** Lengths as they were given on the command line. */
export interface LengthOptions {
  readonly tokens?: number;
  readonly sourceTokens?: number;
  readonly lengths?: readonly number[];
  readonly batch?: number;
}

/** The texts that are computed. */
export interface Texts {
  /** Of an encoder-decoder's prefix; else of the longest text. */
  readonly tokens: number;
  /** Of the longest source of an encoder-decoder. */
  readonly sourceTokens?: number;
  readonly unpadded: readonly LengthGroup[];
  /** Where `--lengths` or `--batch` asks for a batch. */
  readonly batch?: { readonly texts: number; readonly size: number; readonly padded: readonly LengthGroup[] };
}

/** `5,9,12` */
export function lengthsFrom(text: string): readonly number[] {
  const pieces = text.split(',').map((piece) => piece.trim());
  const wrong = pieces.find((piece) => !/^\d{1,8}$/.test(piece) || Number(piece) < 1 || Number(piece) > mostTokens);
  if (wrong === undefined && pieces.length <= mostTexts) return pieces.map(Number);
  throw new TenbinError('usage', {
    what: `Lengths are up to ${mostTexts} whole numbers from 1 to ${mostTokens}, separated by commas`,
    value: `--lengths ${wrong ?? `of ${pieces.length} texts`}`,
    fix: 'Write for example `--lengths 5,9,12`.',
  });
}

export function textsOf(kind: Architecture['kind'], given: LengthOptions): Texts {
  const { tokens, sourceTokens, lengths, batch } = given;
  if (kind !== 'encoder-decoder' && sourceTokens !== undefined)
    throw wrong(`--source-tokens ${sourceTokens}`, 'Only an encoder-decoder reads a source', 'Give --tokens alone.');
  const own = kind === 'encoder-decoder' ? sourceTokens : tokens;
  const name = kind === 'encoder-decoder' ? '--source-tokens' : '--tokens';
  if (own !== undefined && lengths !== undefined)
    throw wrong(
      `${name} ${own} --lengths`,
      'The length of the texts is given twice',
      `Leave ${name} or --lengths out.`,
    );
  const longest = lengths?.reduce((most, length) => Math.max(most, length)) ?? own;
  if (longest === undefined) throw wrong(`${name} is missing`, 'The length of the text is not said', `Give ${name} N.`);
  const shown = kind === 'encoder-decoder' ? { tokens: tokens ?? 1, sourceTokens: longest } : { tokens: longest };
  if (lengths === undefined) return { ...shown, ...equalTexts(longest, batch) };
  const size = batch ?? lengths.length;
  const padded = paddedGroups(lengths, size);
  return { ...shown, unpadded: grouped(lengths), batch: { texts: lengths.length, size, padded } };
}

function equalTexts(tokens: number, count: number | undefined): Pick<Texts, 'unpadded' | 'batch'> {
  const groups = [{ tokens, count: count ?? 1 }];
  return { unpadded: groups, ...(count !== undefined && { batch: { texts: count, size: count, padded: groups } }) };
}

function wrong(value: string, what: string, fix: string): TenbinError {
  return new TenbinError('usage', { what, value, fix });
}
