import type { QueryId } from '../core/ids.js';
import { parseMeasure } from '../results/measures/parse.js';
import { decodeQrels, decodeRun } from '../results/readers/index.js';
import { trecSpelled } from '../results/trec/select.js';
import type { Measure } from '../results/types.js';
import type { Judgements, Ranking } from '../tasks/types.js';
import { note } from './output.js';
import { noSuchRun, readOperand, runFolderOf } from './read-input.js';

interface Reading {
  /** Root of runs of ours. */
  readonly out: string;
  readonly quiet?: boolean;
}

interface TaggedRun {
  readonly rankings: ReadonlyMap<QueryId, Ranking>;
  /** What a TREC file calls the run; of other files their name, of our own runs the system. One word. */
  readonly tag: string;
}

/** Judgements from a file; the format is said on stderr. */
export async function readJudgements(path: string, { quiet }: Reading): Promise<Judgements> {
  const { judged, format } = await decodeQrels(await readOperand(path), path);
  if (!quiet) note(`${path}: ${format}`);
  return judged;
}

/** A run file, or the folder of a run of ours; the format is said on stderr. */
export async function readRankings(operand: string, reading: Reading): Promise<ReadonlyMap<QueryId, Ranking>> {
  return (await readTaggedRun(operand, reading)).rankings;
}

/** The same with what the run is called. */
export async function readTaggedRun(operand: string, { out, quiet }: Reading): Promise<TaggedRun> {
  const folder = await runFolderOf(operand, out);
  if (folder !== null) {
    const { readRun } = await import('../runners/store.js');
    const run = await readRun(folder);
    if (run === null) throw noSuchRun(operand);
    return { rankings: run.rankings, tag: oneWord(run.system) };
  }
  const { rankings, format, tag } = await decodeRun(await readOperand(operand), operand);
  if (!quiet) note(`${operand}: ${format}`);
  return { rankings, tag: tag ?? oneWord(operand) };
}

/** As `tenbin export --to trec` writes the name of a system. */
function oneWord(name: string): string {
  return name.replace(/[\s\p{Cc}]+/gu, '_') || '_';
}

/** Measures as asked for, each once: in tenbin's spelling, or with trec_eval's nicknames and parameters (`P.5,10`). */
export function measuresFrom(names: readonly string[]): readonly Measure[] {
  const measures = names.flatMap((name) => trecSpelled(name) ?? [parseMeasure(name)]);
  return [...new Map(measures.map((measure) => [measure.name, measure])).values()];
}
