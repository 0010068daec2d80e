/** What a service takes in one request. */
export interface BatchLimits {
  readonly inputs: number;
  /** By `estimatedTokens`. */
  readonly tokens: number;
}

/** Positions start .. end - 1. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Tokens of a text, rather too many: UTF-8 bytes / 3. Subword vocabularies take about 4 bytes of English a token and about
 * one character of Chinese or Japanese, which is 3 bytes. Code and digits may take more, so a request that is refused as
 * too large is halved.
 */
export function estimatedTokens(text: string): number {
  return Math.max(1, Math.ceil(Buffer.byteLength(text, 'utf8') / 3));
}

/** Neighbours in as few requests as the limits allow. A text that alone is above the limit goes alone. */
export function batchesOf(tokens: readonly number[], limits: BatchLimits): readonly Range[] {
  const batches: Range[] = [];
  let start = 0;
  let held = 0;
  for (let i = 0; i < tokens.length; i++) {
    if (i > start && (i - start >= limits.inputs || held + tokens[i] > limits.tokens)) {
      batches.push({ start, end: i });
      start = i;
      held = 0;
    }
    held += tokens[i];
  }
  return tokens.length === 0 ? [] : [...batches, { start, end: tokens.length }];
}

/**
 * What is sent for a text. Services refuse or skip empty texts, so one blank stands for them; half a surrogate pair has no
 * UTF-8 and is what every decoder makes of it, U+FFFD.
 */
export function sendable(text: string): string {
  return text === '' ? ' ' : text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** `text 3 of 10 ("The beginning of it…")`, counted from 1. */
export function placeOf(noun: string, position: number, texts: readonly string[]): string {
  const points = [...texts[position].slice(0, 100)];
  const beginning = points.length > 40 ? `${points.slice(0, 40).join('')}…` : points.join('');
  return `${noun} ${position + 1} of ${texts.length} ("${beginning}")`;
}
