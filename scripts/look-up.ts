import {
  catalogFrom,
  type FilledCatalog,
  type Lookup,
  locateModel,
  resolveModels,
} from '../runners/backends/resolve/index.js';
import { type RuntimeSettings, runtimeFor } from '../runners/backends/runtime.js';
import type { ModelAccess } from '../runners/system.js';
import { startDownloads } from './downloads.js';
import { note } from './output.js';

export interface LookedUp extends FilledCatalog {
  /** Plain data for worker threads. */
  readonly lookup: Lookup;
  readonly access: ModelAccess;
}

/** Looks up the models of these systems, with bars for what is downloaded. */
export async function lookUp(
  systems: readonly string[],
  settings: RuntimeSettings,
  quiet: boolean | undefined,
): Promise<LookedUp> {
  const downloads = startDownloads(quiet);
  const onNote = quiet ? () => undefined : note;
  const { access } = runtimeFor(settings, process.env, { onNote, onDownload: downloads.step });
  try {
    const lookup = await resolveModels(systems, access);
    return { ...(await catalogFrom(lookup, access)), lookup, access };
  } finally {
    downloads.stop();
  }
}

/** Downloads what the named models lack, here and with bars, before threads would each start to. */
export async function fetchModels(
  { lookup, access }: LookedUp,
  texts: ReadonlySet<string>,
  quiet?: boolean,
): Promise<void> {
  const downloads = startDownloads(quiet);
  try {
    for (const one of lookup.resolved) {
      if (one.kind !== 'files' || one.card.origin.kind !== 'hub' || !texts.has(one.text)) continue;
      const { requiredFiles } = await import('../runners/backends/model-folder/index.js');
      // A failure is told again, and recorded, by the run that needs the files.
      await locateModel(one.card, requiredFiles(one.card, one.dtype), access.environment, {
        onNote: access.onNote,
        onDownload: downloads.step,
      }).catch(() => undefined);
    }
  } finally {
    downloads.stop();
  }
}
