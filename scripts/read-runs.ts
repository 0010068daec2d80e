import type { QueryId } from '../core/ids.js';
import { parseMeasure } from '../results/measures/parse.js';
import { decodeQrels, decodeRun } from '../results/readers/index.js';
import type { Measure } from '../results/types.js';
import { readRun } from '../runners/store.js';
import type { Judgements, Ranking } from '../tasks/types.js';
import { note } from './output.js';
import { noSuchRun, readOperand, runFolderOf } from './read-input.js';

interface Reading {
  /** Root of runs of ours. */
  readonly out: string;
  readonly quiet?: boolean;
}

/** Judgements from a file; the format is said on stderr. */
export async function readJudgements(path: string, { quiet }: Reading): Promise<Judgements> {
  const { judged, format } = await decodeQrels(await readOperand(path), path);
  if (!quiet) note(`${path}: ${format}`);
  return judged;
}

/** A run file, or the folder of a run of ours; the format is said on stderr. */
export async function readRankings(operand: string, { out, quiet }: Reading): Promise<ReadonlyMap<QueryId, Ranking>> {
  const folder = await runFolderOf(operand, out);
  if (folder !== null) {
    const run = await readRun(folder);
    if (run === null) throw noSuchRun(operand);
    return run.rankings;
  }
  const { rankings, format } = await decodeRun(await readOperand(operand), operand);
  if (!quiet) note(`${operand}: ${format}`);
  return rankings;
}

/** Measures as asked for, each once. */
export function measuresFrom(names: readonly string[]): readonly Measure[] {
  return [...new Map(names.map(parseMeasure).map((measure) => [measure.name, measure])).values()];
}
