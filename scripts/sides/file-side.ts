import { TenbinError } from '../core/errors.js';
import type { QueryId } from '../core/ids.js';
import type { CompareRequest } from '../results/compare.js';
import { type ScoreRequest, scoreRun } from '../results/score.js';
import type { Measure } from '../results/types.js';
import { note } from './output.js';
import { readOperand } from './read-input.js';
import { readJudgements, readRankings } from './read-runs.js';

type Sides = Omit<CompareRequest, 'options'>;

interface Files {
  readonly qrels: string;
  readonly base: string;
  readonly candidate: string;
  /** A tsv of the user's: query id, slice. */
  readonly slices?: string;
}

/** Two run files, or runs of ours, against one qrels file: all topics count, missing ones with 0. */
export async function comparedFiles(
  { qrels, base, candidate, slices }: Files,
  measures: readonly Measure[],
  reading: { readonly out: string; readonly quiet?: boolean },
): Promise<Sides> {
  const judged = await readJudgements(qrels, reading);
  const named = slices === undefined ? new Map<string, readonly string[]>() : await readSlices(slices);
  const score = async (run: string) => {
    const request: ScoreRequest = { rankings: await readRankings(run, reading), judged, measures, run };
    const scores = scoreRun(request);
    const { missing, unjudged } = scores;
    if (!reading.quiet && missing.length > 0)
      note(`${run}: ${missing.length} of ${judged.size} topics are missing and count with 0`);
    if (!reading.quiet && unjudged.length > 0)
      note(`${run}: ${unjudged.length} queries are in no qrels and count nowhere`);
    return scores;
  };
  const [ofBase, ofCandidate] = [await score(base), await score(candidate)];
  const queries = ofBase.queries.map((id: QueryId) => ({ id, text: null, task: null, slices: named.get(id) ?? [] }));
  return { queries, base: ofBase.values, candidate: ofCandidate.values };
}

/** Lines `query-id<TAB>slice`; a query may be in several. */
export async function readSlices(path: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const lines = new TextDecoder().decode(await readOperand(path)).split(/\r?\n/);
  const slices = new Map<string, string[]>();
  for (const [i, line] of lines.entries()) {
    if (line === '') continue;
    const [query, slice, ...more] = line.split('\t');
    if (query === '' || slice === undefined || slice === '' || more.length > 0) throw wrongLine(path, i + 1);
    const known = slices.get(query) ?? [];
    slices.set(query, known.includes(slice) ? known : [...known, slice]);
  }
  return slices;
}

function wrongLine(path: string, line: number): TenbinError {
  return new TenbinError('malformed', {
    what: 'A line of slices is a query id, a tab and the name of a slice',
    value: `${path}, line ${line}`,
    fix: 'Write for example `q12<TAB>long-tail`.',
  });
}
