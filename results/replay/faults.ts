import { printable, TenbinError } from '../../core/errors.js';

const fetchAgain =
  'Scores against it would not be comparable: get the file again, or export it again with `tenbin export`.';

/** Bytes that are not those that were frozen. `where` is `file:line`. */
export function changed(what: string, where: string, query?: string): TenbinError {
  return new TenbinError('damaged', { what, value: placed(where, query), fix: fetchAgain });
}

/** A file that keeps its digests and still is no artifact. */
export function malformed(what: string, where: string, query?: string): TenbinError {
  return new TenbinError('malformed', {
    what,
    value: placed(where, query),
    fix: 'Write the artifact with `tenbin export SELECTOR --to replay --output FILE`; gzip is told by a name in .gz.',
  });
}

function placed(where: string, query: string | undefined): string {
  return query === undefined ? where : `${where}, query ${printable(query)}`;
}
