import { printable } from '../../core/errors.js';

/**
 * A hostile name made fit for one line: control characters escaped, and the middle left out where it is longer than
 * `limit` characters, so that variants of one model stay apart.
 */
export function shownName(name: string, limit = 60): string {
  const characters = [...name];
  const shown = (part: readonly string[]): string[] => [...printable(part.join(''))];
  const whole = shown(characters.slice(0, limit));
  if (characters.length <= limit && whole.length <= limit) return whole.join('');
  const tail = Math.floor(limit / 3);
  return [...whole.slice(0, limit - tail - 1), '…', ...shown(characters.slice(-limit)).slice(-tail)].join('');
}
