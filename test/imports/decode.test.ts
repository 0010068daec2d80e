import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TenbinError } from '../../core/errors.js';
import { type DecodeOptions, decodeImport, type ForeignResults } from '../../results/imports/index.js';
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

/** The form of mteb/results/task_result.py with the fields of a retrieval task; NaN as Python writes it. */
const mtebText = `{
  "dataset_revision": "484eb905", "task_name": "NanoThing", "mteb_version": "2.4.2",
  "scores": {
    "train": [
      {"ndcg_at_1": 0.0, "ndcg_at_10": 0.00428, "map_at_100": 0.00287, "recall_at_1000": 0.47733, "accuracy": 0.0,
       "precision_at_5": 0.004, "mrr_at_10": 0.01, "hit_rate_at_10": 0.02, "nauc_ndcg_at_1_max": NaN, "cv_recall_at_1": 0.0,
       "main_score": 0.00428, "hf_subset": "default", "languages": ["eng-Latn"]},
      {"ndcg_at_10": 0.5, "main_score": 0.5, "hf_subset": "ja", "languages": ["jpn-Jpan"]}
    ],
    "test": [{"ndcg_at_10": NaN, "main_score": null, "hf_subset": "default", "languages": []}]
  },
  "evaluation_time": 0.1, "kg_co2_emissions": null
}`;

test('MTEB: one result for each split and subset, counterparts by definition, the rest named', async () => {
  const [first, second, third] = await results(mtebText);
  expect(values(first)).toEqual({
    'nDCG@1': 0,
    'nDCG@10': 0.00428,
    'AP@100': 0.00287,
    'R@1000': 0.47733,
    'P@5': 0.004,
    'RR@10': 0.01,
    'Success@10': 0.02,
  });
  expect(first.notes).toEqual(['left out, no counterpart here: accuracy, nauc_ndcg_at_1_max, cv_recall_at_1']);
  expect(first).toMatchObject({ part: { split: 'train', subset: 'default' }, model: null, task: null, family: null });
  expect(second).toMatchObject({ part: { split: 'train', subset: 'ja' } });
  expect(third.measures.size).toBe(0);
  expect(third.notes).toEqual(['left out, no number in the file: ndcg_at_10']);
});

test('MTEB: broken files are refused with file and field', async () => {
  expect((await failure(decode('{"task_name": 1, "scores": {}}'))).message).toMatch(
    /not a task result of MTEB.*task_name.*a\.txt/s,
  );
  expect((await failure(decode('{"task_name": "a", "scores": {"__proto__": []}}'))).code).toBe('malformed');
  const percent = mtebText.replace('0.00287', '41.2');
  expect((await failure(decode(percent))).message).toContain(
    'AP@100 lies outside its range: a.txt: scores.train of default: `map_at_100` is 41.2',
  );
});

test('ranx: a report has several models', async () => {
  const [a, b] = await results(
    JSON.stringify({
      stat_test: 'student',
      metrics: ['ndcg@10', 'hits'],
      model_names: ['m 1', '__proto__x'],
      'm 1': { scores: { 'ndcg@10': 0.25, hits: 3 }, comparisons: { m2: { 'ndcg@10': 0.5 } }, win_tie_loss: {} },
      __proto__x: { scores: { 'ndcg@10': 0.5 }, comparisons: {}, win_tie_loss: {} },
    }),
  );
  expect([a.model, values(a), a.notes]).toEqual(['m 1', { 'nDCG@10': 0.25 }, ['left out, no counterpart here: hits']]);
  expect([b.model, values(b)]).toEqual(['__proto__x', { 'nDCG@10': 0.5 }]);
  const missing = decode('{"stat_test": "fisher", "metrics": [], "model_names": ["toString"]}');
  expect((await failure(missing)).message).toContain('a.txt: model `toString`');
});

test.each([
  ['flat', { 'NDCG@10': 0.3, 'MAP@100': 0.2, 'Recall@100': 0.9, 'P@5': 0.1, 'Hole@10': 0.4, 'Accuracy@1': 0.5 }],
  [
    'a tuple',
    [
      { 'NDCG@10': 0.3, 'Hole@10': 0.4 },
      { 'MAP@100': 0.2, 'Accuracy@1': 0.5 },
      { 'Recall@100': 0.9, 'P@5': 0.1 },
    ],
  ],
  [
    'by family',
    {
      ndcg: { 'NDCG@10': 0.3, 'Hole@10': 0.4 },
      _map: { 'MAP@100': 0.2, 'Accuracy@1': 0.5 },
      recall: { 'Recall@100': 0.9 },
      precision: { 'P@5': 0.1 },
    },
  ],
])("BEIR's measures, %s", async (_, json) => {
  const [one] = await results(JSON.stringify(json));
  expect(values(one)).toEqual({ 'nDCG@10': 0.3, 'AP@100': 0.2, 'R@100': 0.9, 'P@5': 0.1 });
  expect(one.notes[0]).toContain('Hole@10');
});

