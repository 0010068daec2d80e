import { TenbinError } from '../../core/errors.js';
import { noArgument } from '../../core/registry.js';
import type { ExportedRun, ExportFormat } from './types.js';

/** `{"qid":{"docid":score}}` for ranx, pytrec_eval and BEIR, in the order of the run. One piece per query. */
export const json: ExportFormat = {
  name: 'json',
  summary: 'JSON run: {"qid":{"docid":score}}, scores in full precision; holds any id.',
  bind: (argument) => {
    noArgument('json', argument);
    return jsonText;
  },
};

/** Written by hand, as an object would sort ids that look like numbers and lose `__proto__`. */
function* jsonText({ rankings }: ExportedRun): Generator<string> {
  let before = '{';
  for (const [query, { docs, scores }] of rankings) {
    const entries = docs.map((doc, i) => `${JSON.stringify(doc)}:${scoreText(scores[i], query, doc)}`);
    yield `${before}${JSON.stringify(query)}:{${entries.join(',')}}`;
    before = ',\n';
  }
  yield before === '{' ? '{}\n' : '}\n';
}

function scoreText(score: number, query: string, doc: string): string {
  if (Number.isFinite(score)) return String(score);
  throw new TenbinError('not-finite', {
    what: 'JSON has no number that is not finite',
    value: `query \`${query}\`, document \`${doc}\`, score ${score}`,
    fix: 'Write the run with `--to trec` or `--to parquet`.',
  });
}
