import { z } from 'zod';
import { TenbinError } from '../../core/errors.js';
import { isTaskId } from '../../core/ids.js';
import { type Entry, gather } from './gather.js';
import { mtebNames } from './mteb-names.js';
import { parseTolerantJson } from './tolerant-json.js';
import { type ForeignResults, nameless } from './types.js';

/** MTEB's TaskResult (mteb/results/task_result.py), as far as it is read. */
const schema = z.looseObject({
  task_name: z.string(),
  scores: z.record(z.string(), z.array(z.looseObject({ hf_subset: z.string() }))),
});

export function isMteb(json: object): boolean {
  return Object.hasOwn(json, 'task_name') && Object.hasOwn(json, 'scores');
}

/**
 * One result for each split and subset. MTEB's values are pytrec_eval's, rounded to five digits; `mrr` is its own, with
 * ties in the order of the run. The model stands in the path and in `model_meta.json`, not in the file.
 */
export function decodeMteb(json: object, where: string, renamed: ReadonlyMap<string, string>): ForeignResults[] {
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw notMteb(where, z.prettifyError(parsed.error));
  const task = taskNamed(parsed.data.task_name);
  const results = Object.entries((json as z.infer<typeof schema>).scores).flatMap(([split, subsets]) =>
    subsets.map((scores): ForeignResults => {
      const subset = scores.hf_subset;
      const at = `${where}: scores.${split} of ${subset}`;
      const gathered = gather(entriesOf(scores), { where: at, counterpart, renamed, n: null });
      return { ...nameless, task, part: { split, subset }, ...gathered };
    }),
  );
  if (results.length > 0) return results;
  throw notMteb(where, 'it has no scores');
}

/** Facts beside the scores; `main_score` repeats one of them. */
const facts = new Set(['hf_subset', 'languages', 'main_score', 'mteb_version', 'previous_results_model_meta']);

function entriesOf(scores: object): Entry[] {
  return Object.entries(scores).filter(([name]) => !facts.has(name));
}

/** `accuracy` is recall_at_1 in retrieval and something else elsewhere; `map` and `mrr` alone are cut off nobody says where. */
function counterpart(name: string): string | null {
  const [, base = '', cutoff] = /^([a-z_]+)_at_(\d+)$/.exec(name) ?? [];
  const ours = mtebNames.get(base);
  return ours === undefined ? null : `${ours}@${cutoff}`;
}

/** Our own export names a task `suite__task`, as a slash would be a folder; any other name says nothing of our tasks. */
function taskNamed(name: string): string | null {
  const [suite, task, ...others] = name.split('__');
  const id = `${suite}/${task}`;
  return others.length === 0 && isTaskId(id) ? id : null;
}

function notMteb(where: string, why: string): TenbinError {
  return new TenbinError('malformed', {
    what: `This is not a task result of MTEB (${why.split('\n').slice(0, 2).join(' ')})`,
    value: where,
    fix: 'Files from before MTEB 1.11 have another form: load and save them with a newer MTEB.',
  });
}

const meta = z.looseObject({ name: z.string().min(1) });

/** The model's name in `model_meta.json`, which stands beside the results; undefined where it is not told. */
export function modelNameIn(text: string, where: string): string | undefined {
  const parsed = meta.safeParse(parseTolerantJson(text, where));
  return parsed.success ? parsed.data.name : undefined;
}
