import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OnStep } from '../../open-model.js';
import { type BatchRule, planBatches } from './plan.js';

export interface Pipeline<Row> {
  /** How long each text is in characters: a cheap guess at its tokens, by which texts are first sorted. */
  readonly characters: readonly number[];
  /** Tokenizes the text at that position. */
  readonly prepare: (position: number) => Row;
  /** Tokens that the row is fed with. */
  readonly lengthOf: (row: Row) => number;
  readonly rule: BatchRule;
  /** Runs one batch; its rows came from `prepare`. */
  readonly run: (batch: readonly Placed<Row>[]) => Promise<void>;
  readonly onStep?: OnStep;
}

export interface Placed<Row> {
  readonly position: number;
  readonly row: Row;
}

/** Most texts that are tokenized before they are sorted by their tokens and cut into batches. */
const windowTexts = 1024;
/** Texts of the first window, for which the session waits; each further one is as large as all before it. */
const firstTexts = 64;
/** Texts tokenized between two looks at whether the session has become free. */
const sliceTexts = 8;
/** Batches on their way: one runs, one waits at the thread's door. */
const depth = 2;

/**
 * Feeds a session without a pause: texts are sorted by their characters, tokenized in windows, sorted by their tokens
 * and cut into batches, and the next window is tokenized while the session runs.
 */
export async function runPipeline<Row>(pipeline: Pipeline<Row>): Promise<void> {
  const { characters, rule, run, onStep } = pipeline;
  const order = characters.map((_, position) => position).sort((a, b) => characters[b] - characters[a] || a - b);
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const start = (batch: readonly Placed<Row>[]) => {
    const job = run(batch).then(
      () => onStep?.(batch.length),
      (error) => void failures.push(error),
    );
    const tracked = job.then(() => void running.delete(tracked));
    running.add(tracked);
  };
  let next = windowOf(pipeline, order, 0);
  while (next.rows.length < next.size) next.take();
  for (let at = 0; at < order.length && failures.length === 0; ) {
    const { rows, size } = next;
    at += size;
    next = windowOf(pipeline, order, at);
    rows.sort((a, b) => pipeline.lengthOf(b.row) - pipeline.lengthOf(a.row) || a.position - b.position);
    for (const [from, to] of planBatches(
      rows.map(({ row }) => pipeline.lengthOf(row)),
      rule,
    )) {
      await untilFree(running, next);
      if (failures.length > 0) break;
      start(rows.slice(from, to));
    }
    while (next.rows.length < next.size && failures.length === 0) {
      next.take();
      await nextTurn();
    }
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}

interface Window<Row> {
  readonly size: number;
  readonly rows: Placed<Row>[];
  /** Tokenizes some more of it. */
  readonly take: () => void;
}

function windowOf<Row>({ prepare }: Pipeline<Row>, order: readonly number[], from: number): Window<Row> {
  const size = Math.min(windowTexts, Math.max(firstTexts, from), order.length - from);
  const rows: Placed<Row>[] = [];
  const take = () => {
    for (let i = 0; i < sliceTexts && rows.length < size; i++) {
      const position = order[from + rows.length];
      rows.push({ position, row: prepare(position) });
    }
  };
  return { size, rows, take };
}

/** Waits for a place in the pipeline, and works on the next window meanwhile. */
async function untilFree<Row>(running: ReadonlySet<Promise<void>>, next: Window<Row>): Promise<void> {
  while (running.size >= depth) {
    if (next.rows.length === next.size) {
      await Promise.race(running);
    } else {
      next.take();
      await nextTurn();
    }
  }
}
