import { createHash } from 'node:crypto';
import { byCodePoint } from './order.js';

/**
 * A keyed hash of an id: the first 13 hex digits (52 bits, exact in a double) of sha256(key NUL id). It stands in for
 * randomness wherever a choice must not depend on input order or leak it; a smaller sample nests in a larger one.
 */
export function keyedHash(key: string, id: string): number {
  return Number.parseInt(createHash('sha256').update(key).update('\0').update(id).digest('hex').slice(0, 13), 16);
}

/** Ids in keyed-hash order; equal hashes (once in 2^52) by code point, so the order is total. */
export function inKeyedOrder<T>(items: readonly T[], key: string, idOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, id: idOf(item), hash: keyedHash(key, idOf(item)) }))
    .sort((a, b) => a.hash - b.hash || byCodePoint(a.id, b.id))
    .map(({ item }) => item);
}

/** `places[i]` is the place of `ids[i]` in keyed-hash order: the tie-break of every ranking of ours. */
export function keyedPlaces(ids: readonly string[], key: string): Int32Array {
  const places = new Int32Array(ids.length);
  const order = inKeyedOrder([...ids.keys()], key, (i) => ids[i] ?? '');
  order.forEach((position, place) => {
    places[position] = place;
  });
  return places;
}
