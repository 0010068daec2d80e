import { z } from 'zod';
import { TenbinError } from '../../core/errors.js';
import { gather } from './gather.js';
import { type ForeignResults, nameless } from './types.js';

const report = z.looseObject({ model_names: z.array(z.string()).min(1), metrics: z.array(z.string()) });
const model = z.looseObject({ scores: z.record(z.string(), z.number().nullable()) });

export function isRanxReport(json: object): boolean {
  return ['model_names', 'metrics', 'stat_test'].every((key) => Object.hasOwn(json, key));
}

/** ranx's Report (ranx/data_structures/report.py): the means of several models; its tests and counts have no place here. */
export function decodeRanxReport(json: object, where: string, renamed: ReadonlyMap<string, string>): ForeignResults[] {
  const parsed = report.safeParse(json);
  if (!parsed.success) throw notAReport(where);
  return parsed.data.model_names.map((name): ForeignResults => {
    const scores = model.safeParse(Object.hasOwn(json, name) ? (json as Record<string, unknown>)[name] : undefined);
    if (!scores.success) throw notAReport(`${where}: model \`${name}\``);
    const gathering = { where: `${where}: ${name}`, counterpart: ranxCounterpart, renamed, n: null };
    return { ...nameless, model: name, part: null, ...gather(Object.entries(scores.data.scores), gathering) };
  });
}

/** By name, and whether our measure takes a relevance level. Formulas as in ranx/metrics. */
const kinds = new Map<string, { readonly name: string; readonly setting?: string; readonly level: 'rel' | 'none' }>([
  ['hit_rate', { name: 'Success', level: 'rel' }],
  ['precision', { name: 'P', level: 'rel' }],
  ['recall', { name: 'R', level: 'rel' }],
  ['f1', { name: 'F1', level: 'rel' }],
  ['r-precision', { name: 'Rprec', level: 'rel' }],
  ['r_precision', { name: 'Rprec', level: 'rel' }],
  ['mrr', { name: 'RR', level: 'rel' }],
  ['map', { name: 'AP', level: 'rel' }],
  ['bpref', { name: 'Bpref', level: 'rel' }],
  ['dcg', { name: 'DCG', level: 'none' }],
  ['dcg_burges', { name: 'DCG', setting: "dcg='exp-log2'", level: 'none' }],
  ['ndcg', { name: 'nDCG', level: 'none' }],
  ['ndcg_burges', { name: 'nDCG', setting: "dcg='exp-log2'", level: 'none' }],
]);

/** ranx's spelling: `ndcg_burges@10`, `precision@5-l2` (from grade 2), `rbp.95`. Its `hits` is a count. */
export function ranxCounterpart(text: string): string | null {
  const [, base = '', p, cutoff, level] = /^([a-z_1-]+?)(?:\.(\d{1,2}))?(?:@(\d+))?(?:-l(\d+))?$/.exec(text) ?? [];
  const at = cutoff === undefined ? '' : `@${cutoff}`;
  if (base === 'rbp' && p !== undefined) return `RBP(p=0.${p}${level === undefined ? '' : `,rel=${level}`})${at}`;
  const kind = kinds.get(base);
  if (kind === undefined || p !== undefined || (level !== undefined && kind.level === 'none')) return null;
  const settings = kind.setting ?? (level === undefined ? '' : `rel=${level}`);
  return `${kind.name}${settings === '' ? '' : `(${settings})`}${at}`;
}

function notAReport(where: string): TenbinError {
  return new TenbinError('malformed', {
    what: 'This is not a report of ranx: each of its models has `scores`',
    value: where,
    fix: 'Write it again with `report.save`.',
  });
}
