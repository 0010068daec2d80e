import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildTask } from '../../builders/build.js';
import { type TaskId, taskId } from '../../core/ids.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { pairSides } from '../../results/pair.js';
import type { Paired } from '../../results/sides.js';
import { catalogFrom, resolveModels } from '../../runners/backends/resolve/index.js';
import { defaultRuntimeSettings, runtimeFor } from '../../runners/backends/runtime.js';
import { parseSystem } from '../../runners/grammar.js';
import { planRuns } from '../../runners/plan.js';
import { defaultRunOptions } from '../../runners/run.js';
import { runTask } from '../../runners/run-task.js';
import { rootSides } from '../../scripts/sides/root-side.js';
import { taskSpecs } from '../../tasks/specs/index.js';
import { readManifest } from '../../tasks/store.js';

const embedded = join(import.meta.dirname, '../../runners/models/embedded/dense-tiny');
const tasks = ['embedded-code/jsfn-lodash', 'embedded-code/jsfn-mathjs'].map(taskId);

/**
 * dense-tiny and a copy of it that reads 16 tokens of each text, run over 400 queries for function documentation, which
 * is longer than that.
 */
export async function wholeAndCut(root: string): Promise<Paired> {
  const models = join(root, 'models');
  for (const name of ['whole', 'cut']) cpSync(embedded, join(models, name), { recursive: true });
  writeFileSync(join(models, 'cut/sentence_bert_config.json'), '{"max_seq_length": 16, "do_lower_case": false}');
  for (const task of tasks) await buildAndRun(root, task, { TENBIN_MODELS: models });
  const measures = ['nDCG@10', 'RR@10', 'R@100', 'Success@5'].map(parseMeasure);
  const systems = ['whole', 'cut'];
  const [whole, cut] = await rootSides({ root, systems, tasks: [], by: [], named: new Map() }, measures, true);
  return pairSides(whole, cut);
}

async function buildAndRun(root: string, task: TaskId, environment: Readonly<Record<string, string>>): Promise<void> {
  const spec = taskSpecs.find(({ id }) => id === task);
  if (spec === undefined) throw new Error(`There is no spec of ${task}.`);
  const built = await buildTask({ root, task: spec });
  const manifest = await readManifest(root, task);
  if (manifest === null) throw new Error(built.error);
  const settings = { ...defaultRuntimeSettings, root };
  const { access, runtime, close } = runtimeFor(settings, environment, { onNote: () => undefined });
  const { catalog } = await catalogFrom(await resolveModels(['whole', 'cut'], access), access);
  const systems = ['whole', 'cut'].map((text) => parseSystem(text, catalog));
  const runs = await planRuns({ root, manifests: [manifest], systems, options: defaultRunOptions });
  const context = { clock: () => 0, onOutcome: () => undefined, catalog, runtime };
  await runTask({ root, task, runs, options: defaultRunOptions }, context);
  await close();
}
