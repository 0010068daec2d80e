import { type Json, prettyJson } from '../../../core/canonical.js';
import { folderName } from '../../../core/ids.js';
import { noArgument } from '../../../core/registry.js';
import { mtebNames } from '../../imports/mteb-names.js';
import { meansOf, reaches } from './reach.js';
import type { ExportedFile, ResultsFormat, ResultsRequest, ScoredRun } from './types.js';

/**
 * MTEB's layout, `results/<model>/<revision>/<task>.json` with `model_meta.json` beside. A task is named `suite__task`, as
 * a slash would be a folder; our sets have no split and no subset: `test` and `default` stand for them.
 */
export const mteb: ResultsFormat = {
  name: 'mteb',
  summary: 'MTEB task results, one JSON for each task, and model_meta.json; all means at full precision',
  bind: (argument) => {
    noArgument('mteb', argument);
    return filesOf;
  },
};

function filesOf({ runs }: ResultsRequest): ExportedFile[] {
  const [{ run }] = runs;
  const revision = revisionOf(runs);
  const folder = `results/${folderName(run.system)}/${revision === null ? noRevision : folderName(revision)}`;
  const tasks = runs.map((scored): ExportedFile => {
    const name = `${scored.manifest.suite}__${scored.manifest.task}`;
    return { path: `${folder}/${name}.json`, text: prettyJson(taskResult(name, scored)) };
  });
  return [...tasks, { path: `${folder}/model_meta.json`, text: prettyJson(modelMeta(run.system, revision)) }];
}

/** MTEB's own word for it. */
const noRevision = 'no_revision_available';

/** The commit that all runs were made at, where one is known: a pipeline of several models has none. */
function revisionOf(runs: readonly ScoredRun[]): string | null {
  const known = new Set(runs.map(({ run }) => run.conditions['model.content.revision'] ?? null));
  const [revision] = known;
  return known.size === 1 && typeof revision === 'string' ? revision : null;
}

/** Fields of TaskResult; null is what MTEB writes for what is not known. */
function taskResult(name: string, scored: ScoredRun): Json {
  const scores = Object.fromEntries(meansOf(scored, namesFor(scored), scored.judged));
  const { language, digest } = scored.manifest;
  return {
    dataset_revision: digest,
    task_name: name,
    mteb_version: null,
    scores: {
      test: [{ ...scores, main_score: scores.ndcg_at_10 ?? null, hf_subset: 'default', languages: [language] }],
    },
    evaluation_time: null,
    kg_co2_emissions: null,
    date: null,
  };
}

const cutoffs = [1, 3, 5, 10, 20, 100, 1000];

function namesFor(scored: ScoredRun): ReadonlyMap<string, string> {
  const reached = cutoffs.filter((k) => reaches(scored, k));
  const all = [...mtebNames].flatMap(([theirs, ours]) =>
    reached.map((k) => [`${theirs}_at_${k}`, `${ours}@${k}`] as const),
  );
  return new Map(all);
}

/** Only what a run says of its model; MTEB reads null as not known. */
function modelMeta(system: string, revision: string | null): Json {
  return {
    name: system,
    revision,
    release_date: null,
    languages: null,
    n_parameters: null,
    memory_usage_mb: null,
    max_tokens: null,
    embed_dim: null,
    license: null,
    open_weights: null,
    public_training_code: null,
    public_training_data: null,
    framework: [],
    similarity_fn_name: null,
    use_instructions: null,
    training_datasets: null,
  };
}
