import { canonicalJson, type Json } from '../core/canonical.js';
import { digestOf } from '../core/digest.js';
import { splitTaskId, taskId } from '../core/ids.js';
import { analyzerFor } from '../runners/analyzers/index.js';
import { modelsOf, parseSystem } from '../runners/grammar.js';
import { type ModelCatalog, unresolved } from '../runners/models/catalog.js';
import type { Manifest, Source, TaskSpec } from '../tasks/types.js';
import type { BuildOptions } from './options.js';

/** Raised by hand whenever a change of ours may change the bytes of a nano-set: what was built before is then stale. */
export const builderRevision = 1;

/** What is asked for: a shipped spec, or a source under a name; facts given here stand in for the source's. */
export interface TaskToBuild extends Partial<Omit<TaskSpec, 'id' | 'source' | 'licence'>> {
  /** `suite/task`. */
  readonly id: string;
  readonly source: string;
}

const identityKeys = [
  'schema',
  'task',
  'suite',
  'source',
  'language',
  'documentLanguage',
  'domain',
  'licence',
  'citation',
  'analyzer',
  'options',
  'denseModel',
] as const;

/** The part of a manifest that is known before the source's texts are read. */
export type Identity = Pick<Manifest, (typeof identityKeys)[number]> & { readonly builder: number };

export async function identityOf(
  task: TaskToBuild,
  source: Source,
  options: BuildOptions,
  catalog: ModelCatalog = unresolved,
): Promise<Identity> {
  const { facts } = source;
  const language = options.language ?? task.language ?? facts.language;
  const documentLanguage = task.documentLanguage ?? facts.documentLanguage;
  const domain = task.domain ?? facts.domain;
  return {
    schema: 'tenbin/nano@1',
    builder: builderRevision,
    ...splitTaskId(taskId(task.id)),
    source: {
      id: source.id,
      revision: await source.revision(),
      title: facts.title,
      attribution: facts.attribution,
    },
    language,
    ...(documentLanguage === undefined || documentLanguage === language ? {} : { documentLanguage }),
    domain,
    licence: facts.licence,
    citation: facts.citation,
    analyzer: analyzerFor(language, documentLanguage, domain).id,
    options: flags(options),
    ...denseModel(options.dense, catalog),
  };
}

/** What stands behind the name of a model that is not part of the program: its files may change under the same name. */
function denseModel(dense: string, catalog: ModelCatalog): Pick<Manifest, 'denseModel'> {
  const identities = modelsOf(parseSystem(dense, catalog)).flatMap((m) => ('identity' in m ? [m.identity] : []));
  return identities.length === 0 ? {} : { denseModel: digestOf(identities) };
}

/** Options as the manifest has them, under the names of the flags (formats.md §2). */
function flags({ leniency, ...options }: BuildOptions): Manifest['options'] {
  return { ...options, lenient: leniency === 'lenient' };
}

/** Whether a manifest is of the same task, source, options and builder, so that building again would change nothing. */
export function hasIdentity(manifest: Manifest, identity: Identity): boolean {
  const keys = ['builder', ...identityKeys];
  const pick = (from: object) => {
    const values = new Map<string, unknown>(Object.entries(from));
    return canonicalJson(keys.map((key) => (values.get(key) ?? null) as Json));
  };
  return pick(manifest) === pick(identity);
}
