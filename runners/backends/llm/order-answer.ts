import type { Reading } from './reading.js';

/**
 * The order that an answer such as `[3] > [1] > [2]` gives to `count` numbered passages. Repeated numbers and those that
 * were not shown are left out, missing ones follow in the order in which they stood.
 */
export function readOrder(text: string, count: number): Reading<readonly number[]> {
  const bracketed = placesIn(text, /\[\s*(\d+)\s*\]/g);
  if (bracketed.length > 0) return completed(bracketed, count);
  // `1. Passage 3`: the number before the dot is the line's.
  const bare = placesIn(text.replace(/^[ \t]*\d+[.)][ \t]+(?=.*\d)/gm, ''), /(?<![\d.])(\d+)(?!\d|\.\d)/g);
  const reading = completed(bare, count);
  return reading.outcome === 'clean' ? { ...reading, outcome: 'repaired' } : reading;
}

function placesIn(text: string, numbers: RegExp): number[] {
  return [...text.matchAll(numbers)].map((match) => Number(match[1]) - 1);
}

/** Every place once: the named ones first, then the others as they stood. */
export function completed(named: readonly number[], count: number): Reading<readonly number[]> {
  const kept = [...new Set(named.filter((place) => place >= 0 && place < count))];
  const known = new Set(kept);
  const missing = Array.from({ length: count }, (_, i) => i).filter((place) => !known.has(place));
  const whole = missing.length === 0 && named.length === count;
  const outcome = kept.length === 0 ? 'malformed' : whole ? 'clean' : 'repaired';
  return { value: [...kept, ...missing], outcome };
}
