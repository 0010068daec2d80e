/** A point that wants its name beside it. */
interface Labelled {
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

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const line = 14;
/** Places that are tried before a label may cross a line: beside its point, and three lines up and down. */
const near = 7;

/**
 * Every point labelled once: beside it where there is room, else moved up or down by as few lines as will do, with a
 * leader. Greedy in the order given. Null where the frame is too low for all of them. With no more than half the frame's width
 * for a label one side is always wide enough, and each label or point takes at most two lines from another: a frame of
 * four lines for each point is high enough. `lines` are kept free where that takes no more than a few lines of room.
 */
export function placeLabels(
  points: readonly Labelled[],
  frame: Frame,
  lines: readonly Frame[] = [],
): readonly Label[] | null {
  const taken: Frame[] = points.map(markBox);
  const shifts = shiftsOf(Math.ceil((frame.bottom - frame.top) / line));
  const labels: Label[] = [];
  for (const point of points) {
    const free =
      firstFree(point, { shifts: shifts.slice(0, near), frame, taken: [...taken, ...lines] }) ??
      firstFree(point, { shifts, frame, taken });
    if (free === null) return null;
    taken.push(free.box);
    labels.push(free.label);
  }
  return labels;
}

/** Of some points those labels that find room close by, with no line crossed; `marks` are all points that a label must not hide. */
export function fittingLabels(
  points: readonly Labelled[],
  frame: Frame,
  { marks, lines }: { readonly marks: readonly Pick<Labelled, 'x' | 'y'>[]; readonly lines: readonly Frame[] },
): readonly Label[] {
  const taken: Frame[] = [...marks.map(markBox), ...lines];
  const shifts = shiftsOf((near - 1) / 2);
  return points.flatMap((point) => {
    const free = firstFree(point, { shifts, frame, taken });
    if (free === null) return [];
    taken.push(free.box);
    return [free.label];
  });
}

const markBox = ({ x, y }: Pick<Labelled, 'x' | 'y'>): Frame => ({
  left: x - 6,
  right: x + 6,
  top: y - 6,
  bottom: y + 6,
});

/** None, then one line up and down, then two, as far as that. */
const shiftsOf = (reach: number): readonly number[] =>
  Array.from({ length: 2 * reach + 1 }, (_, i) => (i % 2 === 0 ? i / 2 : -(i + 1) / 2));

interface Space {
  readonly shifts: readonly number[];
  readonly frame: Frame;
  readonly taken: readonly Frame[];
}

function firstFree(point: Labelled, { shifts, frame, taken }: Space): Placed | null {
  for (const shift of shifts) {
    for (const anchor of ['start', 'end'] as const) {
      const placed = candidate(point, shift, anchor);
      if (contains(frame, placed.box) && taken.every((other) => !overlap(placed.box, other))) return placed;
    }
  }
  return null;
}

interface Placed {
  readonly label: Label;
  readonly box: Frame;
}

function candidate({ x, y, text }: Labelled, shift: number, anchor: Label['anchor']): Placed {
  const side = anchor === 'start' ? 1 : -1;
  const from = tenth(x + side * (shift === 0 ? 9 : 18));
  const middle = y + shift * line;
  const leader = shift === 0 ? null : `M${x} ${y}L${tenth(from - side * 2)} ${tenth(middle)}`;
  const far = from + side * labelWidth(text);
  const box = { left: Math.min(from, far), right: Math.max(from, far), top: middle - 7, bottom: middle + 7 };
  return { label: { x: from, y: tenth(middle + 4), anchor, text, leader }, box };
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** At 10.5 px of a font whose letters have one width; wide scripts and emoji take about twice that. */
export function labelWidth(text: string): number {
  return [...text].reduce((width, character) => width + ((character.codePointAt(0) ?? 0) > 0x2e7f ? 12 : 6.4), 0);
}

const contains = (outer: Frame, inner: Frame): boolean =>
  inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;

const overlap = (a: Frame, b: Frame): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
