import type { Json } from '../core/canonical.js';
import type { Conditions } from './facts.js';
import type { Model } from './system.js';

/**
 * What is known of a system's pretrained models before they are opened (pooling, prompts, number format, files or revision,
 * engines), one condition for each leaf: `model.reading.pooling`. With several models, `model1.` is the first.
 */
export function modelConditions(models: readonly Model[]): Conditions {
  const known = models.flatMap((model) => ('identity' in model && model.identity !== null ? [model] : []));
  const entries = known.flatMap(({ id, identity }, i) => {
    const prefix = known.length === 1 ? 'model' : `model${i + 1}`;
    return [[`${prefix}.id`, id] as const, ...leavesOf(identity, prefix)];
  });
  return Object.fromEntries(entries);
}

/** Lists stand as their JSON; what is null is left out. */
function leavesOf(value: Json | undefined, path: string): (readonly [string, string | number | boolean])[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return [[path, JSON.stringify(value)]];
  if (typeof value !== 'object') return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, `${path}.${name}`));
}
