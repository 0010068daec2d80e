import { TenbinError } from '../../core/errors.js';
import { readOperand } from '../read-input.js';

/** Lines `query-id<TAB>slice`; a query may be in several. */
export async function readSlices(path: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const slices = new Map<string, string[]>();
  for (const { query, value } of await tableRows(path, 'the name of a slice')) {
    const known = slices.get(query) ?? [];
    slices.set(query, known.includes(value) ? known : [...known, value]);
  }
  return slices;
}

/** Lines `query-id<TAB>weight`: how often the query is asked, a number from 0, each query once. */
export async function readWeights(path: string): Promise<ReadonlyMap<string, number>> {
  const weights = new Map<string, number>();
  for (const { query, value, line } of await tableRows(path, 'a weight')) {
    const weight = /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? Number(value) : Number.NaN;
    if (!Number.isFinite(weight)) throw wrong('A weight is a number from 0', `${path}, line ${line}: \`${value}\``);
    if (weights.has(query)) throw wrong('A query has two weights', `${path}, line ${line}: \`${query}\``);
    weights.set(query, weight);
  }
  if (![...weights.values()].some((weight) => weight > 0)) throw wrong('No query has a weight above 0', path);
  return weights;
}

interface Row {
  readonly query: string;
  readonly value: string;
  readonly line: number;
}

async function tableRows(path: string, second: string): Promise<readonly Row[]> {
  const lines = new TextDecoder().decode(await readOperand(path)).split(/\r?\n/);
  return lines.flatMap((text, i): Row[] => {
    if (text === '') return [];
    const [query, value, ...more] = text.split('\t');
    if (query === '' || value === undefined || value === '' || more.length > 0) {
      throw wrong(`A line here is a query id, a tab and ${second}`, `${path}, line ${i + 1}`);
    }
    return [{ query, value, line: i + 1 }];
  });
}

function wrong(what: string, value: string): TenbinError {
  return new TenbinError('malformed', { what, value, fix: 'Write for example `q12<TAB>long-tail`, or `q12<TAB>250`.' });
}