test('values of queries are averaged, by query as pytrec_eval has them and by measure as ranx has them', async () => {
  const [byQuery] = await results('{"q1": {"map": 0.5, "P_5": 1}, "q2": {"map": 0.25, "P_5": 0}}');
  expect([...byQuery.measures]).toEqual([
    ['AP', { value: 0.375, n: 2 }],
    ['P@5', { value: 0.5, n: 2 }],
  ]);
  const [byMeasure] = await results('{"ndcg@10": {"q1": 0.5, "q2": 1, "q3": 0}}');
  expect([...byMeasure.measures]).toEqual([['nDCG@10', { value: 0.5, n: 3 }]]);
});

test('facts may stand beside measures, and the caller names a measure that nobody knows', async () => {
  const [one] = await results('{"model": "m", "main_score": 0.5, "NDCG@10": 0.25, "seconds": 3}');
  expect([values(one), one.notes]).toEqual([
    { 'nDCG@10': 0.25 },
    ['left out, no counterpart here: model, main_score, seconds'],
  ]);
  const renamed = {
    ...measures,
    renamed: new Map([
      ['main_score', 'nDCG@10'],
      ['score', 'RR'],
    ]),
  };
  const json = await decode('{"main_score": 0.5}', renamed);
  expect(json.kind === 'results' && values(json.results[0])).toEqual({ 'nDCG@10': 0.5 });
  const lines = await decode('score\t0.5\n', renamed);
  expect(lines.kind === 'results' && values(lines.results[0])).toEqual({ RR: 0.5 });
});

test('a run whose documents are called like measures is a run', async () => {
  expect((await decode('{"q1": {"p_1": 0.5, "p_2": 0.25}, "q2": {"p_3": 0.5, "p_1": 0.1}}')).kind).toBe('run');
  expect((await decode('{"q1": {"d1": 0.5}}')).kind).toBe('run');
});

test('ir_measures: a summary, and queries with and without their summary', async () => {
  const [summary] = await results('nDCG@10\t0.4105\nP(rel=2)@5\t0.2000\nalpha_nDCG@5\t0.1\n');
  expect([values(summary), summary.notes]).toEqual([
    { 'nDCG@10': 0.4105, 'P(rel=2)@5': 0.2 },
    ['left out, no counterpart here: alpha_nDCG@5'],
  ]);
  const queries = '1\tnDCG@10\t0.5\n2\tnDCG@10\t0\n';
  const [both] = await results(`${queries}all\tnDCG@10\t0.26\n`);
  expect([...both.measures]).toEqual([['nDCG@10', { value: 0.26, n: 2 }]]);
  const [alone] = await results(queries.replaceAll('\n', '\r\n'));
  expect([...alone.measures]).toEqual([['nDCG@10', { value: 0.25, n: 2 }]]);
  expect(alone.notes).toEqual(['the values of the queries are not kept']);
});

test('trec_eval: its padded names, num_q, and what is no mean', async () => {
  const [one] = await results(
    'runid                 \tall\tmine\nnum_q                 \tall\t50\nnum_ret               \tall\t5000\nmap                   \tall\t0.2123\nndcg_cut_10           \tall\t0.4\n',
  );
  expect([...one.measures]).toEqual([
    ['AP', { value: 0.2123, n: 50 }],
    ['nDCG@10', { value: 0.4, n: 50 }],
  ]);
  expect(one.notes).toEqual(['left out, no counterpart here: runid, num_ret']);
  const [queries] = await results('map\t301\t0.5\nmap\t302\t0.1\n');
  expect(queries.measures.get('AP')).toEqual({ value: 0.3, n: 2 });
  expect((await failure(decode('map\tall\t0,5\n'))).message).toContain('A value is not a number: a.txt:1: `0,5`');
});

test('a file of ten thousand queries is one result', async () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `q${i}\tRR\t${i % 2}\n`).join('');
  const [one] = await results(lines);
  expect(one.measures.get('RR')).toEqual({ value: 0.5, n: 10_000 });
});

test('a TREC run is told by its content and names its system, also where it is long', async () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `q1 Q0 d${i} ${i + 1} ${-i} my-tag\n`).join('');
  const decoded = await decode(lines);
  expect(decoded).toMatchObject({ kind: 'run', format: 'TREC run', runs: [{ model: 'my-tag', scores: 'given' }] });
});

