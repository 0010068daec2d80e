/**
 * How many tokens of each side of a pair stay when both together may be `room`: longest first, by the rule of the Rust
 * library. The shorter side stays whole while it is at most half of the room; when both are longer they end equal, and
 * the odd token goes to the longer one (to the second when they are equally long).
 */
export function longestFirst(first: number, second: number, room: number): readonly [number, number] {
  if (first + second <= room) return [first, second];
  const [shorter] = first <= second ? [first, second] : [second, first];
  const half = Math.floor(room / 2);
  const [small, large] = 2 * shorter > room ? [half, room - half] : [shorter, room - shorter];
  return first <= second ? [small, large] : [large, small];
}
