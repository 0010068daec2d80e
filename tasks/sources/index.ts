import { type Registry, registry } from '../../core/registry.js';
import type { Source } from '../types.js';
import { beir } from './beir.js';
import { cwe } from './cwe.js';
import { emoji } from './emoji.js';
import { emojix } from './emojix.js';
import { jsfn } from './jsfn.js';
import type { SourceOptions, SourcePlugin } from './plugin.js';
import { npmSpecs, parseSpec } from './spec.js';
import { trec } from './trec.js';
import { tsdiag } from './tsdiag.js';

export type { Need, SourceOptions, SourcePlugin } from './plugin.js';

export const sources: Registry<Source, SourcePlugin> = registry('source', 'tenbin sources', [
  cwe,
  jsfn,
  emoji,
  emojix,
  tsdiag,
  beir,
  trec,
]);

/** The source that a SPEC names: `npm:cwe`, `npm:emoji-fi`, `beir:<folder>`. */
export function bindSource(spec: string, options: SourceOptions = {}): Source {
  const { plugin, argument } = parseSpec(spec, sources.plugins);
  return plugin.bind(argument, options);
}

/** Every SPEC that is known in advance: `npm:cwe`, `npm:emoji-fi`, and so on. */
export function embeddedSpecs(): readonly string[] {
  return npmSpecs(sources.plugins);
}
