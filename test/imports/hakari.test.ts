import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DecodeOptions, decodeImport, type ForeignResults, systemText } from '../../results/imports/index.js';
import { bytesOf, failure } from '../readers/bytes.js';

const measures: DecodeOptions = { renamed: new Map(), take: 'measures' };
const decode = (text: string, options = measures) => decodeImport(bytesOf(text), 'a.txt', options);

async function results(text: string): Promise<readonly ForeignResults[]> {
  const decoded = await decode(text);
  if (decoded.kind === 'results') return decoded.results;
  throw new Error('It was taken for a run.');
}

const values = ({ measures: of }: ForeignResults) =>
  Object.fromEntries([...of].map(([name, { value }]) => [name, value]));

const golden = (name: string) => readFileSync(join(import.meta.dirname, '../golden/exchange', name));

test('HAKARI-Bench: BM25 under xz', async () => {
  const decoded = await decodeImport(golden('hakari-bm25.json.xz'), 'h.json.xz', measures);
  if (decoded.kind !== 'results') throw new Error('It was taken for a run.');
  expect(decoded.results).toHaveLength(1);
  expect(decoded.results[0]).toMatchObject({
    model: 'bm25/bm25s-okapi-english_porter',
    task: 'nanoscifactsmall/nanoscifactsmall',
    family: 'lexical',
  });
  expect(values(decoded.results[0])).toEqual({ 'Success@100': 0.98, 'nDCG@10': 0.8786869344276311 });
});

test('HAKARI-Bench: variants and candidate lists are systems of their own', async () => {
  const decoded = await decodeImport(golden('hakari-dense.json.gz'), 'h.json.gz', measures);
  if (decoded.kind !== 'results') throw new Error('It was taken for a run.');
  const bySystem = new Map(decoded.results.map((one) => [systemText(one, 'm'), one]));
  expect(bySystem.size).toBe(40);
  const value = (system: string) => bySystem.get(system)?.measures.get('nDCG@10');
  // The table in the fixtures' README has these to six digits.
  expect(value('m')).toEqual({ value: 0.8464790300758546, n: 50 });
  expect(value('m+truncate@64')?.value).toBe(0.7458408506730416);
  expect(value('m+int8')?.value).toBeCloseTo(0.838162, 6);
  expect(value('m+truncate@64+binary+rescore@1')?.value).toBeCloseTo(0.756927, 6);
  expect(value('hybrid > m+truncate@64@100')?.value).toBe(0.7554833236367697);
  expect(bySystem.get('m')?.measures.get('Success@100')?.value).toBe(1);
  expect(bySystem.get('hybrid > m@100')?.measures.get('Success@100')).toEqual({ value: 1, n: 50 });
  expect(bySystem.get('m+truncate@64')?.notes).toContain(
    'the better of cosine and dot on these queries: cosine_truncate_dim_64',
  );
});

test('HAKARI-Bench: rankings are runs whose scores are minus the rank', async () => {
  const take = { ...measures, take: 'rankings' } as const;
  const decoded = await decodeImport(golden('hakari-dense.json.gz'), 'h.json.gz', take);
  if (decoded.kind !== 'run') throw new Error('It was taken for results.');
  expect(decoded.runs.map((run) => systemText(run, 'm'))).toEqual(['m']);
  const [{ rankings, depth, scores }] = decoded.runs;
  expect([rankings.size, depth, scores]).toEqual([2, 100, 'ranks']);
  for (const { docs, scores: given } of rankings.values()) {
    expect(docs).toHaveLength(100);
    expect([given[0], given[99]]).toEqual([-1, -100]);
  }
});

test('HAKARI-Bench: a reranker, sparse pruning, unknown steps, and hostile files', async () => {
  const file = (model: object, evaluation: object, more: object = {}) =>
    JSON.stringify({
      model: { id: '../../<m>', ...model },
      target: { dataset_name: 'D', task_name: '../x' },
      evaluation,
      ...more,
    });
  const reranker = file(
    { method: 'reranker' },
    {
      reranking_evaluations: [
        {
          name: 'bm25_top_50',
          status: 'available',
          aggregate_metric: 'ndcg@10',
          aggregate_metric_value: 0.5,
          best_score_name: 'reranker',
          candidate_coverage: { query_count: 7 },
        },
      ],
    },
    { rerank_metrics: { 'D_../x_reranker_mrr@10': 0.25 }, metrics: { 'D_../x_reranker_mrr@10': 0.25 } },
  );
  const [one, ...others] = await results(reranker);
  expect([systemText(one, undefined), one.family, one.task, others]).toEqual([
    'bm25 > ../../<m>@50',
    'reranker',
    null,
    [],
  ]);
  expect([...one.measures]).toEqual([
    ['RR@10', { value: 0.25, n: 7 }],
    ['nDCG@10', { value: 0.5, n: 7 }],
  ]);
  const variant = (name: string, ...steps: object[]) => ({
    name,
    transform: { type: 'pipeline', steps },
    aggregate_metric: 'ndcg@10',
    aggregate_metric_value: 0.5,
  });
  const max = (target: string, count: number) => ({
    type: 'truncate_sparse_max_dims',
    parameters: { max_dims: count, target },
  });
  const sparse = file(
    { method: 'sparse' },
    {
      embedding_evaluations: [
        variant('base'),
        variant('q8_d64', max('query', 8), max('corpus', 64)),
        variant('normalize', { type: 'normalize' }),
        variant('new', { type: 'rotate' }),
        variant('again', { type: 'rotate' }),
        variant('base'),
      ],
    },
  );
  expect((await results(sparse)).map(({ after }) => after)).toEqual([
    '',
    '+prune(query=8,doc=64)',
    '+normalize',
    '+new',
    '+again',
    '+base',
  ]);
  expect((await failure(decode(file({}, {})))).message).toContain('not a result file of HAKARI-Bench');
  const rankings = decode(reranker, { ...measures, take: 'rankings' });
  expect((await failure(rankings)).message).toContain('holds no rankings');
});

test('HAKARI-Bench: a score name that goes on after another one keeps its measures to itself', async () => {
  const one = (scoreName: string) => ({ name: scoreName, best_score_name: scoreName });
  const file = JSON.stringify({
    model: { id: 'm', method: 'dense' },
    target: { dataset_name: 'D', task_name: 't' },
    evaluation: { embedding_evaluations: [one('dot'), one('dot_x')] },
    metrics: { 'D_t_dot_ndcg@10': 0.5, 'D_t_dot_x_ndcg@10': 0.25, 'D_t_dot_x_mrr@10': 0.125 },
  });
  const [dot, dotX] = await results(file);
  expect(values(dot)).toEqual({ 'nDCG@10': 0.5 });
  expect(values(dotX)).toEqual({ 'nDCG@10': 0.25, 'RR@10': 0.125 });
  // Those of the other name are not told as left out.
  for (const { notes } of [dot, dotX]) expect(notes.join()).not.toContain('left out');
});

test('HAKARI-Bench: `--measure-as` of a metric does not reach that of a longer score name', async () => {
  const file = JSON.stringify({
    model: { id: 'm', method: 'dense' },
    target: { dataset_name: 'D', task_name: 't' },
    evaluation: { embedding_evaluations: [{ name: 'base', best_score_name: 'dot' }] },
    metrics: { 'D_t_dot_x_ndcg@10': 0.25 },
  });
  const decoded = await decodeImport(bytesOf(file), 'a.json', { ...measures, renamed: new Map([['x_ndcg@10', 'RR']]) });
  if (decoded.kind !== 'results') throw new Error('It was taken for a run.');
  expect(values(decoded.results[0])).toEqual({});
});
