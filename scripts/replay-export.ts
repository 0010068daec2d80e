import { TenbinError } from '../core/errors.js';
import { taskId } from '../core/ids.js';
import { type FrozenReplay, freezeReplay } from '../results/replay/freeze.js';
import { readNanoSet } from '../tasks/store.js';
import type { Manifest, NanoSet } from '../tasks/types.js';
import { selectBuilt } from './catalog.js';

/** The artifact of the selected tasks. A task that is not there is refused: whoever gets the file could not tell. */
export async function exportReplay(selectors: readonly string[], pool: string, root: string): Promise<FrozenReplay> {
  const { built, unbuilt } = await selectBuilt(root, selectors);
  const [absent] = unbuilt;
  if (absent !== undefined) throw notThere(absent.id, absent.reason);
  if (built.length === 0) throw notThere(selectors.join(' '), 'Run `tenbin build` first.');
  return freezeReplay(pool, nanoSets(root, built));
}

async function* nanoSets(root: string, manifests: readonly Manifest[]): AsyncGenerator<NanoSet> {
  for (const { suite, task } of manifests) yield await readNanoSet(root, taskId(`${suite}/${task}`));
}

function notThere(task: string, fix: string): TenbinError {
  return new TenbinError('missing', { what: 'A task of the artifact cannot be used', value: task, fix });
}
