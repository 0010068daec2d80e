import { type Entry, gather, meanOrNull } from './gather.js';
import { addValue, meanOf } from './lines.js';
import { ranxCounterpart } from './ranx.js';
import { type ForeignResults, type MeasureValue, nameless } from './types.js';

type Numbers = Readonly<Record<string, number | null>>;
/** Names of measures, and perhaps facts beside them. */
type Flat = Readonly<Record<string, string | number | boolean | null>>;
type IsMeasure = (name: string) => boolean;

/**
 * Measures in plain JSON, as BEIR's `evaluate`, ranx's `evaluate` and pytrec_eval give them. Null where it is none of
 * them: then it is a run.
 * - `{"NDCG@10": 0.3}`, or a list of such objects, or such objects under the families' names (`{"ndcg": {…}}`): means;
 * - `{"q1": {"ndcg_cut_10": 0.3}}` and `{"ndcg@10": {"q1": 0.3}}`: values of queries, of which the means are taken.
 */
export function decodeDictionary(
  json: unknown,
  where: string,
  renamed: ReadonlyMap<string, string>,
): ForeignResults[] | null {
  const isMeasure = (name: string) =>
    renamed.has(name) || beirOnly.test(name) || meanOrNull(counterpart(name)) !== null;
  const means = meansIn(json, isMeasure);
  if (means !== null) return [resultOf(gather(means, { where, counterpart, renamed, n: null }))];
  const byQuery = valuesIn(json, isMeasure);
  if (byQuery === null) return null;
  const gathered = [...byQuery].map(([name, values]) => {
    return gather([[name, meanOf(values)]], { where, counterpart, renamed, n: values.length });
  });
  const measures = new Map<string, MeasureValue>(gathered.flatMap((one) => [...one.measures]));
  return [
    resultOf({ measures, notes: [...gathered.flatMap(({ notes }) => notes), 'means of the queries of the file'] }),
  ];
}

function resultOf(gathered: Pick<ForeignResults, 'measures' | 'notes'>): ForeignResults {
  return { ...nameless, part: null, ...gathered };
}

/** A run is nested, so a flat object with one measure is measures, whatever stands beside it. */
function meansIn(json: unknown, isMeasure: IsMeasure): Entry[] | null {
  const parts = Array.isArray(json) ? json : [json];
  const flat = parts.flatMap((part): (Flat | null)[] => {
    if (isFlat(part)) return [part];
    return isObject(part) && Object.keys(part).every(isGroup)
      ? Object.values(part).map((inner) => (isFlat(inner) ? inner : null))
      : [null];
  });
  const entries = flat.flatMap((part) => (part === null ? [] : Object.entries(part)));
  return !flat.includes(null) && entries.some(([name]) => isMeasure(name)) ? entries : null;
}

/**
 * Values by measure, whichever of the two is the outer key. All outer keys must hold the same inner ones, as evaluations do
 * and runs do not: `p_1` may be a passage as well as a precision.
 */
function valuesIn(json: unknown, isMeasure: IsMeasure): Map<string, number[]> | null {
  if (!isObject(json)) return null;
  const outer = Object.entries(json);
  if (outer.length === 0 || !outer.every((entry): entry is [string, Numbers] => isNumbers(entry[1]))) return null;
  const inner = Object.keys(outer[0][1]);
  const sameKeys = outer.every(
    ([, numbers]) => Object.keys(numbers).length === inner.length && inner.every((key) => Object.hasOwn(numbers, key)),
  );
  if (!sameKeys) return null;
  const measuresInside = inner.every(isMeasure);
  if (!measuresInside && !outer.every(([name]) => ranxCounterpart(name) !== null)) return null;
  const columns = new Map<string, number[]>();
  for (const [name, numbers] of outer) {
    for (const [key, value] of Object.entries(numbers)) {
      if (value !== null) addValue(columns, measuresInside ? key : name, value);
    }
  }
  return columns;
}

/** The names under which BEIR's tuple of dictionaries is stored. */
const groups = new Set([
  'ndcg',
  'map',
  'recall',
  'precision',
  'mrr',
  'recall_cap',
  'hole',
  'accuracy',
  'top_k_accuracy',
]);

function isGroup(name: string): boolean {
  return groups.has(name.toLowerCase().replace(/^_/, ''));
}

/** BEIR's own measures without a counterpart; its Accuracy@k orders documents by a letter of their id (beir, 05b79e7). */
const beirOnly = /^(R_cap|Hole|Accuracy)@\d+$/i;

function counterpart(name: string): string | null {
  return beirOnly.test(name) ? null : (ranxCounterpart(name) ?? name);
}

function isNumbers(json: unknown): json is Numbers {
  return isFlat(json) && Object.values(json).every((value) => value === null || typeof value === 'number');
}

function isFlat(json: unknown): json is Flat {
  if (!isObject(json)) return false;
  const values = Object.values(json);
  return values.length > 0 && values.every((value) => value === null || typeof value !== 'object');
}

function isObject(json: unknown): json is object {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
