import { reasonOf, TenbinError } from '../../core/errors.js';
import { lineAt } from '../readers/json-scan.js';

/** Deeper than any result file; JSON.parse itself has no bound, code that walks the value has one. */
const deepest = 64;

/**
 * JSON as Python writes it: bare `NaN`, `Infinity` and `-Infinity` become null. Strings stay as they are. A scanner and no
 * replacement by pattern, as those words may stand in a string. Throws `malformed` with file and line.
 */
export function parseTolerantJson(text: string, where: string): unknown {
  const strict = withoutBareWords(text, where);
  try {
    return JSON.parse(strict);
  } catch (cause) {
    throw new TenbinError('malformed', {
      what: `This file is not JSON (${reasonOf(cause)})`,
      value: where,
      fix: 'It was cut off or changed: fetch it again.',
      cause,
    });
  }
}

function withoutBareWords(text: string, where: string): string {
  const pieces: string[] = [];
  let kept = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = closingQuote(text, at);
    else if (unit === openBrace || unit === openBracket) depth = deeper(depth, where, text, at);
    else if (unit === closeBrace || unit === closeBracket) depth--;
    else if (mayBegin(unit)) {
      const word = bareWords.find((candidate) => text.startsWith(candidate, at));
      if (word === undefined) continue;
      pieces.push(text.slice(kept, at), 'null');
      kept = at + word.length;
      at = kept - 1;
    }
  }
  return pieces.length === 0 ? text : `${pieces.join('')}${text.slice(kept)}`;
}

const bareWords = ['NaN', 'Infinity', '-Infinity'];
const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];

/** `N`, `I`, `-`. */
function mayBegin(unit: number): boolean {
  return unit === 0x4e || unit === 0x49 || unit === 0x2d;
}

/** The position of the quote that closes the string; the end of the text where none does, which JSON.parse refuses. */
function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) return at;
    if (unit === backslash) at++;
  }
  return text.length;
}

function deeper(depth: number, where: string, text: string, at: number): number {
  if (depth < deepest) return depth + 1;
  throw new TenbinError('malformed', {
    what: `This JSON is nested more than ${deepest} deep, as no result file is`,
    value: `${where}:${lineAt(text, at)}`,
    fix: 'Check that it is the file that was meant.',
  });
}
