import { TenbinError } from '../core/errors.js';
import { splitTaskId } from '../core/ids.js';
import { byCodePoint } from '../core/order.js';
import { deepestCutoff } from '../results/cutoff.js';
import { meansOnly } from '../results/measures/means-only.js';
import { parseMeasure } from '../results/measures/parse.js';
import { type Scores, scoreRun } from '../results/score.js';
import type { Measure } from '../results/types.js';
import { preparedDense } from '../runners/families/dense.js';
import type { System } from '../runners/grammar.js';
import { rankAll } from '../runners/rank.js';
import { defaultRunOptions } from '../runners/run.js';
import { bindSearcher } from '../runners/searcher.js';
import type { DenseEncoding, Variant } from '../runners/system.js';
import { variants } from '../runners/variants/index.js';
import type { NanoSet } from '../tasks/types.js';
import { type Trial, trialOf } from './trial.js';
import type { Embed, NanoEvaluator, NanoEvaluatorOptions, NanoScore, NanoTaskScore } from './types.js';
import { embedAll } from './vectors.js';

const defaultMeasures = ['nDCG@10', 'AP@10'];
const defaultBatch = 32;

/** What is the same in every evaluation. */
interface Plan {
  readonly trials: readonly Trial[];
  readonly measures: readonly Measure[];
  readonly variants: readonly Variant[];
  readonly similarity: DenseEncoding['similarity'];
  readonly batchSize: number;
  readonly prompts: { readonly query: string; readonly document: string };
}

/**
 * Scores a model during training, by exact search over the vectors that it gives now: the numbers are those of a board
 * that has these vectors as a system. Throws `usage` or `unknown-name` for options, `refused` for nano-sets that do not fit.
 */
export function nanoEvaluator(nano: NanoSet | readonly NanoSet[], options: NanoEvaluatorOptions = {}): NanoEvaluator {
  const plan = planOf('manifest' in nano ? [nano] : nano, options);
  return { primary: plan.measures[0].name, evaluate: (embed) => evaluate(embed, plan) };
}

function planOf(sets: readonly NanoSet[], options: NanoEvaluatorOptions): Plan {
  const { measures = defaultMeasures, batchSize = defaultBatch, truncate, queries } = options;
  const named = new Map(measures.map(parseMeasure).map((measure) => [measure.name, measure]));
  if (named.size === 0) throw usage('An evaluator needs a measure', 'none', 'Leave `measures` out, or name one.');
  checkCount('batchSize', batchSize);
  if (queries !== undefined) checkCount('queries.limit', queries.limit);
  return {
    trials: inBoardOrder(sets).map((nano) => trialOf(nano, options)),
    measures: meansOnly([...named.values()]),
    variants: truncate === undefined ? [] : [variants.bind(`truncate@${truncate}`)],
    similarity: options.similarity ?? 'cosine',
    batchSize,
    prompts: { query: options.queryPrompt ?? '', document: options.documentPrompt ?? '' },
  };
}

/** Suite after suite, so that the mean is added up as a board adds it, digit for digit. */
function inBoardOrder(sets: readonly NanoSet[]): readonly NanoSet[] {
  if (sets.length === 0) throw usage('An evaluator needs a nano-set', 'none', 'Read one with `readNanoSet`.');
  const ids = sets.map(({ task }) => task);
  const twice = ids.find((id, i) => ids.indexOf(id) < i);
  if (twice !== undefined) throw usage('A nano-set is there twice', twice, 'Give each task once.');
  return [...sets].sort(
    (a, b) => byCodePoint(splitTaskId(a.task).suite, splitTaskId(b.task).suite) || byCodePoint(a.task, b.task),
  );
}

async function evaluate(embed: Embed, plan: Plan): Promise<NanoScore> {
  const scored: (readonly [string, NanoTaskScore])[] = [];
  let dims: number | null = null;
  for (const trial of plan.trials) {
    const encoding: DenseEncoding = await encodingOf(embed, trial, plan, dims);
    dims = encoding.dims;
    scored.push([trial.task, taskScore(trial, await scoresOf(encoding, trial, plan))]);
  }
  const tasks = scored.map(([, score]) => score);
  const mean = Object.fromEntries(
    plan.measures.map(({ name }) => [name, tasks.reduce((sum, task) => sum + task.mean[name], 0) / tasks.length]),
  );
  return {
    score: mean[plan.measures[0].name],
    mean,
    perTask: Object.fromEntries(scored),
    queries: tasks.reduce((sum, { queries }) => sum + queries, 0),
    docs: tasks.reduce((sum, { docs }) => sum + docs, 0),
  };
}

async function encodingOf(embed: Embed, trial: Trial, plan: Plan, dims: number | null): Promise<DenseEncoding> {
  const { batchSize, prompts, similarity } = plan;
  const asked = (kind: 'query' | 'document', items: Trial['docs'] | Trial['queries']) => ({
    ...{ kind, task: trial.task, batchSize },
    ids: items.map(({ id }) => id),
    texts: items.map(({ text }) => prompts[kind] + text),
  });
  const docs = await embedAll(embed, asked('document', trial.docs), dims);
  const queries = await embedAll(embed, asked('query', trial.queries), docs.dims);
  return { kind: 'dense', dims: docs.dims, similarity, docs: docs.rows, queries: queries.rows };
}

const model = { kind: 'custom', family: 'dense', id: 'embed', summary: 'a model in training', identity: null } as const;

/** The way of every system: prepared by its family, changed by variants, asked query by query. */
async function scoresOf(encoding: DenseEncoding, trial: Trial, { measures, ...plan }: Plan): Promise<Scores> {
  const output = { encoding, encodeWork: {}, modelBytes: 0, conditions: {} };
  const system: System = {
    kind: 'model',
    id: [model.id, ...plan.variants.map(({ id }) => id)].join('+'),
    model: { ...model, prepare: (texts) => preparedDense(output, texts, model.id) },
    variants: plan.variants,
  };
  const arena = { ...trial.arena, prepared: new Map() };
  const { rankings } = await rankAll({
    ...{ nano: trial, arena, system: system.id },
    searcher: await bindSearcher(system, arena),
    depth: Math.max(defaultRunOptions.depth, deepestCutoff(measures.map(({ name }) => name))),
    clock: () => 0,
  });
  return scoreRun({ rankings, judged: trial.judged, measures, run: trial.task });
}

function taskScore({ docs, queries }: Trial, { queries: topics, values, totals }: Scores): NanoTaskScore {
  const columns = [...values];
  return {
    mean: Object.fromEntries([...totals].map(([name, total]) => [name, total?.expected ?? 0])),
    perQuery: Object.fromEntries(
      topics.map((id, row) => [id, Object.fromEntries(columns.map(([name, { expected }]) => [name, expected[row]]))]),
    ),
    queries: queries.length,
    docs: docs.length,
  };
}

function checkCount(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  throw usage(`\`${name}\` is a whole number from 1`, String(value), 'Leave it out for the default.');
}

function usage(what: string, value: string, fix: string): TenbinError {
  return new TenbinError('usage', { what, value, fix });
}
