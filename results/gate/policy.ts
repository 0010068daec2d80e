import type { Correction } from '../stats/corrections.js';
import { type Check, checksIn } from './policy-checks.js';
import { policyError, schemaFault } from './policy-faults.js';
import { headSchema } from './policy-schema.js';
import { readPolicyYaml } from './policy-yaml.js';

/** A policy of formats.md §9, every default filled in. Paths are as written: relative to the policy's file. */
export interface Policy {
  readonly qrels: string | null;
  readonly baseline: string | null;
  readonly candidate: string | null;
  /** One name for both sides, one each, or several systems; null where the sides are run files. */
  readonly system: string | readonly string[] | { readonly baseline: string; readonly candidate: string } | null;
  /** Selectors; none means all tasks. */
  readonly tasks: readonly string[];
  readonly slices: string | null;
  readonly confidence: number;
  readonly correction: Correction;
  readonly seed: number;
  readonly resamples: number;
  /** Queries named per check. */
  readonly worst: number;
  readonly checks: readonly Check[];
  readonly onMissing: 'fail' | 'warn';
  readonly onInconclusive: 'pass' | 'fail';
}

/**
 * A policy from the text of its file; `where` is the file's name for errors. What is wrong is `usage` (a measure that
 * nobody knows: `unknown-name`) and names the key by its path, as `checks[1].drop`, with its line.
 */
export function parsePolicy(text: string, where: string): Policy {
  const source = readPolicyYaml(text, where);
  const parsed = headSchema.safeParse(source.value);
  if (!parsed.success) {
    throw policyError(schemaFault(parsed.error.issues, source.value, knownKeys), source);
  }
  const { qrels, baseline, candidate, system, tasks, slices, minQueries, checks, ...rest } = parsed.data;
  return {
    ...rest,
    qrels: qrels ?? null,
    baseline: baseline ?? null,
    candidate: candidate ?? null,
    system: Array.isArray(system) ? [...new Set(system)] : (system ?? null),
    tasks: tasks ?? [],
    slices: slices ?? null,
    checks: checksIn(checks, minQueries, source),
  };
}

function knownKeys(path: readonly (string | number)[]): readonly string[] {
  return path.length === 0 ? Object.keys(headSchema.shape) : ['baseline', 'candidate'];
}
