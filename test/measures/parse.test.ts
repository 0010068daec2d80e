import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TenbinError } from '../../core/errors.js';
import { measureKinds } from '../../results/measures/index.js';
import { parseMeasure } from '../../results/measures/parse.js';

function failure(text: string): TenbinError {
  try {
    parseMeasure(text);
  } catch (error) {
    if (error instanceof TenbinError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

describe('canonical form', () => {
  test.each([
    ['nDCG@10', 'nDCG@10'],
    [' nDCG @ 10 ', 'nDCG@10'],
    ['nDCG()@10', 'nDCG@10'],
    ['nDCG(dcg=exp-log2)@10', "nDCG(dcg='exp-log2')@10"],
    ['nDCG( dcg = "exp-log2" )@10', "nDCG(dcg='exp-log2')@10"],
    ["nDCG(ideal=candidates, dcg='exp-log2')@5", "nDCG(dcg='exp-log2',ideal='candidates')@5"],
    ["nDCG(dcg='log2')@10", 'nDCG@10'],
    ['P(rel=2)@5', 'P(rel=2)@5'],
    ["P(rel='02')@5", 'P(rel=2)@5'],
    ['p(rel=1)@5', 'P(rel=1)@5'],
    ["AP(norm='min')@10", "AP(norm='min')@10"],
    ['RR(judged_only=true)@10', 'RR(judged_only=True)@10'],
    ['RR(judged_only=False)@10', 'RR@10'],
    ['Rprec', 'Rprec'],
  ])('%s is %s', (text, name) => {
    expect(parseMeasure(text).name).toBe(name);
  });

  test('of every measure reads back as itself, quotes or not, whatever its settings', () => {
    const kind = fc.constantFrom(...measureKinds);
    const settings = fc.subarray(["dcg='exp-log2'", "ideal='candidates'", "norm='min'", 'rel=3', 'judged_only=True']);
    const cutoff = fc.option(fc.integer({ min: 1, max: 999_999_999 }));
    fc.assert(
      fc.property(kind, settings, cutoff, (kind, settings, k) => {
        const known = settings.filter((text) => kind.settings.some((help) => help.startsWith(text.split('=')[0])));
        const wanted = kind.cutoff === 'none' ? null : kind.cutoff === 'required' ? (k ?? 10) : k;
        const at = wanted === null ? '' : `@${wanted}`;
        const text = `${kind.name}${known.length === 0 ? '' : `(${known.join(',')})`}${at}`;
        const { name } = parseMeasure(text);
        expect(parseMeasure(name).name).toBe(name);
        expect(parseMeasure(name.replaceAll("'", '')).name).toBe(name);
      }),
    );
  });
});

describe('names as people type them', () => {
  test.each([
    ['NDCG@10', 'nDCG@10'],
    ['ndcg_cut_10', 'nDCG@10'],
    ['ndcg_cut.10', 'nDCG@10'],
    ['ndcg', 'nDCG'],
    ['MRR@10', 'RR@10'],
    ['mrr', 'RR'],
    ['recip_rank', 'RR'],
    ['map', 'AP'],
    ['MAP@100', 'AP@100'],
    ['map_cut_100', 'AP@100'],
    ['recall@100', 'R@100'],
    ['recall_100', 'R@100'],
    ['P_5', 'P@5'],
    ['precision@5', 'P@5'],
    ['hit@5', 'Success@5'],
    ['hit_rate@5', 'Success@5'],
    ['HitRate@5', 'Success@5'],
    ['success_1', 'Success@1'],
    ['r-prec', 'Rprec'],
    ['R-Precision', 'Rprec'],
    ['num_rel_ret', 'NumRelRet'],
    ['num_q', 'NumQ'],
    ['f1@10', 'F1@10'],
    ['judged@10', 'Judged@10'],
  ])('%s is %s', (text, name) => {
    expect(parseMeasure(text).name).toBe(name);
  });
});

describe('a name that is not known', () => {
  test.each([
    ['ndgc@10', 'nDCG@10'],
    ['ndgc_cut_10', 'nDCG@10'],
    ['nDGC(dcg=exp-log2)@5', "nDCG(dcg='exp-log2')@5"],
    ['recal@100', 'R@100'],
    ['precison', 'P@10'],
    ['sucess@5', 'Success@5'],
  ])('%s suggests %s', (text, near) => {
    const error = failure(text);
    expect(error.code).toBe('unknown-name');
    expect(error.message).toBe(
      `Unknown measure: \`${text}\`. Did you mean \`${near}\`? \`tenbin measures\` lists all.`,
    );
  });

  test('that is near to nothing suggests nothing', () => {
    expect(failure('coverage of everything@10').message).not.toContain('Did you mean');
  });

  test.each(['__proto__', 'constructor', 'toString@10', 'x'.repeat(10_000), 'P\u0000@5', '𝒫@5'])('%j', (text) => {
    expect(failure(text).code).toBe('unknown-name');
  });
});

describe('a wrong use', () => {
  test.each([
    'nDCG@0',
    'nDCG@-1',
    'nDCG@1.5',
    'nDCG@',
    'nDCG@ten',
    'nDCG@1e3',
    'nDCG@010',
    'nDCG@9999999999',
    'ndcg_cut_0',
    'nDCG@10@20',
    'nDCG(dcg=exp-log2',
    'nDCG(dcg)@10',
    'nDCG(dcg=)@10',
    'nDCG(dcg=natural)@10',
    "nDCG(dcg='exp-log2',dcg='log2')@10",
    'nDCG(rel=2)@10',
    'nDCG(__proto__=1)@10',
    'P(rel=much)@5',
    'P(rel=-1)@5',
    'P(rel=1.5)@5',
    'RR(judged_only=maybe)',
    'P',
    'F1',
    'Rprec@10',
    'NumQ@10',
    'NumQ(rel=2)',
  ])('%s', (text) => {
    const error = failure(text);
    expect(error.code).toBe('usage');
    expect(error.parts.fix).toMatch(/`/);
  });

  test('names the setting that was meant', () => {
    expect(failure('P(rell=2)@5').message).toContain('Did you mean `rel`?');
    expect(failure('nDCG(dcg=exp)@5').message).toContain("Write `dcg='log2'|'exp-log2'`.");
  });
});

test.each(['RPP(nDCG@10)', 'QPP', 'RPP'])('%s is told where it stands', (text) => {
  expect(() => parseMeasure(text)).toThrow(/no measure of a ranking.*tenbin pareto/s);
});
