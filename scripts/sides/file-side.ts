import { basename } from 'node:path';
import { digestOf } from '../../core/digest.js';
import { scoreRun } from '../../results/score.js';
import type { Side } from '../../results/sides.js';
import type { Measure } from '../../results/types.js';
import type { Judgements } from '../../tasks/types.js';
import { note } from '../output.js';
import { readJudgements, readRankings } from '../read-runs.js';

export interface Reading {
  /** Root of runs of ours. */
  readonly out: string;
  readonly quiet?: boolean;
}

interface RunFile {
  readonly run: string;
  readonly qrels: string;
  /** Slices of the user's, by query. */
  readonly named: ReadonlyMap<string, readonly string[]>;
}

/**
 * A run file, or a run of ours, against a qrels file, which is its one task: all topics count, missing ones with 0. A run
 * that has none of the topics has no task.
 */
export async function fileSide(
  { run, qrels, named }: RunFile,
  measures: readonly Measure[],
  reading: Reading,
): Promise<Side> {
  const judged = await readJudgements(qrels, reading);
  const { queries, missing, unjudged, values } = scoreRun({
    rankings: await readRankings(run, reading),
    judged,
    measures,
    run,
  });
  const say = (line: string) => reading.quiet || note(`${run}: ${line}`);
  if (missing.length > 0 && missing.length < judged.size)
    say(`${missing.length} of ${judged.size} topics are missing and count with 0`);
  if (unjudged.length > 0) say(`${unjudged.length} queries are in no qrels and count nowhere`);
  const task = {
    id: basename(qrels),
    slices: [],
    digest: judgementsDigest(judged),
    queries: queries.map((id) => ({ id, text: null, slices: named.get(id) ?? [] })),
    values,
    costs: new Map<string, number>(),
  };
  const side = { label: run, unit: 'query', decimals: null } as const;
  if (missing.length < judged.size) return { ...side, tasks: [task] };
  return { ...side, tasks: [], lacks: `${run} has none of the topics of ${qrels}` };
}

/** Of the grades, whatever the order of the file. */
function judgementsDigest(judged: Judgements): string {
  return digestOf(Object.fromEntries([...judged].map(([query, grades]) => [query, Object.fromEntries(grades)])));
}
