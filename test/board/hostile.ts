import { buildBoard } from '../../results/board.js';
import type { Board, BoardTask, QueryValues, SystemResults } from '../../results/board-types.js';
import { costed, values } from './boards.js';

/** Names that a run from elsewhere may carry: each is a bug of some report somewhere. */
export const hostileNames = [
  '<script>alert(1)</script>',
  'a|b`c`*d*_e_[f](http://x.y)',
  "=cmd()|' /C calc'!A0",
  '@SUM(1+1)',
  'party 🎉 > 天秤@100',
  '__proto__',
  'x'.repeat(5_000),
  '"><img src=x onerror=alert(1)>',
  '</script><!--\u2028\u2029',
  'tab\tnewline\nreturn\rescape\u001b[31mred\u202egnp.exe',
  '../../etc/passwd',
  '&lt;b&gt;',
] as const;

const tasks: readonly BoardTask[] = [
  task('small/one', 4),
  { ...task('small/two', 2), language: 'ja', documentLanguage: 'en' },
  task('other/one', 1),
  task('__proto__/constructor', 2),
];

function task(id: string, queries: number): BoardTask {
  const suite = id.slice(0, id.indexOf('/'));
  return { id, suite, language: 'en', domain: 'test', queries, docs: 100, digest: `digest of ${id}` };
}

/** Values made from the names' places, so that two systems tie and nothing is random. */
function system(id: string, place: number): SystemResults {
  const results = tasks
    .filter((_, i) => place < 9 || i !== place - 9)
    .map((each, i) => {
      const level = Math.floor(place / 2) / 16;
      const expected = Array.from({ length: each.queries }, (_, q) => ((q + i) % 3) / 4 + level);
      return [each.id, { ...cost(place, each.queries), values: measured(place, values(...expected)) }] as const;
    });
  const families = ['lexical', 'dense', 'sparse', 'late-interaction', 'reranker'] as const;
  return { id, family: families[place % 5], tasks: new Map(results) };
}

function cost(place: number, queries: number) {
  const work = place % 2 === 0 ? { postings: 1234.5 * place } : { integerOps: 100 };
  const flops = new Float64Array(queries).fill(place % 2 === 0 ? 0 : 2e6 * place);
  const bytesPerDoc = place === 0 ? 0 : 2 ** place * 1.5;
  return {
    ...costed({ bytesPerDoc, indexBytes: 1000 * place, work }, flops),
    queryMs: { p50: 0.25 * place, p95: place },
    safeguarded: place === 2,
  };
}

function measured(place: number, all: QueryValues): ReadonlyMap<string, QueryValues> {
  const tied = { ...all, min: all.expected.map((value) => value / 2), max: all.expected.map((value) => value + 0.125) };
  return new Map([
    ['nDCG@10', place === 3 ? tied : all],
    ['R@100', { expected: all.max, min: all.max, max: all.max }],
    ["nDCG(dcg='exp-log2')@10", all],
  ]);
}

const settings = {
  measures: ['nDCG@10', 'R@100', "nDCG(dcg='exp-log2')@10"],
  primary: 'nDCG@10',
  seed: 17,
  resamples: 100,
};

/** Four small tasks, a system for each hostile name, the last three without a task each. */
export const hostileBoard: Board = buildBoard({ tasks, systems: hostileNames.map(system), ...settings });

export const emptyBoard: Board = buildBoard({ tasks, systems: [], ...settings });
