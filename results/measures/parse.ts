import { TenbinError } from '../../core/errors.js';
import { nearest } from '../../core/suggest.js';
import type { Measure, MeasureKind, MeasureParameters } from '../types.js';
import { measureKinds } from './index.js';
import { type MeasureWrapper, measureWrappers } from './wrappers/index.js';

/**
 * A measure from its name in the spelling of ir_measures, quotes optional, or of trec_eval:
 * `nDCG(dcg='exp-log2')@10`, `P(rel=2)@5`, `ndcg_cut_10`, `map`. The base name may be written in any case, and as one of
 * its aliases. Throws `unknown-name` with the nearest name, `usage` for a wrong cut-off or setting.
 */
export function parseMeasure(text: string): Measure {
  const { base, settings, cutoff } = tokens(text.trim());
  const wrapper = measureWrappers.find(({ name }) => folded(name) === folded(base));
  if (wrapper !== undefined) return wrapped(wrapper, settings, cutoff);
  const direct = kindNamed(base);
  const trec = direct === undefined && cutoff === undefined ? trecName(base) : undefined;
  const kind = direct ?? trec?.kind;
  if (kind === undefined) throw unknownMeasure(text);
  const given = cutoff ?? trec?.cutoff;
  return kind.bind({
    cutoff: given === undefined ? null : cutoffIn(given, text),
    settings: settingsIn(settings, text),
  });
}

const kinds = new Map(
  measureKinds.flatMap((kind) =>
    [kind.name, ...kind.aliases].map((name): [string, MeasureKind] => [folded(name), kind]),
  ),
);

if (kinds.size !== measureKinds.flatMap(({ name, aliases }) => [name, ...aliases]).length) {
  throw new Error('Two measures share a name or an alias.');
}

function wrapped({ name, wrap }: MeasureWrapper, inner: string, cutoff: string | undefined): Measure {
  if (inner !== '' && cutoff === undefined) return wrap(parseMeasure(inner));
  throw new TenbinError('usage', {
    what: `${name} takes a measure in parentheses, which has its own cut-off`,
    value: `\`${name}${inner === '' ? '' : `(${inner})`}${cutoff === undefined ? '' : `@${cutoff}`}\``,
    fix: `Write for example \`${name}(nDCG@10)\`.`,
  });
}

/** The kind of a measure by its canonical name; null for a measure of a measure, such as Oracle(nDCG@10). */
export function kindOfMeasure(name: string): MeasureKind | null {
  const base = /^[^(@]+/.exec(name)?.[0] ?? '';
  return measureKinds.find((kind) => kind.name === base) ?? null;
}

/** `Recip_Rank`, `recip-rank` and `RECIPRANK` are one name. */
function folded(name: string): string {
  return name.toLowerCase().replace(/[_\s-]/g, '');
}

function kindNamed(base: string): MeasureKind | undefined {
  return kinds.get(folded(base));
}

/** trec_eval's `ndcg_cut_10`, `ndcg_cut.10` and `iprec_at_recall_0.10`. */
function trecName(base: string): { readonly kind: MeasureKind | undefined; readonly cutoff: string } | undefined {
  const match = /^(.+?)[_.](\d+|\d*\.\d+)$/.exec(base);
  return match === null ? undefined : { kind: kindNamed(match[1]), cutoff: match[2] };
}

interface Tokens {
  readonly base: string;
  readonly settings: string;
  /** What follows `@`; undefined without one. */
  readonly cutoff: string | undefined;
}

function tokens(text: string): Tokens {
  const match = /^([^(@]*)(?:\((.*)\))?\s*(?:@([^@]*))?$/s.exec(text);
  if (match === null) throw wrongForm(text);
  const [, base, settings = '', cutoff] = match;
  return { base: base.trim(), settings: settings.trim(), cutoff: cutoff?.trim() };
}

/** A rank, or a recall with its point: whether the measure takes it is the measure's to say. */
function cutoffIn(text: string, measure: string): number {
  if (/^((0|[1-9]\d{0,8})(\.\d{1,9})?|\.\d{1,9})$/.test(text)) return Number(text);
  throw new TenbinError('usage', {
    what: 'The cut-off of a measure is a whole number from 1, or a recall such as 0.1 where the measure takes one',
    value: `\`${measure.trim()}\``,
    fix: 'Write for example `nDCG@10`.',
  });
}

function settingsIn(text: string, measure: string): MeasureParameters['settings'] {
  const settings = new Map<string, string>();
  if (text === '') return settings;
  for (const part of text.split(',')) {
    const match = /^\s*([A-Za-z_]\w*)\s*=\s*(?:'([^']*)'|"([^"]*)"|([^'"=\s]+))\s*$/.exec(part);
    if (match === null || settings.has(match[1])) throw wrongForm(measure);
    settings.set(match[1], match[2] ?? match[3] ?? match[4]);
  }
  return settings;
}

function wrongForm(text: string): TenbinError {
  return new TenbinError('usage', {
    what: 'A measure is written NAME, NAME@CUTOFF or NAME(setting=value,…)@CUTOFF, each setting once',
    value: `\`${text.trim()}\``,
    fix: "Write for example `nDCG(dcg='exp-log2')@10`; `tenbin measures` lists all.",
  });
}

function unknownMeasure(text: string): TenbinError {
  if (/^[RQ]PP\b/i.test(text.trim())) {
    return new TenbinError('unknown-name', {
      what: 'This is no measure of a ranking, but a ratio of one and a cost',
      value: `\`${text.trim()}\``,
      fix: 'Name the measure alone: board.json has `cost.RPP` and `cost.QPP` of each, and `tenbin pareto --x flopsPerQuery` prints them.',
    });
  }
  const near = suggestion(text.trim());
  return new TenbinError('unknown-name', {
    what: 'Unknown measure',
    value: `\`${text.trim()}\``,
    fix: `${near === undefined ? '' : `Did you mean \`${near}\`? `}\`tenbin measures\` lists all.`,
  });
}

const names = [
  ...new Set(measureKinds.flatMap((kind) => [kind.name, ...kind.aliases])),
  ...measureWrappers.map(({ name }) => name),
];

/** The nearest measure, with the settings and cut-off that were given where they fit it. */
function suggestion(text: string): string | undefined {
  const [, base, tail] = /^([^(@]*?)((?:[_.]\d+)?(?:[(@].*)?)$/s.exec(text) ?? ['', text, ''];
  const near = nearest(base, names);
  if (near === undefined) return undefined;
  const name = kindNamed(near)?.name ?? near;
  const candidates = [tail, tail.replace(/^[_.]/, '@'), '', '@10', '(nDCG@10)'].map((rest) => `${name}${rest}`);
  return candidates.map(nameIfValid).find((name) => name !== undefined);
}

function nameIfValid(text: string): string | undefined {
  try {
    return parseMeasure(text).name;
  } catch {
    return undefined;
  }
}
