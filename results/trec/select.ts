import { TenbinError } from '../../core/errors.js';
import { parseMeasure } from '../measures/parse.js';
import type { Measure } from '../types.js';
import { type TrecLine, type TrecMeasure, trecMeasures, trecNicknames, unsharedMeasures } from './measures.js';

export interface TrecSelection {
  readonly lines: readonly TrecLine[];
  /** What a nickname names and tenbin does not have. */
  readonly leftOut: readonly string[];
  /** Measures whose parameters were given twice: trec_eval reads the first. */
  readonly ignored: readonly string[];
}

/**
 * The lines for the names after `-m`: trec_eval's own with their parameters (`P.5,10`, `official`), and tenbin's (`P@5`),
 * which stand under trec_eval's name where it has one and else below all others. Throws `unknown-name` and `usage`.
 */
export function selectTrecLines(names: readonly string[]): TrecSelection {
  const asked = names.map(askedFor);
  const marked = new Set(asked.flatMap(({ marks }) => marks));
  const lines = trecMeasures.flatMap((measure) => linesOf(measure, asked));
  const own = asked.flatMap(({ own }) => (own === null || sharedLine(own) !== undefined ? [] : [ownLine(own)]));
  const given = asked.flatMap(({ marks, parameters }) => (parameters === undefined ? [] : marks));
  return {
    lines: uniqueByName([...lines, ...own]),
    leftOut: unsharedMeasures.filter((name) => marked.has(name)),
    ignored: [...new Set(given.filter((name, i) => given.indexOf(name) < i))],
  };
}

/** A nickname, or a measure with trec_eval's parameters, as measures; null for any other text. */
export function trecSpelled(text: string): readonly Measure[] | null {
  const { base, parameters } = split(text);
  const isTrec = trecNicknames.has(base) || (parameters !== undefined && known.has(base));
  return isTrec ? selectTrecLines([text]).lines.flatMap(({ measure }) => measure ?? []) : null;
}

interface Asked {
  /** Names of trec_eval's that this one marks. */
  readonly marks: readonly string[];
  readonly parameters: string | undefined;
  /** A measure in tenbin's spelling. */
  readonly own: Measure | null;
}

const known = new Map(trecMeasures.map((measure) => [measure.name, measure]));
const unshared = new Set(unsharedMeasures);

function split(text: string): { readonly base: string; readonly parameters: string | undefined } {
  const point = text.indexOf('.');
  return point < 0
    ? { base: text, parameters: undefined }
    : { base: text.slice(0, point), parameters: text.slice(point + 1) };
}

function askedFor(text: string): Asked {
  const { base, parameters } = split(text.trim());
  const nickname = trecNicknames.get(base);
  if (nickname !== undefined) return { marks: nickname, parameters: undefined, own: null };
  if (known.has(base)) return { marks: [base], parameters, own: null };
  if (unshared.has(base)) throw notShared(base);
  return { marks: [], parameters: undefined, own: parseMeasure(text) };
}

/** The first parameters count (trec_eval meas_init.c); cut-offs in tenbin's spelling come on top. */
function linesOf(measure: TrecMeasure, asked: readonly Asked[]): readonly TrecLine[] {
  const marks = asked.filter(({ marks }) => marks.includes(measure.name));
  const parameters = marks.find((mark) => mark.parameters !== undefined)?.parameters;
  const lines = marks.length === 0 ? [] : measure.lines(parameters);
  const own = asked.flatMap(({ own }) => {
    const shared = own === null ? undefined : sharedLine(own);
    return shared?.of === measure.name ? [shared.line] : [];
  });
  return own.length === 0 ? lines : uniqueByName([...lines, ...own]).toSorted(byCutoff);
}

function byCutoff(a: TrecLine, b: TrecLine): number {
  const cutoff = ({ name }: TrecLine) => Number(/_(\d+)$/.exec(name)?.[1] ?? 0);
  return cutoff(a) - cutoff(b);
}

interface SharedLine {
  readonly of: string;
  readonly line: TrecLine;
}

/** Measures without a cut-off by our name. */
const sharedNames = new Map(
  trecMeasures
    .filter(({ lineAt, name }) => lineAt === undefined && name !== 'iprec_at_recall')
    .flatMap(({ name, lines }) =>
      lines(undefined).map((line): [string, SharedLine] => [ourName(line), { of: name, line }]),
    ),
);

function ourName({ name, measure }: TrecLine): string {
  return measure?.name ?? name;
}

/** trec_eval's line for a measure in our spelling, if it has one: `nDCG@10` is `ndcg_cut_10`. */
function sharedLine({ name }: Measure): SharedLine | undefined {
  const rank = Number(/@(\d+)$/.exec(name)?.[1] ?? 0);
  if (rank === 0) return sharedNames.get(name);
  for (const { name: of, lineAt } of trecMeasures) {
    const line = lineAt?.(rank);
    if (line?.measure?.name === name) return { of, line };
  }
  return undefined;
}

function ownLine(measure: Measure): TrecLine {
  return {
    name: measure.name,
    measure,
    form: measure.aggregate === 'sum' ? 'count' : 'decimal',
    shown: measure.aggregate === 'geometric-mean' ? 'summary' : 'everywhere',
  };
}

function uniqueByName(lines: readonly TrecLine[]): readonly TrecLine[] {
  return [...new Map(lines.map((line) => [line.name, line])).values()];
}

function notShared(name: string): TenbinError {
  return new TenbinError('unknown-name', {
    what: 'trec_eval has this measure and tenbin does not',
    value: `\`${name}\``,
    fix: '`tenbin measures` lists all; `-m all_trec` gives those of trec_eval that tenbin has.',
  });
}
