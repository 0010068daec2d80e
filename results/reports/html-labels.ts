/** A point that wants its name beside it. */
export interface Labelled {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export interface Label {
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'end';
  readonly text: string;
  /** The path of a line from the point, where the label had to move away from it. */
  readonly leader: string | null;
}

interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const line = 14;

/**
 * Every point labelled once: beside it where there is room, else moved up or down by as few lines as will do, with a
 * leader. Greedy in the order given; where nothing is free the label stands beside its point all the same.
 */
export function placeLabels(points: readonly Labelled[], frame: Frame): readonly Label[] {
  const taken: Frame[] = points.map(({ x, y }) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }));
  const shifts = Array.from({ length: 61 }, (_, i) => (i % 2 === 0 ? i / 2 : -(i + 1) / 2));
  return points.map((point) => {
    const candidates = shifts.flatMap((shift) => [candidate(point, shift, 'start'), candidate(point, shift, 'end')]);
    const inside = candidates.filter(({ box }) => contains(frame, box));
    const free = inside.find(({ box }) => taken.every((other) => !overlap(box, other)));
    const { label, box } = free ?? inside[0] ?? candidates[0];
    taken.push(box);
    return label;
  });
}

function candidate({ x, y, text }: Labelled, shift: number, anchor: Label['anchor']): { label: Label; box: Frame } {
  const side = anchor === 'start' ? 1 : -1;
  const from = x + side * (shift === 0 ? 9 : 18);
  const middle = y + shift * line;
  const leader = shift === 0 ? null : `M${x} ${y}L${from - side * 2} ${tenth(middle)}`;
  const far = from + side * widthOf(text);
  const box = { left: Math.min(from, far), right: Math.max(from, far), top: middle - 7, bottom: middle + 7 };
  return { label: { x: from, y: tenth(middle + 4), anchor, text, leader }, box };
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** At 11 px: wide scripts and emoji take about twice the width of a Latin letter. */
function widthOf(text: string): number {
  return [...text].reduce((width, character) => width + ((character.codePointAt(0) ?? 0) > 0x2e7f ? 12 : 6.4), 0);
}

const contains = (outer: Frame, inner: Frame): boolean =>
  inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;

const overlap = (a: Frame, b: Frame): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
