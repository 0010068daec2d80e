import pLimit from 'p-limit';

/** Questions that do not depend on each other, `width` at a time; after a failure no further one is put. */
export async function inTurns<Item, Answer>(
  items: readonly Item[],
  width: number,
  ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const limit = pLimit(width);
  try {
    return await limit.map(items, ask);
  } catch (error) {
    limit.clearQueue();
    throw error;
  }
}
