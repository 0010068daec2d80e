import { z } from 'zod';
import { TenbinError } from '../../core/errors.js';
import type { Entry } from './gather.js';
import { candidatesText, variantText } from './hakari-names.js';

const nullableNumber = z.number().nullable().optional();
const nullableText = z.string().nullable().optional();
const metrics = z.record(z.string(), z.number().nullable()).optional();
const step = z.looseObject({ type: z.string(), parameters: z.record(z.string(), z.unknown()).optional() });
const scored = {
  name: z.string(),
  aggregate_metric: nullableText,
  aggregate_metric_value: nullableNumber,
  best_score_name: nullableText,
  distance_evaluations: z.array(z.looseObject({ distance: nullableText })).optional(),
};
const reranking = z.looseObject({
  ...scored,
  status: nullableText,
  reason: nullableText,
  metrics,
  candidate_coverage: z.looseObject({ query_count: nullableNumber }).nullable().optional(),
});
const embedding = z.looseObject({
  ...scored,
  transform: z.looseObject({ steps: z.array(step).optional() }).optional(),
  reranking_evaluation: reranking.nullable().optional(),
});

/** A result file of HAKARI-Bench (hakari_bench/results.py at 217c872), as far as it is read. */
const schema = z.looseObject({
  model: z.looseObject({ id: z.string(), method: z.string() }),
  target: z.looseObject({ dataset_name: nullableText, task_name: z.string() }),
  evaluation: z.looseObject({
    aggregate_metric: nullableText,
    aggregate_metric_value: nullableNumber,
    embedding_conversion: z
      .looseObject({ query: z.looseObject({ text_count: nullableNumber }).optional() })
      .nullable()
      .optional(),
    embedding_evaluations: z.array(embedding).optional(),
    reranking_evaluations: z.array(reranking).optional(),
  }),
  metrics,
  rerank_metrics: metrics,
});

export type HakariFile = z.infer<typeof schema>;
type Reranking = z.infer<typeof reranking>;
type Embedding = z.infer<typeof embedding>;
type Scored = Pick<
  Reranking,
  'aggregate_metric' | 'aggregate_metric_value' | 'best_score_name' | 'distance_evaluations'
>;

/** One list of numbers of the file: the whole corpus or a candidate list, by the model or by a variant of it. */
export interface Evaluation {
  readonly kind: 'retrieval' | 'candidate_rerank';
  readonly before: string;
  readonly after: string;
  /** By which its rows of `top_rankings` are known. */
  readonly scoreName: string | null;
  readonly entries: readonly Entry[];
  readonly n: number | null;
  readonly notes: readonly string[];
}

export function parseHakari(json: object, where: string): HakariFile {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new TenbinError('malformed', {
    what: `This is not a result file of HAKARI-Bench (${z.prettifyError(parsed.error).split('\n').slice(0, 2).join(' ')})`,
    value: where,
    fix: 'Check that the file is whole.',
  });
}

/** Every evaluation of the file, each under a name of its own. */
export function evaluationsOf(file: HakariFile): Evaluation[] {
  const { embedding_evaluations: variants = [], reranking_evaluations: rerankings = [] } = file.evaluation;
  const texts = variantTexts(variants);
  const ofVariants = variants.flatMap((variant, i) => {
    const after = texts[i];
    // The list at the top repeats the base's own.
    const own = variant.reranking_evaluation ?? null;
    const reranked = i === 0 && rerankings.length > 0 ? rerankings : own === null ? [] : [own];
    return [retrieved(file, variant, after), ...reranked.map((one) => candidates(file, one, after))];
  });
  if (variants.length > 0) return ofVariants;
  const measured = file.model.method !== 'reranker' && Object.keys(file.metrics ?? {}).length > 0;
  return [...(measured ? [single(file)] : []), ...rerankings.map((one) => candidates(file, one, ''))];
}

function retrieved(file: HakariFile, variant: Scored, after: string): Evaluation {
  const entries = [...group(file, file.metrics, variant.best_score_name), ...primary(variant)];
  const notes = bestOf(variant);
  return {
    kind: 'retrieval',
    before: '',
    after,
    scoreName: variant.best_score_name ?? null,
    entries,
    n: queriesOf(file),
    notes,
  };
}

function candidates(file: HakariFile, one: Reranking, variant: string): Evaluation {
  const { before, after } = candidatesText(one.name);
  const skipped = one.status === 'skipped' ? [`${one.name} was skipped: ${one.reason ?? 'no reason given'}`] : [];
  return {
    kind: 'candidate_rerank',
    before,
    after: `${variant}${after}`,
    scoreName: one.best_score_name ?? null,
    entries: [
      ...group(file, file.rerank_metrics, one.best_score_name),
      ...group(file, one.metrics, one.best_score_name),
      ...primary(one),
    ],
    n: one.candidate_coverage?.query_count ?? queriesOf(file),
    notes: [...bestOf(one), ...skipped],
  };
}

/** Methods without embeddings (BM25) have one list of metrics. */
function single(file: HakariFile): Evaluation {
  const prefix = prefixOf(file);
  const [first = ''] = Object.keys(file.metrics ?? {});
  const scoreName = first.startsWith(prefix) ? first.slice(prefix.length, first.lastIndexOf('_')) : null;
  const entries = [...group(file, file.metrics, scoreName), ...primary(file.evaluation)];
  return { kind: 'retrieval', before: '', after: '', scoreName, entries, n: queriesOf(file), notes: [] };
}

/** Keys are `{evaluator}_{score name}_{metric}`, and the evaluator is `{dataset}_{task}`. */
function group(file: HakariFile, all: HakariFile['metrics'], scoreName: string | null | undefined): Entry[] {
  if (scoreName === null || scoreName === undefined) return [];
  const prefix = `${prefixOf(file)}${scoreName}_`;
  return Object.entries(all ?? {}).flatMap(([key, value]): Entry[] => {
    const name = key.slice(prefix.length);
    return key.startsWith(prefix) && !name.includes('_') ? [[name, value]] : [];
  });
}

function prefixOf({ target }: HakariFile): string {
  return `${target.dataset_name ?? ''}_${target.task_name}_`;
}

function primary({ aggregate_metric: name, aggregate_metric_value: value }: Scored): Entry[] {
  return typeof name === 'string' && value !== undefined ? [[name, value]] : [];
}

function queriesOf({ evaluation }: HakariFile): number | null {
  return evaluation.embedding_conversion?.query?.text_count ?? null;
}

function bestOf({ distance_evaluations: tried = [], best_score_name: best }: Scored): string[] {
  if (tried.length < 2) return [];
  const names = tried.map(({ distance }) => distance ?? '?').join(' and ');
  return [`the better of ${names} on these queries: ${best ?? '?'}`];
}

/** Steps that our words do not tell apart (normalized or not) would leave two evaluations of one name: HAKARI's name then. */
function variantTexts(variants: readonly Embedding[]): string[] {
  const seen = new Set<string>();
  return variants.map(({ name, transform }) => {
    const text = variantText({ name, steps: transform?.steps ?? [] });
    const own = seen.has(text) ? `+${name}` : text;
    seen.add(own);
    return own;
  });
}
