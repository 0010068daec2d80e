import { taskId } from '../core/ids.js';
import { unknownName } from '../core/suggest.js';
import { selectTasks } from '../tasks/select.js';
import { groups, taskSpecs } from '../tasks/specs/index.js';
import { listBuilt, readManifest } from '../tasks/store.js';
import type { Manifest, TaskSpec } from '../tasks/types.js';

/** What is known of a task: its spec, its manifest once it is built, or both. */
export interface CatalogEntry {
  readonly id: string;
  readonly suite: string;
  readonly language: string;
  readonly domain: string;
  readonly licence: string;
  readonly source: string;
  readonly spec: TaskSpec | null;
  readonly manifest: Manifest | null;
}

/** Every task that ships with tenbin and every one built below the root, in that order. */
export async function readCatalog(root: string): Promise<CatalogEntry[]> {
  const manifests = new Map<string, Manifest | null>();
  for (const id of await listBuilt(root)) manifests.set(id, await readManifest(root, id));
  const known = taskSpecs.map((spec) => entryOf(spec.id, spec, manifests.get(spec.id) ?? null));
  const ids = new Set<string>(taskSpecs.map(({ id }) => id));
  const own = [...manifests].filter(([id]) => !ids.has(id)).map(([id, manifest]) => entryOf(id, null, manifest));
  return [...known, ...own];
}

function entryOf(id: string, spec: TaskSpec | null, manifest: Manifest | null): CatalogEntry {
  return {
    id,
    suite: id.slice(0, id.indexOf('/')),
    language: manifest?.language ?? spec?.language ?? 'und',
    domain: manifest?.domain ?? spec?.domain ?? 'unknown',
    licence: manifest?.licence ?? spec?.licence ?? 'unknown',
    source: manifest?.source.id ?? spec?.source ?? 'unknown',
    spec,
    manifest,
  };
}

/** Selected entries of the catalog; no selector means all of `fallback`. */
export function select(catalog: readonly CatalogEntry[], selectors: readonly string[]): CatalogEntry[] {
  return selectors.length === 0 ? [...catalog] : selectTasks(selectors, catalog, groups);
}

/** The built ones among the selected tasks. Those not built are named, since a board without them would mislead. */
export async function selectBuilt(root: string, selectors: readonly string[]) {
  const catalog = await readCatalog(root);
  const chosen = select(
    selectors.length === 0 ? catalog.filter(({ manifest }) => manifest !== null) : catalog,
    selectors,
  );
  const built = chosen.flatMap(({ manifest }) => (manifest === null ? [] : [manifest]));
  return { built, unbuilt: chosen.filter(({ manifest }) => manifest === null).map(({ id }) => id) };
}

export function specOf(catalog: readonly CatalogEntry[], id: string): TaskSpec {
  const spec = catalog.find((entry) => entry.id === taskId(id))?.spec;
  if (spec == null)
    throw unknownName(
      'task',
      id,
      taskSpecs.map((other) => other.id),
      'tenbin tasks',
    );
  return spec;
}
