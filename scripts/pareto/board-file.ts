import { join } from 'node:path';
import { TenbinError } from '../../core/errors.js';
import { nearest } from '../../core/suggest.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { parseParetoBoard } from '../../results/pareto/parse.js';
import type { ParetoBoard } from '../../results/pareto/types.js';
import { splitSystems } from '../../runners/grammar.js';
import { readStored, type Stored } from '../sides/stored.js';
import { systemIds } from '../system-names.js';

export interface BoardFile {
  readonly path: string;
  readonly board: ParetoBoard;
  /** The same, as comparisons read it. */
  readonly stored: Stored;
}

/** The board of a path, or that of the root. Throws `missing` where there is none, `malformed` for another kind of file. */
export async function readBoardFile(path: string | undefined, out: string): Promise<BoardFile> {
  const place = path ?? join(out, 'board', 'board.json');
  const stored = await readStored(place);
  if (stored?.kind === 'board') return { path: place, board: parseParetoBoard(stored.board, place), stored };
  throw new TenbinError(stored === null && path === undefined ? 'missing' : 'malformed', {
    what: stored === null && path === undefined ? 'There is no board here' : 'This is no board',
    value: place,
    fix: 'Make one with `tenbin board`, or give the path of a board.json.',
  });
}

/** A measure that the board has, as it is typed or by its canonical name; the board's primary one when nothing is said. */
export function measureOf({ measures, primary }: ParetoBoard, text: string | undefined): string {
  if (text === undefined) return primary;
  const name = measures.includes(text) ? text : parseMeasure(text).name;
  if (measures.includes(name)) return name;
  throw new TenbinError('missing', {
    what: 'The board does not hold this measure',
    value: `\`${name}\``,
    fix: `It holds ${measures.map((held) => `\`${held}\``).join(', ')}; \`tenbin board -m "${name}"\` makes one that does.`,
  });
}

/** Ids of systems as the board has them, else as people type them; undefined for all. */
export async function systemsOf(
  { board: { systems } }: BoardFile,
  texts: readonly string[] | undefined,
  out: string,
): Promise<readonly string[] | undefined> {
  if (texts === undefined) return undefined;
  const held = systems.map(({ id }) => id);
  const ids = texts.flatMap(splitSystems).map(async (text) => {
    const id = held.includes(text) ? text : (await systemIds([text], out))[0];
    if (id !== undefined && held.includes(id)) return id;
    const near = nearest(text, held);
    throw new TenbinError('unknown-name', {
      what: 'The board has no system of that name',
      value: `\`${text}\``,
      fix: `${near === undefined ? '' : `Did you mean \`${near}\`? `}It has ${held.map((name) => `\`${name}\``).join(', ')}.`,
    });
  });
  return [...new Set(await Promise.all(ids))];
}
