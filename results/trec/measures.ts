import { elevenPoints } from '../measures/iprec.js';
import { parseMeasure } from '../measures/parse.js';
import type { Measure } from '../types.js';
import {
  gmBpref,
  judgedNonrelevant,
  meanInterpolatedAt,
  ndcgWithGains,
  setFWithWeight,
  unjudgedOf,
} from './derived.js';
import { printfFixed } from './number.js';
import { decimalsIn, gainsIn, noParameters, ranksIn, recallsIn } from './parameters.js';

/** One line of trec_eval's output. */
export interface TrecLine {
  /** As it is printed: `P_5`. */
  readonly name: string;
  /** Null for the line of the run's tag. */
  readonly measure: Measure | null;
  /** Recalls at which trec_eval divides by zero where `-J` leaves nothing of a topic (see `undefined-rows.ts`). */
  readonly recalls?: readonly number[];
  /** With `-c` the summary is that of this one (see `num_rel`). */
  readonly completeSummary?: Measure;
  readonly form: 'decimal' | 'count' | 'tag';
  /** `summary`: there is no line for a query. */
  readonly shown: 'everywhere' | 'summary';
}

/** A measure of trec_eval that tenbin has: its name before the `.`, and the lines that its parameters give. */
export interface TrecMeasure {
  readonly name: string;
  /** `parameters` is what follows the first `.`, undefined where nothing does. */
  readonly lines: (parameters: string | undefined) => readonly TrecLine[];
  /** The line of one cut-off, of measures that have them. */
  readonly lineAt?: (rank: number) => TrecLine;
}

const everyCutoff = [5, 10, 15, 20, 30, 100, 200, 500, 1000];

/** In the order in which trec_eval 10.0 prints them (measures.c); the order of `-m` does not count. */
export const trecMeasures: readonly TrecMeasure[] = [
  plain('runid', { measure: null, form: 'tag', shown: 'summary' }),
  plain('num_q', { measure: parseMeasure('NumQ'), form: 'count', shown: 'summary' }),
  plain('num_ret', { measure: parseMeasure('NumRet'), form: 'count' }),
  // With -c, trec_eval's summary counts every grade above 0, whatever -l says.
  plain('num_rel', {
    measure: parseMeasure('NumRel'),
    completeSummary: parseMeasure('NumRel(rel=1)'),
    form: 'count',
  }),
  plain('num_rel_ret', { measure: parseMeasure('NumRelRet'), form: 'count' }),
  plain('map', { measure: parseMeasure('AP') }),
  plain('gm_map', { measure: parseMeasure('GMAP'), shown: 'summary' }),
  plain('Rprec', { measure: parseMeasure('Rprec') }),
  plain('bpref', { measure: parseMeasure('Bpref') }),
  plain('recip_rank', { measure: parseMeasure('RR') }),
  {
    name: 'iprec_at_recall',
    lines: (text = '0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1') => recallsIn(text, 'iprec_at_recall').map(interpolatedLine),
  },
  ranked('P', everyCutoff, (k) => parseMeasure(`P@${k}`)),
  ranked('recall', everyCutoff, (k) => parseMeasure(`R@${k}`)),
  plain('infAP', { measure: parseMeasure('infAP') }),
  plain('gm_bpref', { measure: gmBpref, shown: 'summary' }),
  { name: '11pt_avg', lines: (text) => [meanLine(text)] },
  withParameters('ndcg', parseMeasure('nDCG'), (text) => ndcgWithGains(`ndcg_${text}`, gainsIn(text, 'ndcg'))),
  ranked('ndcg_cut', everyCutoff, (k) => parseMeasure(`nDCG@${k}`)),
  ranked('map_cut', everyCutoff, (k) => parseMeasure(`AP@${k}`)),
  ranked('success', [1, 5, 10], (k) => parseMeasure(`Success@${k}`)),
  plain('set_P', { measure: parseMeasure('SetP') }),
  plain('set_recall', { measure: parseMeasure('SetR') }),
  withParameters('set_F', parseMeasure('SetF'), (text) =>
    setFWithWeight(`set_F_${text}`, decimalsIn(text, 'set_F')[0]),
  ),
  plain('num_nonrel_judged_ret', { measure: judgedNonrelevant, form: 'count' }),
  ranked('unj', [5, 10, 20], (k) => unjudgedOf(`unj_${k}`, k)),
];

/** Measures of trec_eval's all_trec that tenbin does not have. */
export const unsharedMeasures: readonly string[] = [
  'relstring',
  'Rprec_mult',
  'utility',
  'binG',
  'G',
  'ndcg_rel',
  'Rndcg',
  'relative_P',
  'set_relative_P',
  'set_map',
  'rbp',
  'rbp_resid',
];

const official = [
  'runid',
  'num_q',
  'num_ret',
  'num_rel',
  'num_rel_ret',
  'map',
  'gm_map',
  'Rprec',
  'bpref',
  'recip_rank',
];

/** trec_eval's names for several measures at once, those included that tenbin does not have. */
export const trecNicknames: ReadonlyMap<string, readonly string[]> = new Map([
  ['official', [...official, 'iprec_at_recall', 'P']],
  ['all_trec', [...trecMeasures.map(({ name }) => name), ...unsharedMeasures]],
  [
    'set',
    ['runid', 'num_q', 'num_ret', 'num_rel', 'num_rel_ret', 'utility'].concat(
      ['P', 'recall', 'relative_P', 'map', 'F'].map((name) => `set_${name}`),
    ),
  ],
]);

type PlainLine = Pick<TrecLine, 'measure' | 'completeSummary'> & Partial<Pick<TrecLine, 'form' | 'shown'>>;

function lineOf(name: string, { form = 'decimal', shown = 'everywhere', ...line }: PlainLine): TrecLine {
  return { name, form, shown, ...line };
}

function plain(name: string, line: PlainLine): TrecMeasure {
  const lines = (parameters: string | undefined) => {
    if (parameters !== undefined) throw noParameters(parameters, name);
    return [lineOf(name, line)];
  };
  return { name, lines };
}

function ranked(name: string, defaults: readonly number[], measureAt: (rank: number) => Measure): TrecMeasure {
  const lineAt = (rank: number) => lineOf(`${name}_${rank}`, { measure: measureAt(rank) });
  return { name, lineAt, lines: (text) => (text === undefined ? defaults : ranksIn(text, name)).map(lineAt) };
}

function withParameters(name: string, usual: Measure, bind: (parameters: string) => Measure): TrecMeasure {
  const lines = (text: string | undefined) => [
    text === undefined ? lineOf(name, { measure: usual }) : lineOf(`${name}_${text}`, { measure: bind(text) }),
  ];
  return { name, lines };
}

function interpolatedLine(recall: number): TrecLine {
  const measure = parseMeasure(`IPrec(rounding='nearest')@${recall}`);
  return { ...lineOf(`iprec_at_recall_${printfFixed(recall, 2)}`, { measure }), recalls: [recall] };
}

function meanLine(text: string | undefined): TrecLine {
  const name = text === undefined ? '11pt_avg' : `11pt_avg_${text}`;
  const recalls = text === undefined ? elevenPoints : decimalsIn(text, '11pt_avg');
  const measure = text === undefined ? parseMeasure("IPrec(rounding='nearest')") : meanInterpolatedAt(name, recalls);
  return { ...lineOf(name, { measure }), recalls };
}
