import { describe, expect, test } from 'vitest';
import { queryId } from '../../core/ids.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { decodeQrels, decodeRun } from '../../results/readers/index.js';
import { type ScoreRequest, scoreRun } from '../../results/score.js';
import type { Measure } from '../../results/types.js';
import { golden, goldenBytes } from './golden.js';

type Values = Readonly<Record<string, number>>;
interface Variant {
  readonly sameAs?: Engine;
  /** 4: v10.0 stopped at a topic that the run lacks, and what it printed until then are no results. */
  readonly rc: number;
  readonly all: Values;
  readonly queries: Readonly<Record<string, Values>>;
}
type Engine = '9.0.8' | '10.0';
type Expected = { readonly engines: Readonly<Record<Engine, Readonly<Record<string, Variant>>>> };

const cases = [
  'fuzz',
  'graded_basic',
  'high_grades',
  'long_run',
  'missing_queries',
  'near_equal_f32',
  'negative_rels',
  'qid_identity',
  'score_syntax',
  'short_runs',
  'ties_all',
  'ties_heavy',
  'unicode_ids',
  'unjudged_heavy',
  'whitespace',
  'zero_relevant',
];

/** trec_eval's flags as our options. */
const variants: Readonly<Record<string, Partial<ScoreRequest>>> = {
  default: { topics: 'retrieved' },
  c: { topics: 'all' },
  l2: { topics: 'retrieved', level: 2 },
  c_l2: { topics: 'all', level: 2 },
  J: { topics: 'retrieved', documents: 'judged' },
  c_J: { topics: 'all', documents: 'judged' },
  l3_J: { topics: 'retrieved', level: 3, documents: 'judged' },
};

/** trec_eval 9.0.8 holds scores as floats, 10.0 as doubles. */
const engines = { '9.0.8': 'f32', '10.0': 'f64' } as const;

function measureOf(trecName: string): Measure {
  return parseMeasure(trecName === 'ndcg_exp' ? "nDCG(dcg='exp-log2')" : trecName);
}

describe.each(cases)('%s', (name) => {
  test.each(Object.keys(engines) as Engine[])('every value of trec_eval %s, seven sets of flags', async (engine) => {
    const { judged } = await decodeQrels(goldenBytes(`trec_eval/cases/${name}/qrels.txt`), 'qrels.txt');
    const { rankings } = await decodeRun(goldenBytes(`trec_eval/cases/${name}/run.txt`), 'run.txt');
    const { engines: expected } = golden<Expected>(`trec_eval/expected/${name}.json`);
    const differences: string[] = [];
    let compared = 0;
    for (const [flags, options] of Object.entries(variants)) {
      const own = expected[engine][flags];
      const wanted = own.sameAs === undefined ? own : expected[own.sameAs][flags];
      if (wanted.rc !== 0) continue;
      const names = Object.keys(wanted.all).map((trec) => ({ trec, measure: measureOf(trec) }));
      const measures = names.map(({ measure }) => measure);
      const scores = scoreRun({ rankings, judged, measures, ties: 'trec', precision: engines[engine], ...options });
      const compare = (what: string, actual: number | undefined, value: number) => {
        compared++;
        if (actual === undefined || !(Math.abs(actual - value) <= 1e-12))
          differences.push(`${flags} ${what}: ${actual}, not ${value}`);
      };
      for (const { trec, measure } of names) {
        // With -c, trec_eval's summary of num_rel counts every grade above 0, whatever -l says; ours counts what -l says.
        if (trec !== 'num_rel' || flags !== 'c_l2') {
          compare(`all ${trec}`, scores.totals.get(measure.name)?.expected, wanted.all[trec]);
        }
        for (const [query, values] of Object.entries(wanted.queries)) {
          if (trec === 'num_q' || trec === 'gm_map') continue;
          const row = scores.queries.indexOf(queryId(query));
          compare(`${query} ${trec}`, scores.values.get(measure.name)?.expected[row], values[trec]);
        }
      }
    }
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(200);
  });
});
