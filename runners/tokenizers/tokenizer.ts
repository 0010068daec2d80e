import { z } from 'zod';
import { TenbinError } from '../../core/errors.js';
import { addedToken } from './added-tokens.js';
import { libraryTokenizer } from './library.js';
import { canCutAtSpaces, firstIds } from './prefix.js';
import { addedTokens, fill, postProcessor, type Row, type Template, templateOf } from './template.js';
import { textIds } from './text-ids.js';
import { longestFirst } from './truncation.js';

/** The ids of a text or pair as a graph takes them, special tokens included. */
export interface TokenRow {
  readonly ids: readonly number[];
  /** The segment of each token. */
  readonly typeIds: readonly number[];
  /** At least one token was left out. */
  readonly truncated: boolean;
}

export interface SpecialIds {
  readonly cls: number | null;
  readonly sep: number | null;
  readonly mask: number | null;
  readonly pad: number | null;
  readonly bos: number | null;
  readonly eos: number | null;
}

export interface Tokenizer {
  /** Cut on the right to `maxLength` tokens, special ones included. */
  readonly encode: (text: string, maxLength: number) => TokenRow;
  /** Cut longest first, on the right, to `maxLength` tokens together. */
  readonly encodePair: (query: string, document: string, maxLength: number) => TokenRow;
  /** Without special tokens; with a `limit`, at most that many ids. */
  readonly plain: (text: string, limit?: number) => { readonly ids: readonly number[]; readonly truncated: boolean };
  /** The id of a token by its text in the vocabulary or among the added tokens. */
  readonly idOf: (token: string) => number | null;
  readonly special: SpecialIds;
  /** Ids of all added tokens that are marked special. */
  readonly specialIds: ReadonlySet<number>;
  /** Special tokens that come before and after a single text. */
  readonly around: { readonly before: readonly number[]; readonly after: readonly number[] };
}

const tokenizerFile = z.looseObject({
  added_tokens: z.array(addedToken).default([]),
  post_processor: postProcessor,
  model: z.looseObject({}),
});

const named = z.nullish(z.union([z.string(), z.object({ content: z.string() }).transform(({ content }) => content)]));
const specialTokens = {
  cls_token: named,
  sep_token: named,
  mask_token: named,
  pad_token: named,
  bos_token: named,
  eos_token: named,
};
const configFile = z.looseObject(specialTokens);
const mapFile = z.object(specialTokens);

/**
 * The tokenizer of a parsed tokenizer.json, tokenizer_config.json and special_tokens_map.json; of the last two either may
 * be empty, and a special token is the first one's, else the second one's. What the file says of padding and truncation never
 * wins: both are the caller's.
 */
export function tokenizerOf(
  tokenizerJson: unknown,
  tokenizerConfig: unknown,
  specialTokensMap: unknown = {},
): Tokenizer {
  const file = parsed('tokenizer.json', tokenizerFile, tokenizerJson);
  const config = parsed('tokenizer_config.json', configFile, tokenizerConfig);
  const map = parsed('special_tokens_map.json', mapFile, specialTokensMap);
  const library = libraryTokenizer(
    { normalizer: null, pre_tokenizer: null, decoder: null, ...file, post_processor: null, added_tokens: [] },
    config,
  );
  const idsOf = textIds(library, file.added_tokens);
  const all = (text: string): readonly number[] => idsOf(wellFormed(text));
  const added = file.added_tokens.map(({ content }) => content);
  const pieces = library.model.vocab.filter((piece) => piece !== undefined);
  const first = canCutAtSpaces({ pieces, addedTokens: added })
    ? (text: string, limit: number) => firstIds(text, limit, all)
    : (text: string) => ({ ids: all(text), complete: true });
  const addedIds = new Map(file.added_tokens.map(({ content, id }) => [content, id]));
  const idOf = (token: string) => addedIds.get(token) ?? library.token_to_id(token) ?? null;
  const template = templateOf(file.post_processor);
  return {
    ...rowsOf({ template, all, first }),
    idOf,
    special: specialIdsOf([config, map], idOf),
    specialIds: new Set(file.added_tokens.flatMap(({ id, special }) => (special ? [id] : []))),
    around: aroundOf(template),
  };
}

interface Encoding {
  readonly template: Template;
  readonly all: (text: string) => readonly number[];
  readonly first: (text: string, limit: number) => { readonly ids: readonly number[]; readonly complete: boolean };
}

function rowsOf({ template, all, first }: Encoding): Pick<Tokenizer, 'encode' | 'encodePair' | 'plain'> {
  const plain: Tokenizer['plain'] = (text, limit) => {
    if (limit === undefined) return { ids: all(text), truncated: false };
    const { ids, complete } = first(text, limit);
    return { ids: ids.length > limit ? ids.slice(0, limit) : ids, truncated: !complete || ids.length > limit };
  };
  return {
    plain,
    encode: (text, maxLength) => {
      const { ids, truncated } = plain(text, roomIn(template.single, maxLength));
      return { ...fill(template.single, ids), truncated };
    },
    encodePair: (query, document, maxLength) => {
      const room = roomIn(template.pair, maxLength);
      let [a, b] = [first(query, room), first(document, room)];
      // Which side is longer decides who gets the odd token, so where both fill the room both are counted in full.
      if (!(a.complete && b.complete) && Math.min(a.ids.length, b.ids.length) > room) {
        a = { ids: all(query), complete: true };
        b = { ids: all(document), complete: true };
      }
      const [keptA, keptB] = longestFirst(a.ids.length, b.ids.length, room);
      const row: Row = fill(template.pair, a.ids.slice(0, keptA), b.ids.slice(0, keptB));
      return { ...row, truncated: keptA < a.ids.length || keptB < b.ids.length };
    },
  };
}

function roomIn(slots: Template['single'], maxLength: number): number {
  const room = maxLength - addedTokens(slots);
  if (room >= 0) return room;
  throw new TenbinError('usage', {
    what: 'The maximum length is below the number of special tokens',
    value: String(maxLength),
    fix: `Give at least ${addedTokens(slots)} tokens.`,
  });
}

function aroundOf({ single }: Template): Tokenizer['around'] {
  const at = single.findIndex(({ kind }) => kind === 'text');
  return { before: fill(single.slice(0, at), []).ids, after: fill(single.slice(at + 1), []).ids };
}

type SpecialTokens = z.infer<typeof mapFile>;

function specialIdsOf(
  [config, map]: readonly [SpecialTokens, SpecialTokens],
  idOf: (token: string) => number | null,
): SpecialIds {
  const id = (name: keyof SpecialTokens) => {
    const token = config[name] ?? map[name];
    return token == null ? null : idOf(token);
  };
  return {
    cls: id('cls_token'),
    sep: id('sep_token'),
    mask: id('mask_token'),
    pad: id('pad_token'),
    bos: id('bos_token'),
    eos: id('eos_token'),
  };
}

/** Half a surrogate pair is no character: it becomes U+FFFD, as it would on its way to the Rust library. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

function parsed<T>(name: string, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new TenbinError('malformed', {
    what: `${name} is not what a tokenizer is described by`,
    value: z.prettifyError(result.error).split('\n').slice(0, 4).join(' '),
    fix: 'Get the file again from where the model came from.',
  });
}
