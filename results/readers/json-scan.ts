import { broken } from './faults.js';
import { numberAt } from './number.js';

/** What is told of `{"query": {"document": number}}` while it is read; `at` is a position in the text. */
export interface Visitor {
  readonly query: (id: string, at: number) => void;
  readonly entry: (id: string, value: number, at: number) => void;
}

/**
 * Reads `{"query": {"document": number}}` in the order of the text. Own code because JSON.parse sorts keys that look like
 * numbers before the others, keeps the last of two equal keys in silence, and names no line. Python's `NaN` and
 * `Infinity` are read as numbers.
 */
export function scanNestedNumbers(text: string, where: string, visit: Visitor): void {
  const fail = (what: string, at: number) =>
    broken(
      `${what} in this JSON, which must be {"query": {"document": number}}`,
      `${where}:${lineAt(text, at)}`,
      'Mend the file.',
    );
  const end = members(text, blanks(text, 0), fail, (query, at, from) => {
    visit.query(query, from);
    return members(text, at, fail, (doc, start, place) => {
      const stop = numberEnd(text, start);
      const value = numberAt(text, start, stop);
      if (value === undefined) throw fail(`${shown(text, start, stop)} stands for a number`, start);
      visit.entry(doc, value, place);
      return stop;
    });
  });
  if (blanks(text, end) < text.length) throw fail('There is something after the end', blanks(text, end));
}

type Fail = (what: string, at: number) => Error;
/** Reads the value that begins at `at`; `from` is where its key stands. Gives the position after it. */
type Member = (key: string, at: number, from: number) => number;

function members(text: string, start: number, fail: Fail, member: Member): number {
  if (text[start] !== '{') throw fail(start < text.length ? 'There is no `{`' : 'The text ends too early', start);
  let at = blanks(text, start + 1);
  if (text[at] === '}') return at + 1;
  for (;;) {
    const from = at;
    const close = stringEnd(text, at, fail);
    const key = keyOf(text, at, close, fail);
    at = blanks(text, close);
    if (text[at] !== ':') throw fail('There is no `:` after a key', at);
    at = blanks(text, member(key, blanks(text, at + 1), from));
    if (text[at] === '}') return at + 1;
    if (text[at] !== ',') throw fail(at < text.length ? 'There is no `,` or `}`' : 'The text ends too early', at);
    at = blanks(text, at + 1);
  }
}

/** The position after the closing quote. */
function stringEnd(text: string, start: number, fail: Fail): number {
  if (start >= text.length) throw fail('The text ends too early', start);
  if (text[start] !== '"') throw fail('A key is not in double quotes', start);
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  if (close < 0) throw fail('A quote is not closed', start);
  return close + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0;
  while (text[quote - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

function keyOf(text: string, start: number, end: number, fail: Fail): string {
  const inside = text.slice(start + 1, end - 1);
  if (!inside.includes('\\')) return inside;
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    throw fail('A key has a wrong escape', start);
  }
}

function shown(text: string, start: number, stop: number): string {
  return `\`${text.slice(start, Math.min(Math.max(stop, start + 1), start + 40))}\``;
}

function numberEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && !endsNumber(text.charCodeAt(end))) end++;
  return end;
}

function blanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** JSON's own white space: blank, tab, newline, carriage return. */
function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13;
}

function endsNumber(unit: number): boolean {
  return unit === 44 || unit === 125 || isBlank(unit);
}

/** Lines are counted only for an error. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) line++;
  return line;
}
