import type { TaskId } from '../core/ids.js';
import { hasResults } from '../results/store.js';
import { modelNames } from '../runners/backends/resolve/index.js';
import { parseSystem } from '../runners/grammar.js';
import { namingCatalog } from '../runners/models/catalog.js';
import { listBuilt } from '../tasks/store.js';

/**
 * The ids of systems as people type them. Only the names of models are needed, not their files. An imported system may
 * have any name: one that has results on a task is taken as it stands before it is read as a system of ours.
 */
export async function systemIds(
  texts: readonly string[],
  root: string,
  tasks?: readonly TaskId[],
): Promise<readonly string[]> {
  const { catalog } = namingCatalog(modelNames({ environment: process.env }));
  const among = tasks ?? (await listBuilt(root));
  return Promise.all(
    texts.map(async (text) => ((await hasResults(root, among, text)) ? text : parseSystem(text, catalog).id)),
  );
}
