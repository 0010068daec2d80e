import { stat } from 'node:fs/promises';
import { TenbinError } from '../../core/errors.js';
import { type Baseline, baselineSide, parseBaseline } from '../../results/baseline.js';
import { boardSide, parseBoard, type StoredBoard } from '../../results/board-side.js';
import type { Side } from '../../results/sides.js';
import type { Measure } from '../../results/types.js';
import { readBytes } from '../../tasks/files.js';
import { parseJson } from '../../tasks/manifest.js';

/** A file that holds values of systems. */
export type Stored =
  | { readonly kind: 'baseline'; readonly path: string; readonly baseline: Baseline }
  | { readonly kind: 'board'; readonly path: string; readonly board: StoredBoard };

/** What a path names: a baseline or a board by its content, else null. Throws `damaged` for a broken one. */
export async function readStored(path: string): Promise<Stored | null> {
  if (path === '-' || !(await isFile(path))) return null;
  const bytes = await readBytes(path);
  if (bytes[0] !== 0x7b) return null;
  const text = new TextDecoder().decode(bytes);
  if (!/"schema"\s*:\s*"tenbin\/(baseline|board)@\d+"/.test(text)) return null;
  const value: unknown = parseJson(text, path, 'Restore it, or make it again.');
  if (isBoard(value)) return { kind: 'board', path, board: parseBoard(value, path) };
  return { kind: 'baseline', path, baseline: parseBaseline(value, path) };
}

function isBoard(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'schema' in value && value.schema === 'tenbin/board@1';
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

export function systemsIn(stored: Stored): readonly string[] {
  const { systems } = stored.kind === 'board' ? stored.board : stored.baseline;
  return systems.map(({ id }) => id);
}

/** One system of it, under these measures as far as it holds them. */
export function storedSide(stored: Stored, system: string, measures: readonly Measure[]): Side {
  const side =
    stored.kind === 'board'
      ? boardSide(stored.board, system, stored.path)
      : baselineSide(stored.baseline, system, stored.path);
  const wanted = new Set(measures.map(({ name }) => name));
  const tasks = side.tasks.map((task) => ({
    ...task,
    values: new Map([...task.values].filter(([name]) => wanted.has(name))),
  }));
  return { ...side, tasks };
}

/** Throws `missing` for a measure that a side holds for no task, listing those that the file holds. */
export function requireMeasures(stored: Stored, measures: readonly Measure[]): void {
  const { measures: held } = stored.kind === 'board' ? stored.board : stored.baseline;
  const absent = measures.filter(({ name }) => !held.includes(name));
  if (absent.length > 0) throw notHeld(stored.path, absent, held);
}

function notHeld(label: string, absent: readonly Measure[], held: readonly string[]): TenbinError {
  return new TenbinError('missing', {
    what: `${label} does not hold this measure`,
    value: absent.map(({ name }) => `\`${name}\``).join(', '),
    fix: `It holds ${held.map((name) => `\`${name}\``).join(', ')}.`,
  });
}
