import { TenbinError } from '../../core/errors.js';
import { noArgument } from '../../core/registry.js';
import type { ExportedRun, ExportFormat } from './types.js';

/** `qid Q0 docid rank score tag` for trec_eval and its kin. One piece per query. */
export const trec: ExportFormat = {
  name: 'trec',
  summary: 'TREC run: qid Q0 docid rank score tag, scores in full precision; ids with white space are refused.',
  bind: (argument) => {
    noArgument('trec', argument);
    return trecLines;
  },
};

function* trecLines({ system, rankings }: ExportedRun): Generator<string> {
  const tag = system.replace(/[\s\p{Cc}]+/gu, '_') || '_';
  for (const [query, { docs, scores }] of rankings) {
    const id = wholeField('query', query);
    if (id === '#') throw commented(id);
    yield docs
      .map((doc, i) => `${id} Q0 ${wholeField('document', doc)} ${i + 1} ${scoreText(scores[i])} ${tag}\n`)
      .join('');
  }
}

/**
 * What some reader splits or ends a field at: C's isspace, Python's str.split (which takes U+001C to U+001F, U+0085 and the
 * Unicode blanks), and NUL, where a C string ends. Other control characters are refused along with them.
 */
const splitting = /[\s\p{Cc}]/u;

function wholeField(what: 'query' | 'document', id: string): string {
  if (id !== '' && !splitting.test(id)) return id;
  throw new TenbinError('refused', {
    what: `A TREC run separates its columns by blanks, and a ${what} id ${id === '' ? 'is empty' : 'holds white space'}`,
    value: `\`${id}\``,
    fix: 'Write the run with `--to json` or `--to parquet`, which hold any id.',
  });
}

/** A line that begins with this and a blank is a comment to trec_eval 10, and to us. */
function commented(id: string): TenbinError {
  return new TenbinError('refused', {
    what: 'A TREC run takes the lines of this query for comments',
    value: `\`${id}\``,
    fix: 'Write the run with `--to json` or `--to parquet`, which hold any id.',
  });
}

/** Shortest text that reads back as the same double; C and Python read `inf`. */
function scoreText(score: number): string {
  if (Number.isFinite(score)) return String(score);
  if (!Number.isNaN(score)) return score > 0 ? 'inf' : '-inf';
  throw new TenbinError('not-finite', {
    what: 'A score is not a number (NaN)',
    fix: 'Run the system again: a stored run never holds NaN.',
  });
}
