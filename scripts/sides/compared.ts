import { TenbinError } from '../../core/errors.js';
import { pairSides } from '../../results/pair.js';
import type { Paired, Side } from '../../results/sides.js';
import type { Measure } from '../../results/types.js';
import { note } from '../output.js';
import { systemIds } from '../system-names.js';
import { fileSide } from './file-side.js';
import { readSlices } from './query-table.js';
import { rootSides } from './root-side.js';
import { isFolder, readStored, requireMeasures, type Stored, storedSide, systemsIn } from './stored.js';

export interface ComparedOptions {
  readonly out: string;
  readonly quiet?: boolean;
  readonly qrels?: string;
  /** Selectors of tasks. */
  readonly tasks?: readonly string[];
  /** Slicers by name. */
  readonly by?: readonly string[];
  /** A file of slices. */
  readonly slices?: string;
  /** Of boards, baselines and folders: all that both have when nothing is said. */
  readonly system?: readonly string[];
}

export interface ComparedPair {
  /** Null where base and candidate name what is compared. */
  readonly system: string | null;
  readonly base: string;
  readonly candidate: string;
  readonly paired: Paired;
}

type Named = ReadonlyMap<string, readonly string[]>;

/** Two run files, two systems, or two boards, baselines or `out/` folders, query beside query. */
export async function comparedPairs(
  operands: { readonly base: string; readonly candidate: string },
  measures: readonly Measure[],
  options: ComparedOptions,
): Promise<readonly ComparedPair[]> {
  const named = options.slices === undefined ? new Map<string, readonly string[]>() : await readSlices(options.slices);
  const keep = keptSlices(options.by ?? [], named);
  const { qrels, tasks, by = [], system } = options;
  if (qrels !== undefined) {
    if (tasks !== undefined || by.length > 0 || system !== undefined) throw filesOrSystems();
    const side = (run: string) => fileSide({ run, qrels, named }, measures, options);
    return [pairOf(null, operands, [await side(operands.base), await side(operands.candidate)], keep)];
  }
  const [base, candidate] = [await holderOf(operands.base), await holderOf(operands.candidate)];
  if (base === null && candidate === null && system === undefined) {
    return [await systemsPair(operands, measures, { options, named, keep })];
  }
  if (base === null || candidate === null) throw noHolder(base === null ? operands.base : operands.candidate);
  const pairs: ComparedPair[] = [];
  for (const id of await systemsOf(base, candidate, options)) {
    const side = (holder: Holder) => heldSide(holder, id, measures, { options, named });
    pairs.push(pairOf(id, operands, [await side(base), await side(candidate)], keep));
  }
  return pairs;
}

function keptSlices(by: readonly string[], named: Named): (slice: string) => boolean {
  const own = new Set([...named.values()].flat());
  return (slice) => own.has(slice) || by.some((name) => slice.startsWith(`${name}:`));
}

/** Something that holds values of several systems. */
export type Holder = Stored | { readonly kind: 'root'; readonly path: string };

async function holderOf(path: string): Promise<Holder | null> {
  if (await isFolder(path)) return { kind: 'root', path };
  return readStored(path);
}

interface Context {
  readonly options: ComparedOptions;
  readonly named: Named;
}

async function heldSide(holder: Holder, system: string, measures: readonly Measure[], { options, named }: Context) {
  if (holder.kind === 'root') {
    const { tasks = [], by = [] } = options;
    const [side] = await rootSides({ root: holder.path, systems: [system], tasks, by, named }, measures, options.quiet);
    return side;
  }
  requireMeasures(holder, measures);
  return storedSide(holder, system, measures);
}

async function systemsOf(base: Holder, candidate: Holder, { system }: ComparedOptions): Promise<readonly string[]> {
  if (system !== undefined) return heldIds(system, [base, candidate]);
  const lists = [base, candidate].flatMap((holder) => (holder.kind === 'root' ? [] : [systemsIn(holder)]));
  const common = lists.reduce((left, right) => left.filter((id) => right.includes(id)), lists[0] ?? []);
  if (common.length > 0) return common;
  throw new TenbinError('missing', {
    what: lists.length === 0 ? 'It is not said which system is meant' : 'There is no system that both hold',
    value: `${base.path} and ${candidate.path}`,
    fix: 'Name one with `--system`, such as `--system bm25`.',
  });
}

/** Names of systems as a file has them, else as a folder knows them: a file may hold models that this machine lacks. */
async function heldIds(texts: readonly string[], holders: readonly Holder[]): Promise<readonly string[]> {
  const held = new Set(holders.flatMap((holder) => (holder.kind === 'root' ? [] : systemsIn(holder))));
  const root = holders.find(({ kind }) => kind === 'root')?.path ?? '.';
  const ids = texts.map(async (text) => (held.has(text) ? text : (await systemIds([text], root))[0]));
  return [...new Set(await Promise.all(ids))];
}

async function systemsPair(
  operands: { readonly base: string; readonly candidate: string },
  measures: readonly Measure[],
  { options, named, keep }: Context & { readonly keep: (slice: string) => boolean },
): Promise<ComparedPair> {
  const { out: root, tasks = [], by = [], quiet } = options;
  const [base, candidate] = await systemIds([operands.base, operands.candidate], root);
  const [left, right] = await rootSides({ root, systems: [base, candidate], tasks, by, named }, measures, quiet);
  const pair = pairOf(null, { base, candidate }, [left, right], keep);
  if (!quiet) for (const { task, reason } of pair.paired.missing) note(`left out  ${task}: ${reason}`);
  return pair;
}

function pairOf(
  system: string | null,
  names: { readonly base: string; readonly candidate: string },
  [base, candidate]: readonly [Side, Side],
  keep: (slice: string) => boolean,
): ComparedPair {
  const paired = pairSides(base, candidate, keep);
  if (paired.queries.length > 0) return { system, ...names, paired };
  const why = base.lacks ?? candidate.lacks;
  if (why !== undefined) throw new TenbinError('malformed', { what: why, fix: sameTopics });
  throw new TenbinError('missing', {
    what: 'There is no task on which both have a complete run',
    value:
      system === null ? `${names.base} and ${names.candidate}` : `${system} in ${names.base} and ${names.candidate}`,
    fix: 'Run both first: `tenbin run --systems "…" --tasks …`.',
  });
}

const sameTopics = 'Give runs and qrels of the same topics; ids are compared as text, so `007` is not `7`.';

function filesOrSystems(): TenbinError {
  return new TenbinError('usage', {
    what: 'Run files are compared by --qrels, systems by --tasks, --by and --system',
    fix: 'Leave out --qrels, or the others; --slices and --weights go with both.',
  });
}

function noHolder(path: string): TenbinError {
  return new TenbinError('usage', {
    what: 'A board, a baseline or an `out/` folder is compared with another one',
    value: path,
    fix: 'Give two of them, two systems, or two run files with --qrels.',
  });
}
