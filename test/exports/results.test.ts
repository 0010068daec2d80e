import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOf } from '../../core/digest.js';
import { docId, type QueryId, queryId, taskId } from '../../core/ids.js';
import { exportResults, resultsFormats, type ScoredRun } from '../../results/exports/results/index.js';
import { type Decoded, decodeImport, systemText } from '../../results/imports/index.js';
import { modelNameIn } from '../../results/imports/mteb.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { scoreRun } from '../../results/score.js';
import type { FamilyName } from '../../runners/system.js';
import type { Judgements, Ranking } from '../../tasks/types.js';
import { bytesOf, failure } from '../readers/bytes.js';

interface Made {
  readonly rankings: ReadonlyMap<QueryId, Ranking>;
  readonly judged: Judgements;
  readonly system?: string;
  readonly family?: FamilyName;
  readonly depth?: number;
}

function scored({ rankings, judged, system = 'bm25', family = 'lexical', depth = 1000 }: Made): ScoredRun {
  const digest = digestOf('test');
  const kept = { docs: 40, queries: judged.size, qrels: 0 };
  return {
    run: {
      task: { id: taskId('mine/faq'), digest },
      system,
      family,
      digest,
      rankings,
      cost: { bytesPerDoc: 1, indexBytes: 1, modelBytes: 0, work: {} },
      conditions: { depth, tenbin: '0.1.0', platform: 'linux' },
      timing: { prepareMs: 1, queryMs: { p50: 1, p95: 1, mean: 1 } },
    },
    judged,
    manifest: { suite: 'mine', task: 'faq', language: 'en', digest, counts: { read: kept, kept } },
  };
}

/** Small scores make ties; ids are anything, also of other planes and of objects' own names. */
const id = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.constantFrom('__proto__', '10', '😀', 'constructor'),
);
const list = fc.uniqueArray(fc.tuple(id, fc.integer({ min: 0, max: 5 })), { selector: ([doc]) => doc, maxLength: 30 });
const made: fc.Arbitrary<Made> = fc
  .uniqueArray(fc.tuple(id, list, list), { selector: ([query]) => query, minLength: 1, maxLength: 4 })
  .map((queries) => ({
    rankings: new Map(
      queries.map(([query, rows]) => {
        const best = [...rows].sort(([, a], [, b]) => b - a);
        return [queryId(query), { docs: best.map(([doc]) => docId(doc)), scores: best.map(([, score]) => score / 7) }];
      }),
    ),
    judged: new Map(
      queries.map(([query, , rows]) => [queryId(query), new Map(rows.map(([doc, grade]) => [docId(doc), grade - 1]))]),
    ),
  }));

const decode = (text: string, take: 'measures' | 'rankings' = 'measures') =>
  decodeImport(bytesOf(text), 'export', { renamed: new Map(), take });

function resultsIn(decoded: Decoded) {
  if (decoded.kind === 'results') return decoded.results;
  throw new Error('It was taken for a run.');
}

const exported = (form: string, run: ScoredRun, measures: readonly string[] = []) =>
  exportResults(form, { runs: [run], measures: measures.map(parseMeasure) });

function means(run: ScoredRun, names: readonly string[], judged = run.judged) {
  const { totals } = scoreRun({ rankings: run.run.rankings, judged, measures: names.map(parseMeasure) });
  return new Map([...totals].flatMap(([name, value]) => (value === null ? [] : [[name, value.expected]])));
}

const cut = (base: string, cutoffs: readonly number[]) => cutoffs.map((k) => `${base}@${k}`);

test('MTEB: every mean is read back as it was, with task and model', async () => {
  const names = ['nDCG', 'AP', 'R', 'P', 'RR', 'Success'].flatMap((base) => cut(base, [1, 3, 5, 10, 20, 100, 1000]));
  await fc.assert(
    fc.asyncProperty(made, fc.string({ unit: 'grapheme', minLength: 1 }), async (facts, system) => {
      const run = scored({ ...facts, system });
      const [result, meta] = exported('mteb', run);
      const [one, ...others] = resultsIn(await decode(result.text));
      expect(others).toEqual([]);
      expect(one).toMatchObject({ task: 'mine/faq', part: { split: 'test', subset: 'default' }, notes: [] });
      expect(new Map([...one.measures].map(([name, { value }]) => [name, value]))).toEqual(means(run, names));
      expect(modelNameIn(meta.text, 'meta')).toBe(system);
    }),
    { numRuns: 40 },
  );
});

const binary = (judged: Judgements): Judgements =>
  new Map(
    [...judged].map(([query, grades]) => [query, new Map([...grades].map(([doc, grade]) => [doc, grade > 0 ? 1 : 0]))]),
  );

test('HAKARI-Bench: means over grades above 0, and the order of the best 100', async () => {
  const names = [
    ...cut('nDCG', [10, 100]),
    ...cut('R', [10, 100]),
    ...cut('Success', [1, 10, 100]),
    'RR@10',
    "AP(norm='min')@100",
  ];
  const systems = fc.constantFrom<[string, FamilyName]>(
    ['bm25', 'lexical'],
    ['lsa@256+int8', 'dense'],
    ['bm25 > ce-tiny@50', 'reranker'],
    ['hybrid > ce-tiny@100', 'reranker'],
    ['hybrid > lsa@256@100', 'dense'],
    ['hybrid > a@100 > b@20', 'reranker'],
    ['colbert', 'late-interaction'],
    ['splade+prune(query=8)', 'sparse'],
  );
  await fc.assert(
    fc.asyncProperty(made, systems, async (facts, [system, family]) => {
      const run = scored({ ...facts, system, family });
      const [{ text }] = exported('hakari', run);
      const [one, ...others] = resultsIn(await decode(text));
      expect(others).toEqual([]);
      expect([systemText(one, undefined), one.task, one.family]).toEqual([system, 'mine/faq', family]);
      const expected = [...means(run, names, binary(run.judged))].map(([name, value]) => [
        name,
        { value, n: run.judged.size },
      ]);
      expect(new Map(one.measures)).toEqual(new Map(expected as [string, { value: number; n: number }][]));
      const decoded = await decode(text, 'rankings');
      if (decoded.kind !== 'run') throw new Error('It was taken for results.');
      const [{ rankings, ...named }] = decoded.runs;
      expect(systemText(named, undefined)).toBe(system);
      expect(new Map([...rankings].map(([query, { docs }]) => [query, docs]))).toEqual(
        new Map([...run.run.rankings].map(([query, ranking]) => [query, byScoreThenId(ranking)])),
      );
    }),
    { numRuns: 60 },
  );
});

