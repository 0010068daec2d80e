/** What kind of failure this is (`refused` is none: what was asked does not fit); the command line turns `usage` and `unknown-name` into exit code 2, the rest into 1. */
export type ErrorCode =
  | 'usage'
  | 'unknown-name'
  | 'malformed'
  | 'missing'
  | 'damaged'
  | 'io'
  | 'refused'
  | 'unavailable'
  | 'not-finite';

export interface ErrorParts {
  /** What happened, as a sentence without its full stop. */
  readonly what: string;
  /** The value it happened with; a file and line where there is one. */
  readonly value?: string;
  /** What the reader can do now, as whole sentences. */
  readonly fix: string;
  readonly cause?: unknown;
}

/** The one error class: its message is written for the reader and has three parts. */
export class TenbinError extends Error {
  override readonly name = 'TenbinError';
  constructor(
    readonly code: ErrorCode,
    readonly parts: ErrorParts,
  ) {
    const value = parts.value === undefined ? '' : `: ${printable(parts.value)}`;
    super(
      `${unescapable(parts.what)}${value}. ${unescapable(parts.fix)}`,
      parts.cause === undefined ? {} : { cause: parts.cause },
    );
  }
}

/** A hostile value made fit for one line of a terminal: control characters escaped, at most 200 characters. */
export function printable(value: string): string {
  const short = value.length > 200 ? `${value.slice(0, 200)}… (${value.length} characters)` : value;
  return unescapable(short);
}

/** Sentences may name hostile things too; they are not cut. */
function unescapable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\ud800-\udfff](?![\udc00-\udfff])/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** The sentence for any thrown value, for places that record a failure and go on. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
