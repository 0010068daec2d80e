import type { CallTimes, OnStep, TokenFacts } from '../../open-model.js';
import { callClock } from './call-clock.js';
import { fedTokens } from './fed-tokens.js';
import type { Job, JobResult } from './job.js';
import type { InputRow } from './padding.js';
import { runPipeline } from './pipeline.js';
import type { BatchRule } from './plan.js';

/** A text, or pair, as it goes in: the row of ids and whether it was cut. */
export interface PreparedRow extends InputRow {
  readonly truncated: boolean;
  /** What the decoder of an encoder-decoder is fed. */
  readonly decoder?: readonly number[];
  /** Tokens whose probability is asked for, and the positions that predict them. */
  readonly predicted?: { readonly positions: readonly number[]; readonly tokens: readonly number[] };
}

export interface EncodingRun {
  readonly characters: readonly number[];
  readonly prepare: (position: number) => PreparedRow;
  readonly rule: BatchRule;
  readonly run: (job: Job) => Promise<JobResult>;
  readonly jobOf: (rows: readonly PreparedRow[]) => Job;
  /** The result of one batch: row r belongs to `positions[r]`. */
  readonly keep: (result: JobResult, positions: readonly number[]) => void;
  readonly onStep?: OnStep;
}

/** What every text went through as, and how long it took. */
export interface Encoded {
  readonly tokens: TokenFacts;
  readonly times: CallTimes;
}

/** Runs every text through the graph and counts its tokens. */
export async function runEncoding(encoding: EncodingRun): Promise<Encoded> {
  const { characters, prepare, rule, run, jobOf, keep, onStep } = encoding;
  const clock = callClock();
  const fed = fedTokens(characters.length, rule);
  await runPipeline({
    characters,
    prepare: (position) => clock.tokenizing(() => prepare(position)),
    lengthOf,
    rule,
    run: async (batch) => {
      const rows = batch.map(({ row }) => row);
      const positions = batch.map(({ position }) => position);
      fed.add(rows, positions);
      keep(await clock.inGraph(() => run(jobOf(rows))), positions);
    },
    ...(onStep && { onStep }),
  });
  return { tokens: fed.facts(), times: clock.times() };
}

const lengthOf = ({ ids, decoder }: PreparedRow) => Math.max(ids.length, decoder?.length ?? 0);

/** A graph takes no row without tokens: a text that has none is fed one token of padding. */
export function neverEmpty(ids: readonly number[], padId: number): readonly number[] {
  return ids.length === 0 ? [padId] : ids;
}
