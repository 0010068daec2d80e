import { join } from 'node:path';
import { cacheFolder, vectorCache } from '../cache/vector-cache.js';
import type { DownloadProgress, ModelAccess, ModelRuntime } from '../system.js';
import { type OpenModels, openModels } from './open-models.js';

/** How models are run: plain data, so that it can be handed to a thread. Nothing here changes a number. */
export interface RuntimeSettings {
  /** Root of everything written: the vector cache and the logs of calls lie below it. */
  readonly root: string;
  /** Execution provider: `cpu`, `cuda`, `webgpu`. */
  readonly device: string;
  /** Threads of one session. */
  readonly threads: number;
  /** Bytes of a task's embeddings to hold at once. */
  readonly memoryBytes: number;
  readonly cacheLimitBytes: number;
}

export const defaultRuntimeSettings: Omit<RuntimeSettings, 'root'> = {
  device: 'cpu',
  threads: 1,
  memoryBytes: 2 * 2 ** 30,
  cacheLimitBytes: 20 * 2 ** 30,
};

/** Weights that may stay open between tasks. */
const openBytes = 2 ** 30;

export interface Reports {
  readonly onNote: (text: string) => void;
  readonly onDownload?: (step: DownloadProgress) => void;
  readonly onStep?: (done: number) => void;
}

export interface Runtime {
  readonly access: ModelAccess;
  readonly runtime: ModelRuntime;
  readonly closeServices: OpenModels['closeServices'];
  /** Releases the models that are open. */
  readonly close: OpenModels['close'];
}

type Environment = ModelAccess['environment'];

/** The way to models, files, services and the cache. */
export function runtimeFor(settings: RuntimeSettings, environment: Environment, reports: Reports): Runtime {
  const { root, device, threads, memoryBytes, cacheLimitBytes } = settings;
  const { onStep, ...told } = reports;
  const access: ModelAccess = { device, threads, environment, logFolder: join(root, 'logs'), ...told };
  const models = openModels(access, openBytes);
  const cache = vectorCache({ folder: cacheFolder(root), limitBytes: cacheLimitBytes });
  const runtime: ModelRuntime = { use: models.use, cache, memoryBytes, ...(onStep && { onStep }) };
  return { access, runtime, closeServices: models.closeServices, close: models.close };
}
