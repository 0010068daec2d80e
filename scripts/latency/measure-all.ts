import { reasonOf, TenbinError } from '../../core/errors.js';
import { taskId } from '../../core/ids.js';
import { unknownName } from '../../core/suggest.js';
import type { LatencyRecord, Measured } from '../../results/latency/samples.js';
import { runtimeFor } from '../../runners/backends/runtime.js';
import { modelsOf, parseSystem, type System } from '../../runners/grammar.js';
import { readNanoSet } from '../../tasks/store.js';
import type { NanoSet } from '../../tasks/types.js';
import { readCatalog } from '../catalog.js';
import { fetchModels, lookUp } from '../look-up.js';
import { runtimeSettings } from '../model-options.js';
import { note } from '../output.js';
import { startProgress } from '../progress.js';
import { clockResolutionMs } from './clock.js';
import { startConditions } from './conditions.js';
import { type MeasurePlan, measurePaired, measureSystem } from './measure.js';
import { type OpenedSystem, openSystem } from './open-system.js';
import { type LatencyOptions, measuredSystems, requiredTask } from './options.js';
import { stopOnInterrupt } from './stop.js';

/** Measures what the command line names. A system that cannot be measured is told with its reason, and the others go on. */
export async function measureAll(options: LatencyOptions): Promise<LatencyRecord> {
  const { texts, inTurns } = measuredSystems(options);
  const nano = await builtTask(options.out, requiredTask(options));
  // One process, one session at work: it gets the whole processor unless told otherwise.
  const all = runtimeSettings({ ...options, jobs: 1 });
  const settings = { ...all, threads: options.threads ?? all.threads };
  const models = await lookUp(texts, settings, options.quiet);
  const systems = distinct(texts.map((text) => parseSystem(text, models.catalog)));
  if (inTurns && systems.length < 2) throw sameTwice(options.paired ?? '');
  await fetchModels(models, new Set(systems.flatMap((system) => modelsOf(system).map(({ id }) => id))), options.quiet);
  const stop = stopOnInterrupt(() => note('stopping: what was measured so far is kept'));
  const { plan, stopProgress } = planOf(options, systems.length, stop.isStopped);
  const conditions = startConditions({
    plan,
    depth: options.depth,
    device: settings.device,
    threads: settings.threads,
    timeoutMs: options.timeoutMs ?? null,
    nano,
  });
  const resolutionMs = clockResolutionMs();
  const runtime = runtimeFor(settings, process.env, { onNote: options.quiet ? () => undefined : note });
  const open = (system: System) => openSystem({ nano, system, depth: options.depth, seed: options.seed, runtime });
  try {
    const outcome = inTurns ? await measureInTurns(systems, open, plan) : await measureEach(systems, open, plan);
    return {
      schema: 'tenbin/latency@1',
      task: nano.task,
      resolutionMs,
      seed: options.seed,
      ...outcome,
      conditions: conditions.end(),
    };
  } finally {
    stopProgress();
    stop.release();
  }
}

type Open = (system: System) => Promise<OpenedSystem>;
type Outcome = Pick<LatencyRecord, 'measured' | 'refused' | 'paired'>;

async function measureEach(systems: readonly System[], open: Open, plan: MeasurePlan): Promise<Outcome> {
  const measured: Measured[] = [];
  const refused: { system: string; reason: string }[] = [];
  for (const system of systems) {
    if (plan.isStopped()) break;
    try {
      const opened = await open(system);
      measured.push(...(await measureSystem(opened, plan).finally(opened.close)));
    } catch (error) {
      refused.push({ system: system.id, reason: reasonOf(error) });
    }
  }
  return { measured, refused, paired: null };
}

/** Nothing can be said of two systems when one of them cannot be measured, so its error is the command's. */
async function measureInTurns([a, b]: readonly System[], open: Open, plan: MeasurePlan): Promise<Outcome> {
  const first = await open(a);
  try {
    const second = await open(b);
    const measured = await measurePaired([first, second], plan).finally(second.close);
    return { measured: [...measured], refused: [], paired: { a: a.id, b: b.id } };
  } finally {
    await first.close();
  }
}

function planOf(options: LatencyOptions, systems: number, isStopped: () => boolean) {
  const { concurrency = [1], warmup, requests, rate = null, slots = null, seed, quiet } = options;
  const perSystem = rate === null ? concurrency.length : 1;
  const progress = startProgress('latency', systems * perSystem * (warmup + requests), quiet);
  const plan: MeasurePlan = {
    concurrencies: concurrency,
    warmup,
    requests,
    ratePerSecond: rate,
    slots,
    seed,
    isStopped,
    onAnswer: progress.tick,
  };
  return { plan, stopProgress: progress.stop };
}

async function builtTask(root: string, text: string): Promise<NanoSet> {
  const id = taskId(text);
  const catalog = await readCatalog(root);
  const entry = catalog.find((one) => one.id === id);
  if (entry !== undefined) return readNanoSet(root, id);
  throw unknownName(
    'task',
    id,
    catalog.map((one) => one.id),
    'tenbin tasks',
  );
}

function distinct(systems: readonly System[]): readonly System[] {
  return [...new Map(systems.map((system) => [system.id, system])).values()];
}

function sameTwice(value: string): TenbinError {
  return new TenbinError('usage', {
    what: '--paired takes two different systems',
    value,
    fix: 'A system beside itself takes as long as itself.',
  });
}
