import { reasonOf, TenbinError } from '../core/errors.js';
import { type TaskId, taskId } from '../core/ids.js';
import { unknownName } from '../core/suggest.js';
import { selectTasks } from '../tasks/select.js';
import { taskGroups, taskSpecs } from '../tasks/specs/index.js';
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
  /** Why what is on disk cannot be used, if it cannot. */
  readonly damage: string | null;
}

interface OnDisk {
  readonly manifest: Manifest | null;
  readonly damage: string | null;
}

/** Every task that ships with tenbin and every one built below the root, in that order. */
export async function readCatalog(root: string): Promise<CatalogEntry[]> {
  const onDisk = new Map<string, OnDisk>();
  for (const id of await listBuilt(root)) onDisk.set(id, await lookAt(root, id));
  const known = taskSpecs.map((spec) => entryOf(spec.id, spec, onDisk.get(spec.id) ?? nothing));
  const ids = new Set<string>(taskSpecs.map(({ id }) => id));
  const own = [...onDisk].filter(([id]) => !ids.has(id)).map(([id, found]) => entryOf(id, null, found));
  return [...known, ...own];
}

const nothing: OnDisk = { manifest: null, damage: null };

/** One damaged manifest must not take the others with it. */
async function lookAt(root: string, id: TaskId): Promise<OnDisk> {
  try {
    return { manifest: await readManifest(root, id), damage: null };
  } catch (error) {
    return { manifest: null, damage: reasonOf(error) };
  }
}

function entryOf(id: string, spec: TaskSpec | null, { manifest, damage }: OnDisk): CatalogEntry {
  return {
    id,
    suite: id.slice(0, id.indexOf('/')),
    language: manifest?.language ?? spec?.language ?? 'und',
    domain: manifest?.domain ?? spec?.domain ?? 'unknown',
    licence: manifest?.licence ?? spec?.licence ?? 'unknown',
    source: manifest?.source.id ?? spec?.source ?? 'unknown',
    spec,
    manifest,
    damage,
  };
}

/** Selected entries of the catalog; no selector means all of `fallback`. */
export function select(catalog: readonly CatalogEntry[], selectors: readonly string[]): CatalogEntry[] {
  if (selectors.length === 0) return [...catalog];
  const chosen = selectTasks(selectors, catalog, taskGroups);
  if (chosen.length > 0) return chosen;
  throw new TenbinError('usage', {
    what: 'The selectors take away all that they choose',
    value: selectors.join(' '),
    fix: '`tenbin tasks SELECTOR…` shows what is selected.',
  });
}

export interface Unbuilt {
  readonly id: string;
  readonly reason: string;
  /** What is on disk cannot be used, as against not being there. */
  readonly damaged: boolean;
}

/** The built ones among the selected tasks; the others with the reason, since a board without them would mislead. */
export async function selectBuilt(root: string, selectors: readonly string[]) {
  const catalog = await readCatalog(root);
  const there = catalog.filter(({ manifest, damage }) => manifest !== null || damage !== null);
  const chosen = selectors.length === 0 ? there : select(catalog, selectors);
  const built = chosen.flatMap(({ manifest }) => (manifest === null ? [] : [manifest]));
  const unbuilt: Unbuilt[] = chosen
    .filter(({ manifest }) => manifest === null)
    .map(({ id, damage }) => ({
      id,
      damaged: damage !== null,
      reason: damage ?? `This task is not built: run \`tenbin build ${id}\` first.`,
    }));
  return { built, unbuilt };
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