test('records and tables are runs', async () => {
  const rows = [{ query_id: 'q', doc_id: 'a', score: 0.5 }];
  for (const text of [JSON.stringify(rows), JSON.stringify(rows[0]), 'query_id,doc_id,score\nq,a,0.5\n']) {
    const decoded = await decode(text);
    expect(decoded.kind === 'run' && [...decoded.runs[0].rankings]).toEqual([['q', { docs: ['a'], scores: [0.5] }]]);
  }
  const lines = rows.concat({ query_id: 'q', doc_id: 'b', score: 0.25 }).map((row) => JSON.stringify(row));
  expect((await decode(lines.join('\n'))).kind).toBe('run');
});

test('a long JSON file without a line end is JSON', async () => {
  const many = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`d${i}`, i]));
  expect((await decode(JSON.stringify({ q: many }))).format).toBe('JSON run');
});

test('qrels, empty files and other JSON are refused', async () => {
  expect((await failure(decode('q1 0 d1 1\n'))).message).toContain('qrels');
  expect((await failure(decode(''))).code).toBe('malformed');
  expect((await failure(decode('[1, 2]'))).code).toBe('malformed');
  expect((await failure(decodeImport(new Uint8Array([0x28, 0xb5, 0x2f, 0xfd]), 'z', measures))).message).toContain(
    'zstd',
  );
});

test('gzip in gzip is taken off, and a cut xz file is named', async () => {
  const twice = gzipSync(gzipSync(bytesOf('nDCG@10\t0.5\n')));
  expect((await decodeImport(twice, 'a.gz', measures)).format).toBe('ir_measures');
  const xz = readFileSync(join(import.meta.dirname, '../golden/exchange/hakari-bm25.json.xz'));
  expect((await failure(decodeImport(xz.subarray(0, 1000), 'h.xz', measures))).message).toMatch(
    /cannot be read to its end.*h\.xz/,
  );
  const flipped = Uint8Array.from(xz);
  flipped[1500] ^= 1;
  expect((await failure(decodeImport(flipped, 'h.xz', measures))).code).toBe('damaged');
});

/** Whatever stands in a file, it is read or refused in words; nothing else is thrown. */
async function readOrRefused(bytes: Uint8Array, take: DecodeOptions['take']): Promise<string> {
  try {
    return (await decodeImport(bytes, 'f', { renamed: new Map(), take })).kind;
  } catch (error) {
    if (error instanceof TenbinError) return error.code;
    throw error;
  }
}

test('any bytes, and files with any value in any place, are read or refused in words', async () => {
  const takes = fc.constantFrom<DecodeOptions['take']>('measures', 'rankings');
  const templates = [
    (value: unknown, key: string) => ({
      task_name: 't',
      scores: { [key]: [{ hf_subset: 'd', ndcg_at_10: value, [key]: value }] },
    }),
    (value: unknown, key: string) => ({ task_name: value, scores: value, [key]: value }),
    (value: unknown, key: string) => ({
      model: { id: 'm', method: key },
      target: { task_name: key },
      evaluation: { embedding_evaluations: value },
      metrics: { [key]: value },
    }),
    (value: unknown, key: string) => ({
      model: { id: 'm', method: 'bm25' },
      target: { task_name: key },
      evaluation: {},
      artifacts: { top_rankings: { top_k: 10, rankings: [value] } },
    }),
    (value: unknown, key: string) => ({ model_names: [key], metrics: [], stat_test: 's', [key]: { scores: value } }),
    (value: unknown, key: string) => ({ [key]: value, 'ndcg@10': value }),
    (value: unknown, key: string) => [{ 'NDCG@10': value, [key]: 0.5 }],
  ];
  const json = fc.record({
    template: fc.constantFrom(...templates),
    value: fc.jsonValue({ maxDepth: 3 }),
    key: fc.oneof(fc.string(), fc.constant('__proto__')),
  });
  const text = json.map(({ template, value, key }) => JSON.stringify(template(value, key)));
  const cells = fc.oneof(fc.constantFrom('all', 'map', 'nDCG@10', 'nan', '0.5', 'q1'), fc.string());
  const lines = fc
    .array(
      fc.array(cells, { minLength: 1, maxLength: 4 }).map((row) => row.join('\t')),
      { maxLength: 5 },
    )
    .map((rows) => rows.join('\n'));
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 40 }), text.map(bytesOf), lines.map(bytesOf));
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(bytes, takes, async (file, take) => {
      outcomes.add(await readOrRefused(file, take));
    }),
    { numRuns: 500 },
  );
  expect([...outcomes]).toEqual(expect.arrayContaining(['results', 'malformed']));
});
