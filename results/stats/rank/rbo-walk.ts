/** How tied items count: see `RboOptions`. */
export type TieRule = 'w' | 'a' | 'b';

/** A ranking as groups without empty ones, and each item's group. */
export interface Items {
  readonly size: number;
  readonly groups: readonly (readonly string[])[];
  readonly groupOf: ReadonlyMap<string, number>;
}

export function itemsOf(ranking: readonly (readonly string[])[]): Items {
  const groups = ranking.filter(({ length }) => length > 0);
  const groupOf = new Map(groups.flatMap((group, at) => group.map((id): [string, number] => [id, at])));
  return { size: groups.reduce((sum, { length }) => sum + length, 0), groups, groupOf };
}

/** Where a walk down a ranking stands: the items of the groups before the current one are whole. */
export interface Walk {
  readonly items: Items;
  /** −1 before the first step. */
  group: number;
  /** How many items stand before the current group. */
  before: number;
  /** How many it holds. */
  held: number;
}

export function walkOf(items: Items): Walk {
  return { items, group: -1, before: 0, held: 0 };
}

/** Goes on to the next group where the depth is beyond the current one; at the end the last group stays. */
export function reach(walk: Walk, depth: number): 'new group' | 'same group' {
  if (depth <= walk.before + walk.held || walk.group + 1 === walk.items.groups.length) return 'same group';
  walk.before += walk.held;
  walk.group++;
  walk.held = walk.items.groups[walk.group].length;
  return 'new group';
}

/** Of the current group: how many items are whole, current or absent in the other walk. */
export function standing(
  walk: Walk,
  other: Walk,
): { readonly whole: number; readonly current: number; readonly absent: number } {
  const counts = { whole: 0, current: 0, absent: 0 };
  for (const id of walk.items.groups[walk.group]) {
    const group = other.items.groupOf.get(id);
    if (group === undefined) counts.absent++;
    else if (group < other.group) counts.whole++;
    else if (group === other.group) counts.current++;
  }
  return counts;
}

/** The weight of an item of the current group: all of it at once (w), or growing from place to place of the group. */
export function weightAt({ before, held }: Walk, depth: number, ties: TieRule): number {
  return ties === 'w' ? 1 : Math.min(1, (depth - before) / held);
}
