import type { LimitFunction } from 'p-limit';
import type { Range } from './batches.js';

/**
 * Runs a job for each item, as many at a time as the limiter allows. The first failure aborts the others and is thrown
 * once they have stopped: nothing goes on in the background.
 */
export async function inParallel<Item, Result>(
  limiter: LimitFunction,
  items: readonly Item[],
  run: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const controller = new AbortController();
  const { signal } = controller;
  const failures: unknown[] = [];
  const job = async (item: Item): Promise<Result> => {
    signal.throwIfAborted();
    try {
      return await run(item, signal);
    } catch (error) {
      // Before this job leaves the limiter, so that the next one is not begun.
      failures.push(error);
      controller.abort();
      throw error;
    }
  };
  const settled = await Promise.allSettled(items.map((item) => limiter(job, item)));
  if (failures.length > 0) throw failures[0];
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** The rows of a range, or the error to throw should even one text be too much. */
export type Asked<Row> =
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  | { readonly kind: 'too-large'; readonly error: () => Error };

/** Asks for a range; what the service calls too large is asked for in halves. One row per position, in their order. */
export async function askHalving<Row>(
  range: Range,
  ask: (range: Range) => Promise<Asked<Row>>,
): Promise<readonly Row[]> {
  const asked = await ask(range);
  if (asked.kind === 'rows') return asked.rows;
  const { start, end } = range;
  if (end - start <= 1) throw asked.error();
  const middle = (start + end) >> 1;
  const first = await askHalving({ start, end: middle }, ask);
  return [...first, ...(await askHalving({ start: middle, end }, ask))];
}
