import { type Json, prettyJson } from '../../../core/canonical.js';
import { digestOf } from '../../../core/digest.js';
import { folderName } from '../../../core/ids.js';
import { noArgument } from '../../../core/registry.js';
import { binaryJudgements, type Placed, placeOf, topRankings } from './hakari-rankings.js';
import { meansOf, reaches } from './reach.js';
import type { ExportedFile, ResultsFormat, ResultsRequest, ScoredRun } from './types.js';

/**
 * HAKARI-Bench's result file (hakari_bench/results.py at 217c872), as far as a run knows its facts. Its measures see grades
 * above 0 as 1. `hybrid > MODEL@N` becomes a candidate list of MODEL, any other system a model by its whole name.
 */
export const hakari: ResultsFormat = {
  name: 'hakari',
  summary: 'HAKARI-Bench result JSON with top rankings, one file for each task; grades above 0 count as 1, as there',
  bind: (argument) => {
    noArgument('hakari', argument);
    return ({ runs }: ResultsRequest) => runs.map(fileOf);
  },
};

function fileOf(scored: ScoredRun): ExportedFile {
  const { suite, task } = scored.manifest;
  const placed = placeOf(scored.run.system);
  const path = `${folderName(placed.model)}/${suite}/${task}${placed.pool === null ? '' : `.${placed.pool.name}`}.json`;
  return { path, text: prettyJson(fileJson(scored, placed)) };
}

function fileJson(scored: ScoredRun, placed: Placed): Json {
  const { run, manifest } = scored;
  const facts = {
    model: modelOf(scored, placed),
    target: targetOf(manifest),
    config: {
      primary_metric: primary,
      candidate_ranking: placed.pool === null ? null : 'reranking_hybrid',
      rerank_top_k: placed.pool?.depth ?? null,
    },
    environment: {
      platform: run.conditions.platform ?? null,
      package_versions: { tenbin: run.conditions.tenbin ?? null, node: run.conditions.node ?? null },
    },
  };
  const judged = binaryJudgements(scored.judged);
  const means = meansOf(scored, namesFor(scored), judged);
  const metrics = Object.fromEntries(
    means.map(([name, value]) => [`${manifest.suite}_${manifest.task}_${placed.scoreName}_${name}`, value]),
  );
  const ofPool = placed.pool !== null;
  return {
    generated_at_utc: null,
    ...facts,
    evaluation: evaluationOf(scored, placed, new Map(means).get(primary) ?? null),
    metrics: ofPool ? {} : metrics,
    rerank_metrics: ofPool ? metrics : {},
    artifacts: {
      top_rankings: { ...topRankings(run.rankings, judged, placed), model: facts.model, target: facts.target },
    },
    experiment_manifest: { schema_version: 2, fingerprint_sha256: digestOf(facts) },
  };
}

const primary = 'ndcg@10';

/** Names of its warehouse (docs/leaderboard_metrics.md) → ours; its MAP divides by min(R, k). */
const names: readonly (readonly [theirs: string, ours: string, cutoff: number])[] = [
  ['ndcg@10', 'nDCG@10', 10],
  ['ndcg@100', 'nDCG@100', 100],
  ['recall@10', 'R@10', 10],
  ['recall@100', 'R@100', 100],
  ['acc@1', 'Success@1', 1],
  ['acc@10', 'Success@10', 10],
  ['acc@100', 'Success@100', 100],
  ['mrr@10', 'RR@10', 10],
  ['map@100', "AP(norm='min')@100", 100],
];

function namesFor(scored: ScoredRun): ReadonlyMap<string, string> {
  return new Map(names.flatMap(([theirs, ours, k]) => (reaches(scored, k) ? [[theirs, ours] as const] : [])));
}

function modelOf({ run }: ScoredRun, { model }: Placed): Json {
  const revision = run.conditions['model.content.revision'] ?? null;
  return {
    id: model,
    method: run.family === 'lexical' ? 'bm25' : run.family,
    source: { type: 'tenbin', name: model, revision },
    dtype: run.conditions['model.dtype'] ?? null,
    backend_library: 'tenbin',
  };
}

function targetOf({ suite, task, digest }: ScoredRun['manifest']): Json {
  return {
    dataset_name: suite,
    dataset_id: suite,
    dataset_revision: { requested: null, resolved: digest, source: 'tenbin/nano@1', error: null },
    split_name: task,
    task_name: task,
    corpus_config: 'corpus',
    queries_config: 'queries',
    qrels_config: 'qrels',
  };
}

function evaluationOf({ judged }: ScoredRun, { pool, scoreName }: Placed, value: number | null): Json {
  const scored = {
    aggregate_metric: primary,
    aggregate_metric_value: value,
    best_score: value,
    best_distance: null,
    best_score_name: scoreName,
  };
  const base = { name: 'base', transform: { type: 'identity', algorithm: 'none', parameters: {} }, ...scored };
  const coverage = { query_count: judged.size };
  const reranked = { source: 'dataset_candidate_subset', status: 'available', candidate_coverage: coverage, ...scored };
  return {
    aggregate_metric: primary,
    aggregate_metric_value: pool === null ? value : null,
    embedding_conversion: { query: { text_count: judged.size } },
    embedding_evaluations: pool === null ? [base] : [],
    rerank_aggregate_metric_value: pool === null ? null : value,
    reranking_evaluations: pool === null ? [] : [{ name: pool.name, rerank_top_n: pool.depth, ...reranked }],
  };
}
