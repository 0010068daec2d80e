import type { Awaitable } from '../system.js';
import { type CandidateRules, type Candidates, candidatesOf } from './candidates.js';
import type { BlockValues, QuickPass, QuickQueries, RowBlock } from './quick-pass.js';

/** What may be among the best of each query; null where all rows have to be scored. */
export type Survivors = readonly (Int32Array | null)[];

export interface QuickAsk {
  readonly queries: Int32Array;
  readonly k: number;
  /** For each query a score that k documents reach already, less the offset of its scores; -Infinity for none. */
  readonly floors?: Float64Array;
}

/** The quick look at all rows, where it answers at once. At most `mostQueries` queries. */
export function survivorsNow(pass: QuickPass, ask: QuickAsk): Survivors {
  const asked = pass.ask(ask.queries);
  const candidates = candidatesFor(pass, asked, ask);
  for (const block of asked.blocks) admitAll(candidates, block, asked.valuesOf(block));
  return candidates.map(({ survivors }) => survivors());
}

/** The same where the answers have to be waited for. */
export async function survivorsSoon(pass: QuickPass<Awaitable<BlockValues>>, ask: QuickAsk): Promise<Survivors> {
  const asked = pass.ask(ask.queries);
  const candidates = candidatesFor(pass, asked, ask);
  for (const block of asked.blocks) admitAll(candidates, block, await asked.valuesOf(block));
  return candidates.map(({ survivors }) => survivors());
}

function candidatesFor(
  { errors }: QuickPass<Awaitable<BlockValues>>,
  { units, slacks }: QuickQueries<Awaitable<BlockValues>>,
  { queries, k, floors }: QuickAsk,
): Candidates[] {
  // Scoring half of the rows again costs as much as scoring all of them from the start.
  const most = errors.scale.length / 2;
  const rules = (i: number): CandidateRules => ({
    k,
    most,
    slack: slacks[i],
    floor: floors === undefined ? -Infinity : floors[i] / units[i],
  });
  return Array.from(queries, (_, i) => candidatesOf(errors, rules(i)));
}

function admitAll(candidates: readonly Candidates[], block: RowBlock, answer: BlockValues): void {
  candidates.forEach(({ admit }, i) => {
    admit(answer, i, block);
  });
}
