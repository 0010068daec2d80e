import { describe, expect, test } from 'vitest';
import { TenbinError } from '../../core/errors.js';
import { selectTrecLines, trecSpelled } from '../../results/trec/select.js';

const namesOf = (...names: string[]) => selectTrecLines(names).lines.map(({ name }) => name);

describe('the lines for what is asked', () => {
  test.each([
    [['map'], ['map']],
    [
      ['ndcg', 'map', 'num_q'],
      ['num_q', 'map', 'ndcg'],
    ],
    [['success'], ['success_1', 'success_5', 'success_10']],
    [['P.10,5'], ['P_5', 'P_10']],
    [['ndcg_cut.23.4'], ['ndcg_cut_23']],
    [['iprec_at_recall.1,0,.125'], ['iprec_at_recall_0.00', 'iprec_at_recall_0.12', 'iprec_at_recall_1.00']],
    [['11pt_avg..25,.5'], ['11pt_avg_.25,.5']],
    [['ndcg.1=3,2=9'], ['ndcg_1=3,2=9']],
    [['set_F.0.5'], ['set_F_0.5']],
    [['map', 'map'], ['map']],
    [
      ['nDCG@10', 'AP', 'recip_rank'],
      ['map', 'recip_rank', 'ndcg_cut_10'],
    ],
    [
      ['ndcg_cut_10', 'P_5', 'P@20'],
      ['P_5', 'P_20', 'ndcg_cut_10'],
    ],
    [
      ['P.100', 'P@5'],
      ['P_5', 'P_100'],
    ],
    [
      ["nDCG(dcg='exp-log2')@10", 'Judged@10', 'map'],
      ['map', "nDCG(dcg='exp-log2')@10", 'Judged@10'],
    ],
    [['RR@10'], ['RR@10']],
  ])('%j gives %j, in trec_eval’s order', (names, lines) => {
    expect(namesOf(...names)).toEqual(lines);
  });

  test('official is what trec_eval prints when nothing is said', () => {
    const names = namesOf('official');
    expect(names.slice(0, 11)).toEqual([
      ...['runid', 'num_q', 'num_ret', 'num_rel', 'num_rel_ret', 'map', 'gm_map', 'Rprec', 'bpref', 'recip_rank'],
      'iprec_at_recall_0.00',
    ]);
    expect(names.slice(21)).toEqual([5, 10, 15, 20, 30, 100, 200, 500, 1000].map((k) => `P_${k}`));
    expect(selectTrecLines(['official']).leftOut).toEqual([]);
  });

  test('a nickname says what it leaves out, and parameters fit into it', () => {
    const all = selectTrecLines(['all_trec', 'P.7']);
    expect(all.leftOut).toEqual(expect.arrayContaining(['relstring', 'utility', 'set_map', 'rbp']));
    expect(all.lines.filter(({ name }) => name.startsWith('P_')).map(({ name }) => name)).toEqual(['P_7']);
    expect(selectTrecLines(['set']).leftOut).toEqual(['utility', 'set_relative_P', 'set_map']);
  });

  test('of parameters given twice the first count', () => {
    const { lines, ignored } = selectTrecLines(['P.5', 'P.10,20', 'map']);
    expect(lines.map(({ name }) => name)).toEqual(['map', 'P_5']);
    expect(ignored).toEqual(['P']);
  });
});

describe('what is wrong', () => {
  test.each([
    ['P.0', 'usage', /Ranks begin at 1/],
    ['P.5,5', 'usage', /stands there twice/],
    ['P.', 'usage', /numbers from 0/],
    ['P.-5', 'usage', /`P\.-5`/],
    ['map.5', 'usage', /takes none: write `map`/],
    ['ndcg.1', 'usage', /`ndcg\.1=3,2=9`/],
    ['ndcg.1=3,1=4', 'usage', /each once/],
    ['utility', 'unknown-name', /trec_eval has this measure and tenbin does not/],
    ['mapp', 'unknown-name', /Did you mean/],
    ['__proto__', 'unknown-name', /Unknown measure/],
  ])('%s', (name, code, message) => {
    let caught: unknown;
    try {
      selectTrecLines([name]);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(TenbinError);
    expect(caught).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

test('nicknames and parameters are measures for the other formats too', () => {
  const names = (text: string) => trecSpelled(text)?.map(({ name }) => name);
  expect(names('P.5,10')).toEqual(['P@5', 'P@10']);
  expect(names('official')?.slice(0, 4)).toEqual(['NumQ', 'NumRet', 'NumRel', 'NumRelRet']);
  expect(names('ndcg.1=3')).toEqual(['ndcg_1=3']);
  expect(names('iprec_at_recall..1')).toEqual(["IPrec(rounding='nearest')@0.1"]);
  for (const ours of ['nDCG@10', 'map', 'P_5', 'IPrec@0.1', 'RBP(p=0.8)', 'nonsense'])
    expect(names(ours)).toBeUndefined();
});
