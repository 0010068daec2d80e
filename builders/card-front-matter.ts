import { stringify } from 'yaml';
import { byCodePoint } from '../core/order.js';
import { nanoPaths } from '../tasks/nano-files.js';
import type { Manifest } from '../tasks/types.js';

/** Licences that the hub knows by their lower-case SPDX names; all others are `other` there, and named in the card. */
const hubLicences = new Set([
  'apache-2.0',
  'mit',
  'bsd-2-clause',
  'bsd-3-clause',
  'cc0-1.0',
  'cc-by-3.0',
  'cc-by-4.0',
  'cc-by-sa-3.0',
  'cc-by-sa-4.0',
  'cc-by-nc-4.0',
  'cc-by-nc-sa-4.0',
  'isc',
  'odc-by',
  'pddl',
  'unlicense',
]);

/** The YAML head of a dataset card: the hub's viewer finds the files by it, one split for each task. */
export function frontMatter(manifests: readonly Manifest[]): string {
  const splits = splitNames(manifests.map(({ task }) => task));
  const pools = unique(manifests.flatMap((manifest) => Object.keys(manifest.pools)));
  const config = (name: string, path: (task: string) => string, among: readonly Manifest[]) => ({
    config_name: name,
    data_files: among.map(({ task }) => ({ split: splits.get(task) ?? task, path: path(task) })),
  });
  const head = {
    configs: [
      { ...config('queries', nanoPaths.queries, manifests), default: true },
      config('corpus', nanoPaths.corpus, manifests),
      config('qrels', nanoPaths.qrels, manifests),
      ...pools.map((pool) =>
        config(
          pool,
          (task) => nanoPaths.pool(pool, task),
          manifests.filter((manifest) => Object.hasOwn(manifest.pools, pool)),
        ),
      ),
    ],
    language: unique(manifests.flatMap(({ language, documentLanguage }) => [language, documentLanguage ?? language])),
    license: unique(manifests.map(({ licence }) => hubLicence(licence))),
    tags: ['information-retrieval', 'text-retrieval', 'reranking', 'nano', 'bm25', 'tenbin'],
  };
  return `---\n${stringify(head, { lineWidth: 0 })}---\n`;
}

function hubLicence(licence: string): string {
  const name = licence.toLowerCase();
  return hubLicences.has(name) ? name : 'other';
}

/** The hub wants `\w+(\.\w+)*`; two tasks that would become one name are numbered. */
export function splitNames(tasks: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const task of tasks) {
    const plain = task.replace(/[^\w.]|\.(?=\.|$)/g, '_');
    let name = plain;
    for (let copy = 2; taken.has(name); copy++) name = `${plain}_${copy}`;
    taken.add(name);
    names.set(task, name);
  }
  return names;
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)].sort(byCodePoint);
}
