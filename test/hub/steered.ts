import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  downloadModel,
  type HubModel,
  type HubOutside,
  type HubSettings,
  hubSettings,
  type ModelRequest,
  realOutside,
} from '../../runners/hub/index.js';
import { temporaryFolder } from '../small-nano.js';

export const token = 'hf_VerySecretTokenOfTheTests';

/** The world of a test: no waiting, no chance, and a record of the waits. */
export interface Steered extends HubOutside {
  readonly waitsMs: number[];
}

export const nowMs = Date.UTC(2026, 10, 30, 12, 0, 0);

export function steered(changes: Partial<HubOutside> = {}): Steered {
  const waitsMs: number[] = [];
  const wait = async (ms: number, signal: AbortSignal) => {
    signal.throwIfAborted();
    waitsMs.push(ms);
  };
  return { ...realOutside, wait, random: () => 0.5, nowMs: () => nowMs, ...changes, waitsMs };
}

/** Settings for a loopback hub and a cache of the test's own. Set HF_HOME to share it. */
export function settingsFor(
  hub: { readonly endpoint: string },
  environment: Readonly<Record<string, string | undefined>> = {},
): HubSettings {
  return hubSettings({ HF_ENDPOINT: hub.endpoint, HF_HOME: temporaryFolder(), ...environment });
}

/** All files of `org/name` at `main`, unless the changes say otherwise. */
export function fetchAll(
  settings: HubSettings,
  changes: Partial<ModelRequest> = {},
  outside: HubOutside = steered(),
): Promise<HubModel> {
  return downloadModel({ repo: 'org/name', revision: 'main', files: () => true, settings, ...changes }, outside);
}

export const repoFolder = (settings: HubSettings) => join(settings.cacheFolder, 'models--org--name');

/** Names below a folder of the cache; empty where there is none. */
export function namesIn(settings: HubSettings, folder: string): string[] {
  const path = join(repoFolder(settings), folder);
  return existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : [];
}

/** Every byte of the cache as text, for what must not be in it. */
export function everythingIn(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path}\n${entry.isFile() ? readFileSync(path, 'latin1') : ''}`;
    })
    .join('\n');
}
