import { z } from 'zod';

/** An entry of `added_tokens` in tokenizer.json: a text that is a token wherever it stands. */
export const addedToken = z.object({
  id: z.int(),
  content: z.string(),
  special: z.boolean().default(false),
  single_word: z.boolean().default(false),
  lstrip: z.boolean().default(false),
  rstrip: z.boolean().default(false),
  normalized: z.boolean().optional(),
});
export type AddedToken = z.infer<typeof addedToken>;

/** A stretch of ordinary text, or an added token. */
export type Section = { readonly text: string } | { readonly id: number };

interface Node {
  readonly next: Map<string, Node>;
  token: AddedToken | null;
}

/** Cuts texts at added tokens: the leftmost match, and of those the longest, as the Rust library's automaton does. */
export function sectionsOf(tokens: readonly AddedToken[]): (text: string) => Section[] {
  const root: Node = { next: new Map(), token: null };
  const usable = tokens.filter(({ content }) => content !== '');
  for (const token of usable) insert(root, token);
  const starts = [...root.next.keys()].map((character) => character.replace(/[\\\]^-]/g, '\\$&')).join('');
  // Most texts have none of the first characters, and nothing is as fast as not looking.
  const start = starts === '' ? null : new RegExp(`[${starts}]`, 'g');
  return (text) => {
    const sections: Section[] = [];
    let done = 0;
    const add = (to: number) => {
      if (to > done) sections.push({ text: text.slice(done, to) });
    };
    if (start !== null) start.lastIndex = 0;
    for (let found = start?.exec(text) ?? null; start !== null && found !== null; found = start.exec(text)) {
      const match = matchAt(root, text, found.index);
      if (match === null) continue;
      const [from, to] = stripped(text, match, found.index, done);
      add(from);
      sections.push({ id: match.id });
      done = to;
      start.lastIndex = to;
    }
    add(text.length);
    return sections;
  };
}

function insert(root: Node, token: AddedToken): void {
  let node = root;
  for (let i = 0; i < token.content.length; i++) {
    const character = token.content[i];
    const next = node.next.get(character) ?? { next: new Map(), token: null };
    node.next.set(character, next);
    node = next;
  }
  node.token ??= token;
}

const wordCharacter = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;

function matchAt(root: Node, text: string, at: number): AddedToken | null {
  let found: AddedToken | null = null;
  let node: Node | undefined = root;
  for (let i = at; node !== undefined; i++) {
    if (node.token !== null) found = node.token;
    node = node.next.get(text[i]);
  }
  if (found === null || !found.single_word) return found;
  const before = at === 0 ? '' : text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at + found.content.length, at + found.content.length + 2);
  const inWord = wordCharacter.test(Array.from(before).at(-1) ?? '') || wordCharacter.test(Array.from(after)[0] ?? '');
  return inWord ? null : found;
}

/** From where to where a match reaches: white space beside it may belong to it. */
function stripped(text: string, token: AddedToken, at: number, done: number): readonly [number, number] {
  let [from, to] = [at, at + token.content.length];
  if (token.lstrip) while (from > done && /\p{White_Space}/u.test(text[from - 1])) from--;
  if (token.rstrip) while (to < text.length && /\p{White_Space}/u.test(text[to])) to++;
  return [from, to];
}
