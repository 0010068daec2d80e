import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inKeyedOrder, keyedHash, keyedPlaces } from '../../core/keyed-hash.js';

const ids = fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 30 });

test('the hash is the head of sha256(key NUL id)', () => {
  // printf 'k\0d1' | sha256sum → 7ad31dbc3f9d8…
  expect(keyedHash('k', 'd1')).toBe(0x7ad31dbc3f9d8);
});

test('order does not depend on the order of the input, and smaller samples nest', () => {
  fc.assert(
    fc.property(ids, fc.nat(), (list, cut) => {
      const ordered = inKeyedOrder(list, 'seed', (id) => id);
      expect(inKeyedOrder([...list].reverse(), 'seed', (id) => id)).toEqual(ordered);
      const some = list.filter((_, i) => (i + cut) % 2 === 0);
      expect(inKeyedOrder(some, 'seed', (id) => id)).toEqual(ordered.filter((id) => some.includes(id)));
    }),
  );
});

test('another key gives another order', () => {
  const list = Array.from({ length: 50 }, (_, i) => `d${i}`);
  expect(inKeyedOrder(list, 'a', (id) => id)).not.toEqual(inKeyedOrder(list, 'b', (id) => id));
});

test('places are the inverse of the order', () => {
  fc.assert(
    fc.property(ids, (list) => {
      const places = keyedPlaces(list, 'seed');
      const ordered = inKeyedOrder(list, 'seed', (id) => id);
      expect(list.map((_, i) => ordered[places[i] as number])).toEqual(list);
    }),
  );
});
