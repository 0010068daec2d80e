import { catalogFrom, type Lookup } from '../runners/backends/resolve/index.js';
import { type Runtime, type RuntimeSettings, runtimeFor } from '../runners/backends/runtime.js';
import type { ModelCatalog } from '../runners/models/catalog.js';
import type { ModelRuntime } from '../runners/system.js';

/** How a job's models are made again in the thread that runs it. */
export interface ModelSetting {
  readonly settings: RuntimeSettings;
  readonly lookup: Lookup;
}

export interface ThreadModels {
  readonly catalog: ModelCatalog;
  readonly runtime: ModelRuntime;
  /** To be called when a job is done: services then tell what they spent. */
  readonly closeServices: () => Promise<void>;
}

/** What the running job is told: texts that a model has done, and sentences for the reader. */
export interface JobReports {
  readonly onStep: (done: number) => void;
  readonly onNote: (text: string) => void;
}

/** Models stay open from job to job of one thread; a job under other settings starts afresh. */
let current: { readonly key: string; readonly runtime: Runtime; readonly catalog: Promise<ModelCatalog> } | null = null;
let job: JobReports = { onStep: () => undefined, onNote: () => undefined };

export async function threadModels(setting: ModelSetting, reports: JobReports): Promise<ThreadModels> {
  job = reports;
  const key = JSON.stringify(setting);
  if (current?.key !== key) {
    await closeThreadModels();
    const runtime = runtimeFor(setting.settings, process.env, {
      onNote: (text) => job.onNote(text),
      onStep: (done) => job.onStep(done),
    });
    const catalog = catalogFrom(setting.lookup, runtime.access).then((filled) => filled.catalog);
    current = { key, runtime, catalog };
  }
  const { runtime, closeServices } = current.runtime;
  return { catalog: await current.catalog, runtime, closeServices };
}

/** Releases the models of this thread. */
export async function closeThreadModels(): Promise<void> {
  const { runtime } = current ?? {};
  current = null;
  await runtime?.close();
}