test('ir_measures: the summary and the values of the queries', async () => {
  const names = ['nDCG@10', 'P(rel=2)@5', "nDCG(dcg='exp-log2')@10", 'RR', 'Judged@10'];
  const writable = made.filter(({ judged }) =>
    [...judged.keys()].every((query) => query !== 'all' && !/[\t\n\r]|\s$/.test(query)),
  );
  await fc.assert(
    fc.asyncProperty(writable, async (facts) => {
      const run = scored(facts);
      const [{ path, text }] = exported('ir_measures', run, names);
      expect(path).toBe('mine__faq.tsv');
      const [one] = resultsIn(await decode(text));
      expect(new Map([...one.measures].map(([name, { value }]) => [name, value]))).toEqual(means(run, names));
      expect(new Set([...one.measures.values()].map(({ n }) => n))).toEqual(new Set([run.judged.size]));
      const { values } = scoreRun({
        rankings: facts.rankings,
        judged: facts.judged,
        measures: names.map(parseMeasure),
      });
      const [[query]] = facts.judged;
      expect(text).toContain(`${query}\tRR\t${values.get('RR')?.expected[0]}\n`);
    }),
    { numRuns: 40 },
  );
});

/** Code points compare as UTF-8 bytes do. */
function byScoreThenId({ docs, scores }: Ranking): string[] {
  const rows = docs.map((doc, i) => ({ doc, score: scores[i], bytes: Buffer.from(doc) }));
  return rows.sort((a, b) => b.score - a.score || Buffer.compare(a.bytes, b.bytes)).map(({ doc }) => doc);
}

const one: Made = {
  rankings: new Map([[queryId('q1'), { docs: ['b', 'a', 'c'].map(docId), scores: [2, 1, 1] }]]),
  judged: new Map([
    [
      queryId('q1'),
      new Map([
        [docId('a'), 2],
        [docId('x'), 0],
      ]),
    ],
  ]),
};

test('MTEB: the layout, and null for what is not known', () => {
  const files = exported('mteb', scored({ ...one, system: '../up' }));
  expect(files.map(({ path }) => path)).toEqual([
    expect.stringMatching(/^results\/up\.[0-9a-f]{10}\/no_revision_available\/mine__faq\.json$/),
    expect.stringMatching(/^results\/up\.[0-9a-f]{10}\/no_revision_available\/model_meta\.json$/),
  ]);
  const result = JSON.parse(files[0].text);
  expect(result).toMatchObject({
    task_name: 'mine__faq',
    mteb_version: null,
    evaluation_time: null,
    kg_co2_emissions: null,
  });
  expect(result.scores.test[0]).toMatchObject({
    hf_subset: 'default',
    languages: ['en'],
    mrr_at_10: (1 / 2 + 1 / 3) / 2,
  });
  expect(result.scores.test[0].main_score).toBe(result.scores.test[0].ndcg_at_10);
  expect(JSON.parse(files[1].text)).toMatchObject({ name: '../up', revision: null, n_parameters: null });
});

test('cut-offs below the depth of a run are left out, those beyond the collection are not', () => {
  const keys = (depth: number) =>
    Object.keys(JSON.parse(exported('mteb', scored({ ...one, depth }))[0].text).scores.test[0]);
  expect(keys(10)).toContain('recall_at_10');
  expect(keys(10)).not.toContain('recall_at_20');
  expect(keys(39)).not.toContain('recall_at_100');
  expect(keys(40)).toContain('recall_at_1000');
});

test('HAKARI-Bench: ties by document id, and grade 0 is not relevant', () => {
  const file = JSON.parse(exported('hakari', scored(one))[0].text);
  expect(file.artifacts.top_rankings.rankings[0]).toMatchObject({ query_id: 'q1', corpus_ids: ['b', 'a', 'c'] });
  expect(file.artifacts.top_rankings.qrels).toEqual([{ query_id: 'q1', relevant_corpus_ids: ['a'] }]);
  expect(file.generated_at_utc).toBeNull();
});

test('what a form cannot hold is refused by name', async () => {
  const run = scored({ ...one, judged: new Map([[queryId('all'), new Map()]]) });
  expect((await failure(Promise.resolve().then(() => exported('ir_measures', run, ['RR'])))).message).toContain(
    '`all`',
  );
  const two = { runs: [scored(one), scored({ ...one, system: 'other' })], measures: [] };
  expect(() => exportResults('mteb', two)).toThrow('one system at a time: bm25, other');
  expect(() => exportResults('mteb', { runs: [], measures: [] })).toThrow('no run to export');
  expect(() => exportResults('mtbe', { runs: [scored(one)], measures: [] })).toThrow('Did you mean `mteb`?');
  for (const { name } of resultsFormats.plugins)
    expect(() => resultsFormats.bind(`${name}@1`)).toThrow('takes no argument');
});
