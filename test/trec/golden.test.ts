import { describe, expect, test } from 'vitest';
import { byCodePoint } from '../../core/order.js';
import { decodeQrels, decodeRun } from '../../results/readers/index.js';
import { type ScoreRequest, scoreRun } from '../../results/score.js';
import { inTopicOrder, measuresOf, type TrecLayout, trecText } from '../../results/trec/layout.js';
import { selectTrecLines } from '../../results/trec/select.js';
import { golden, goldenBytes } from '../measures/golden.js';
import { printfOracle } from './printf.js';

type Values = Readonly<Record<string, number>>;
interface Variant {
  readonly sameAs?: '9.0.8';
  readonly rc: number;
  readonly all: Values;
  readonly queries: Readonly<Record<string, Values>>;
}
type Expected = { readonly engines: Readonly<Record<'9.0.8' | '10.0', Readonly<Record<string, Variant>>>> };

type Flags = Pick<ScoreRequest, 'level' | 'depth' | 'precision'> &
  Partial<Pick<TrecLayout, 'topics' | 'documents' | 'perQuery' | 'summary'>>;

/** The text for a case of test/golden/trec_eval with the flags of trec_eval as options. */
async function textOf(name: string, names: readonly string[], flags: Flags): Promise<string> {
  const { topics = 'retrieved', documents = 'all', perQuery = 'left-out', summary = 'shown', ...how } = flags;
  const { judged } = await decodeQrels(goldenBytes(`trec_eval/cases/${name}/qrels.txt`), 'qrels.txt');
  const { rankings, tag = '' } = await decodeRun(goldenBytes(`trec_eval/cases/${name}/run.txt`), 'run.txt');
  const { lines } = selectTrecLines(names);
  const measures = measuresOf(lines);
  const scores = scoreRun({
    rankings,
    judged: inTopicOrder(judged),
    measures,
    ties: 'trec',
    topics,
    documents,
    ...how,
  });
  return trecText({ lines, scores, tag, topics, documents, perQuery, summary });
}

const all = ['all_trec'];
const parameters = ['P.5,7,3', 'recall.20,2000', 'ndcg.1=3,2=9,4=4.5', 'ndcg_cut.10,20,23.4', 'success.2,5,20'];

/** printed/README.md says how these were made. */
const printed: readonly [file: string, name: string, names: readonly string[], flags: Flags][] = [
  ['official', 'graded_basic', ['official'], {}],
  ['all-queries', 'ties_heavy', all, { perQuery: 'shown' }],
  ['depth', 'unicode_ids', all, { perQuery: 'shown', depth: 5 }],
  ['judged', 'unjudged_heavy', all, { perQuery: 'shown', documents: 'judged' }],
  ['missing', 'missing_queries', ['official'], {}],
  ['complete', 'missing_queries', all, { topics: 'all', level: 2 }],
  ['no-summary', 'qid_identity', ['official'], { perQuery: 'shown', summary: 'left-out', level: 2 }],
  ['parameters', 'short_runs', [...parameters, 'set_F.0.5', 'map'], { perQuery: 'shown' }],
  ['fuzz', 'fuzz', all, {}],
  ['twice', 'ties_all', ['P.5', 'P.10', 'map'], {}],
];

test.each(printed)('%s.txt is what is printed, byte for byte', async (file, name, names, flags) => {
  const text = await textOf(name, names, { ...flags, precision: 'f32' });
  // Version 9 has no unj, and rounds recalls otherwise.
  const shared = text.replace(/^(iprec_at_recall|11pt_avg|unj_).*\n/gm, '');
  expect(shared).toBe(Buffer.from(goldenBytes(`trec_eval/printed/${file}.txt`)).toString('utf8'));
});

const order = ['num_q', 'num_ret', 'num_rel', 'num_rel_ret', 'map', 'gm_map', 'Rprec', 'bpref', 'recip_rank']
  .concat(['P_1', 'P_5', 'P_10', 'recall_1', 'recall_5', 'recall_10', 'recall_100', 'infAP', 'ndcg'])
  .concat(['ndcg_cut_1', 'ndcg_cut_5', 'ndcg_cut_10', 'ndcg_cut_20', 'ndcg_cut_100'])
  .concat(['map_cut_5', 'map_cut_10', 'map_cut_100', 'success_1', 'success_5', 'success_10', 'set_P', 'set_recall'])
  .concat(['set_F']);
const counts = new Set(['num_q', 'num_ret', 'num_rel', 'num_rel_ret']);

function lineOf(name: string, query: string, value: number): string {
  return `${name.padEnd(22)}\t${query}\t${counts.has(name) ? value : printfOracle(value, 4)}\n`;
}

/** The layout around the values of trec_eval 10.0, which the fixtures hold with all their digits. */
function queriesText({ queries }: Variant): string {
  const shown = order.filter((name) => name !== 'num_q' && name !== 'gm_map');
  const ids = Object.keys(queries).sort(byCodePoint);
  return ids.flatMap((query) => shown.map((name) => lineOf(name, query, queries[query][name]))).join('');
}

function summaryText({ all: summary }: Variant): string {
  return order.map((name) => lineOf(name, 'all', summary[name])).join('');
}

const variants: Readonly<Record<string, Flags>> = {
  default: {},
  c: { topics: 'all' },
  l2: { level: 2 },
  c_l2: { topics: 'all', level: 2 },
  J: { documents: 'judged' },
  c_J: { topics: 'all', documents: 'judged' },
  l3_J: { level: 3, documents: 'judged' },
};

const cases = ['fuzz', 'graded_basic', 'high_grades', 'long_run', 'missing_queries', 'near_equal_f32', 'negative_rels']
  .concat(['qid_identity', 'score_syntax', 'short_runs', 'ties_all', 'ties_heavy', 'unicode_ids', 'unjudged_heavy'])
  .concat(['whitespace', 'zero_relevant']);

describe.each(cases)('trec_eval 10.0 on %s', (name) => {
  test.each(Object.entries(variants))('%s, byte for byte', async (variant, flags) => {
    const { engines } = golden<Expected>(`trec_eval/expected/${name}.json`);
    const own = engines['10.0'][variant];
    const wanted = own.sameAs === undefined ? own : engines[own.sameAs][variant];
    const text = await textOf(name, order, { ...flags, perQuery: 'shown' });
    // Version 10 stopped at a topic that the run lacks: what it printed until then is the beginning of ours.
    if (wanted.rc !== 0) expect(text.startsWith(queriesText(wanted))).toBe(true);
    else expect(text).toBe(queriesText(wanted) + summaryText(wanted));
  });
});

test('an empty -J leaves 0/0 where trec_eval divides by what was retrieved, and there alone', async () => {
  const names = ['map', 'iprec_at_recall.0,1', '11pt_avg', 'set_P'];
  const flags: Flags = { topics: 'all', documents: 'judged', perQuery: 'shown' };
  const lines = (await textOf('missing_queries', names, flags)).split('\n');
  const of = (query: string) => lines.filter((line) => line.split('\t')[1] === query);
  expect(of('3')).toEqual([
    'map                   \t3\t0.0000',
    'iprec_at_recall_0.00  \t3\t  -nan',
    'iprec_at_recall_1.00  \t3\t0.0000',
    '11pt_avg              \t3\t  -nan',
    'set_P                 \t3\t0.0000',
  ]);
  expect(
    of('all')
      .filter((line) => line.includes('nan'))
      .map((line) => line.split(' ')[0]),
  ).toEqual(['iprec_at_recall_0.00', '11pt_avg']);
  expect(await textOf('missing_queries', names, { ...flags, documents: 'all' })).not.toContain('nan');
});
