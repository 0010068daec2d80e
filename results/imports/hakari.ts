import { z } from 'zod';
import { TenbinError } from '../../core/errors.js';
import { docId, type QueryId, queryId } from '../../core/ids.js';
import type { Ranking } from '../../tasks/types.js';
import { twice } from '../readers/faults.js';
import type { Rankings } from '../readers/index.js';
import { gather } from './gather.js';
import { type Evaluation, evaluationsOf, type HakariFile, parseHakari } from './hakari-evaluations.js';
import { familyOfMethod, hakariCounterpart, taskOfTarget } from './hakari-names.js';
import type { ForeignResults, ForeignRun, ForeignSystem } from './types.js';

export function isHakari(json: object): boolean {
  return ['model', 'target', 'evaluation'].every((key) => Object.hasOwn(json, key));
}

/** One result for each variant and candidate list: `m`, `m+int8`, `hybrid > m@101`. */
export function decodeHakari(json: object, where: string, renamed: ReadonlyMap<string, string>): ForeignResults[] {
  const file = parseHakari(json, where);
  return evaluationsOf(file).map((one): ForeignResults => {
    const system = systemOf(file, one);
    const at = `${where}: ${system.before}${system.model}${system.after}`;
    const { measures, notes } = gather(one.entries, { where: at, counterpart: hakariCounterpart, renamed, n: one.n });
    return { ...system, part: null, measures, notes: [...notes, ...one.notes, ...definitions] };
  });
}

/** metrics.py (217c872): gains are 0 and 1, and equal scores stand in the order of the document ids. */
const definitions = ['HAKARI-Bench counts every relevant document as grade 1 and orders ties by document id'];

function systemOf(file: HakariFile, { before, after }: Pick<Evaluation, 'before' | 'after'>): ForeignSystem {
  const task = taskOfTarget(file.target.dataset_name, file.target.task_name);
  return { model: file.model.id, before, after, task, family: familyOfMethod(file.model.method) };
}

const rowSchema = z.looseObject({
  ranking_kind: z.string().nullable(),
  score_name: z.string().nullable(),
  query_id: z.string(),
  corpus_ids: z.array(z.string()),
});
const artifactsSchema = z.looseObject({
  artifacts: z.looseObject({
    top_rankings: z.looseObject({ top_k: z.number().int().positive(), rankings: z.array(rowSchema).min(1) }),
  }),
});

/** `artifacts.top_rankings`: ids in order without scores, so the scores are minus the rank. */
export function decodeHakariRankings(json: object, where: string): ForeignRun[] {
  const file = parseHakari(json, where);
  const parsed = artifactsSchema.safeParse(json);
  if (!parsed.success) throw noRankings(where);
  const { top_k: depth, rankings: rows } = parsed.data.artifacts.top_rankings;
  const runs = evaluationsOf(file).flatMap((one): ForeignRun[] => {
    const own = rows.filter((row) => row.ranking_kind === one.kind && row.score_name === one.scoreName);
    if (own.length === 0) return [];
    const at = `${where}: top_rankings of ${one.scoreName}`;
    return [{ ...systemOf(file, one), rankings: rankingsIn(own, at), depth, scores: 'ranks' }];
  });
  if (runs.length > 0) return runs;
  throw noRankings(where);
}

function rankingsIn(rows: readonly z.infer<typeof rowSchema>[], where: string): Rankings {
  const rankings = new Map<QueryId, Ranking>();
  for (const { query_id, corpus_ids: ids } of rows) {
    const query = queryId(query_id);
    if (rankings.has(query)) throw queryTwice(query, where);
    const seen = new Set<string>();
    const again = ids.find((id) => seen.size === seen.add(id).size);
    if (again !== undefined) throw twice(query, again, where);
    rankings.set(query, { docs: ids.map(docId), scores: ids.map((_, i) => -(i + 1)) });
  }
  return rankings;
}

function queryTwice(query: string, where: string): TenbinError {
  return new TenbinError('malformed', {
    what: 'A query has two lists of one system',
    value: `${where}: \`${query}\``,
    fix: 'Fetch the file again.',
  });
}

function noRankings(where: string): TenbinError {
  return new TenbinError('missing', {
    what: 'This file of HAKARI-Bench holds no rankings',
    value: where,
    fix: 'Import its measures without `--rankings`, or fetch a file with `artifacts.top_rankings`.',
  });
}
