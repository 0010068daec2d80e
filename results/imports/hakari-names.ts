import { isTaskId } from '../../core/ids.js';
import type { FamilyName } from '../../runners/system.js';

const families = new Map<string, FamilyName>([
  ['bm25', 'lexical'],
  ['dense', 'dense'],
  ['sparse', 'sparse'],
  ['late-interaction', 'late-interaction'],
  ['late_interaction', 'late-interaction'],
  ['reranker', 'reranker'],
]);

export function familyOfMethod(method: unknown): FamilyName | null {
  return typeof method === 'string' ? (families.get(method) ?? null) : null;
}

const names = new Map([
  ['ndcg', 'nDCG'],
  ['mrr', 'RR'],
  ['recall', 'R'],
  ['precision', 'P'],
  ['acc', 'Success'],
  ['accuracy', 'Success'],
  ['hit', 'Success'],
]);

/** HAKARI-Bench's metrics.py (217c872): its MAP divides by min(R, k), where trec_eval's divides by R. */
export function hakariCounterpart(name: string): string | null {
  const [, base = '', cutoff] = /^([a-z]+)@(\d+)$/i.exec(name) ?? [];
  if (/^map$/i.test(base)) return `AP(norm='min')@${cutoff}`;
  const ours = names.get(base.toLowerCase());
  return ours === undefined ? null : `${ours}@${cutoff}`;
}

/** `NanoBEIR-en` and `NanoArguAna` are `nanobeir-en/nanoarguana` here. */
export function taskOfTarget(dataset: unknown, task: unknown): string | null {
  const id = `${dataset}/${task}`.toLowerCase();
  return isTaskId(id) ? id : null;
}

interface Step {
  readonly type?: unknown;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

export interface NamedVariant {
  readonly name: string;
  readonly steps: readonly Step[];
}

/**
 * The variant in our grammar where it has the words (`+truncate@64+int8`), else HAKARI's name (`+normalize`). Its rescoring
 * takes the best 100 of 100, which is a multiplier of 1.
 */
export function variantText({ name, steps }: NamedVariant): string {
  const texts = steps.map(stepText);
  const sparse = prunedText(steps);
  const text = texts.includes(null) ? '' : `${texts.join('')}${sparse}`;
  if (text !== '') return text;
  return name === 'base' ? '' : `+${name}`;
}

/** '' for a step that our variants do by themselves or that is read with others; null for one they do not know. */
function stepText({ type, parameters = {} }: Step): string | null {
  if (type === 'normalize' || type === 'truncate_sparse_max_dims') return '';
  if (type === 'truncate' && typeof parameters.dim === 'number') return `+truncate@${parameters.dim}`;
  const { precision, score_representation: scored } = parameters;
  if (type !== 'quantize' || (precision !== 'int8' && precision !== 'binary')) return null;
  return `+${precision}${typeof scored === 'string' && scored.endsWith('_rescore') ? '+rescore@1' : ''}`;
}

function prunedText(steps: readonly Step[]): string {
  const kept = (target: string) => {
    const step = steps.find(({ type, parameters }) => isPruning(type) && parameters?.target === target);
    return typeof step?.parameters?.max_dims === 'number' ? [step.parameters.max_dims] : [];
  };
  const sides = [...kept('query').map((count) => `query=${count}`), ...kept('corpus').map((count) => `doc=${count}`)];
  return sides.length === 0 ? '' : `+prune(${sides.join(',')})`;
}

function isPruning(type: unknown): boolean {
  return type === 'truncate_sparse_max_dims';
}

/** `reranking_hybrid_top_101` → `hybrid > ` and `@101`; the pool that HAKARI calls `reranking_hybrid` is our `hybrid`. */
export function candidatesText(name: string): { readonly before: string; readonly after: string } {
  const [, pool = name, depth] = /^(.+?)_(?:top_(\d+)|all)$/.exec(name) ?? [];
  return {
    before: `${pool === 'reranking_hybrid' ? 'hybrid' : pool} > `,
    after: depth === undefined ? '' : `@${depth}`,
  };
}
