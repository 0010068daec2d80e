import { describe, expect, test } from 'vitest';
import { type Json, prettyJson } from '../../core/canonical.js';
import { docId, queryId } from '../../core/ids.js';
import { parseMeasure } from '../../results/measures/parse.js';
import { type ScoreRequest, scoreRun } from '../../results/score.js';
import { scoreReport } from '../../results/score-report.js';

type Entries = Readonly<Record<string, readonly (readonly [doc: string, value: number])[]>>;

const rankingsOf = (entries: Entries) =>
  new Map(
    Object.entries(entries).map(([query, rows]) => [
      queryId(query),
      { docs: rows.map(([doc]) => docId(doc)), scores: rows.map(([, score]) => score) },
    ]),
  );
const judgedOf = (entries: Entries) =>
  new Map(
    Object.entries(entries).map(([query, rows]) => [
      queryId(query),
      new Map(rows.map(([doc, grade]) => [docId(doc), grade])),
    ]),
  );

const rankings = rankingsOf({
  b: [
    ['d1', 1],
    ['d2', 1],
  ],
  a: [
    ['d1', 2],
    ['d3', 1],
  ],
  extra: [['d1', 1]],
});
const judged = judgedOf({ a: [['d3', 2]], b: [['d1', 1]], gone: [['d9', 1]] });
const measures = ['RR@10', 'NumRel', 'P(rel=2)@1'].map(parseMeasure);

const score = (options: Partial<ScoreRequest> = {}) => scoreRun({ rankings, judged, measures, ...options });

describe('scoreRun', () => {
  test('counts every topic of the qrels, missing ones with 0, and no other', () => {
    const scores = score();
    expect(scores.queries).toEqual(['a', 'b', 'gone']);
    expect(scores.missing).toEqual(['gone']);
    expect(scores.unjudged).toEqual(['extra']);
    expect([...(scores.values.get('RR@10')?.expected ?? [])]).toEqual([1 / 2, 3 / 4, 0]);
    expect(scores.totals.get('RR@10')).toEqual({ expected: 1.25 / 3, min: 1 / 3, max: 1.5 / 3 });
    expect(scores.totals.get('NumRel')).toEqual({ expected: 3, min: 3, max: 3 });
  });

  test('counts what the run has where that is asked for', () => {
    const scores = score({ topics: 'retrieved' });
    expect(scores.queries).toEqual(['a', 'b']);
    expect(scores.missing).toEqual(['gone']);
    expect(scores.totals.get('RR@10')?.expected).toBe(1.25 / 2);
  });

  test('has no mean where no query counts', () => {
    const { totals } = score({ topics: 'retrieved', rankings: new Map() });
    expect(totals.get('RR@10')).toBeNull();
    expect(totals.get('NumRel')).toEqual({ expected: 0, min: 0, max: 0 });
  });

  test('in a fixed order gives that order thrice', () => {
    expect(score({ ties: 'trec' }).totals.get('RR@10')).toEqual({ expected: 1 / 3, min: 1 / 3, max: 1 / 3 });
    expect(score({ ties: 'id' }).totals.get('RR@10')?.expected).toBe(1.5 / 3);
    expect(score({ ties: 'input' }).totals.get('RR@10')?.expected).toBe(1.5 / 3);
  });

  test('takes the level for measures without their own', () => {
    const levels = scoreRun({ rankings, judged, measures: ['P@2', 'P(rel=1)@2'].map(parseMeasure), level: 2 });
    expect(levels.totals.get('P@2')?.expected).toBe(0.5 / 3);
    expect(levels.totals.get('P(rel=1)@2')?.expected).toBe(1 / 3);
  });

  test('looks at judged documents only, as the setting of a measure does', () => {
    expect(score({ documents: 'judged' }).totals.get('RR@10')?.expected).toBe(2 / 3);
    const own = scoreRun({ rankings, judged, measures: [parseMeasure('RR(judged_only=True)@10')] });
    expect(own.totals.get('RR(judged_only=True)@10')?.expected).toBe(2 / 3);
  });

  test('rounds stored scores before it looks for ties', () => {
    const close = rankingsOf({
      a: [
        ['d1', 1 + 2 ** -30],
        ['d3', 1],
      ],
    });
    const of = (precision: 'f64' | 'f32') =>
      scoreRun({ rankings: close, judged: judgedOf({ a: [['d3', 1]] }), measures: [parseMeasure('RR')], precision });
    expect(of('f64').totals.get('RR')?.expected).toBe(1 / 2);
    expect(of('f32').totals.get('RR')).toEqual({ expected: 3 / 4, min: 1 / 2, max: 1 });
  });

  test('names the run, query and document of a NaN', () => {
    const broken = rankingsOf({ a: [['d1', Number.NaN]] });
    expect(() => score({ rankings: broken, run: 'bm25' })).toThrow(/query `a` of bm25, document `d1`/);
  });
});

describe('scoreReport', () => {
  test('is the JSON of formats.md §5', () => {
    const scores = score({ topics: 'all' });
    const report = scoreReport({
      qrels: 'q.txt',
      ties: 'expected',
      runs: [{ run: 'a.run', scores }],
      perQuery: 'shown',
    });
    expect(report).toEqual({
      qrels: 'q.txt',
      ties: 'expected',
      runs: [
        {
          run: 'a.run',
          queries: 3,
          missing: ['gone'],
          mean: { 'RR@10': 1.25 / 3, NumRel: 3, 'P(rel=2)@1': 0 },
          range: {
            'RR@10': { min: 1 / 3, max: 1.5 / 3 },
            NumRel: { min: 3, max: 3 },
            'P(rel=2)@1': { min: 0, max: 0 },
          },
          perQuery: {
            a: { 'RR@10': 0.5, NumRel: 1, 'P(rel=2)@1': 0 },
            b: { 'RR@10': 0.75, NumRel: 1, 'P(rel=2)@1': 0 },
            gone: { 'RR@10': 0, NumRel: 1, 'P(rel=2)@1': 0 },
          },
        },
      ],
    });
  });

  test('leaves the queries out, and holds hostile ids', () => {
    const hostile = { ['__proto__']: [['d', 1]] } as const satisfies Entries;
    const scores = scoreRun({
      rankings: new Map(),
      judged: judgedOf(hostile),
      measures: [parseMeasure('RR')],
      topics: 'all',
    });
    const request = { qrels: 'q', ties: 'trec', runs: [{ run: 'r', scores }] } as const;
    expect(scoreReport({ ...request, perQuery: 'left-out' }).runs[0]).not.toHaveProperty('perQuery');
    const json: Json = scoreReport({ ...request, perQuery: 'shown' });
    expect(JSON.parse(prettyJson(json)).runs[0].perQuery).toEqual(JSON.parse('{"__proto__":{"RR":0}}'));
  });
});

describe('depth', () => {
  const rankings = rankingsOf({
    a: [
      ['d1', 3],
      ['d2', 2],
      ['d3', 2],
      ['d4', 1],
    ],
  });
  const judged = judgedOf({
    a: [
      ['d3', 1],
      ['d4', 1],
    ],
  });
  const measures = ['NumRet', 'RR', 'P@2'].map(parseMeasure);
  const at = (depth: number, ties: 'expected' | 'trec' | 'input') =>
    [...scoreRun({ rankings, judged, measures, depth, ties }).totals.values()].map((value) => value?.expected);

  test('of a fixed order takes the first documents, whatever is tied', () => {
    expect(at(1, 'trec')).toEqual([1, 0, 0]);
    expect(at(2, 'trec')).toEqual([2, 1 / 2, 1 / 2]);
    expect(at(2, 'input')).toEqual([2, 0, 0]);
    expect(at(4, 'trec')).toEqual([4, 1 / 2, 1 / 2]);
    expect(at(5, 'trec')).toEqual([4, 1 / 2, 1 / 2]);
  });

  test('over all orders cuts no tie', () => {
    expect(at(1, 'expected')).toEqual([1, 0, 0]);
    expect(at(2, 'expected')).toEqual([3, (1 / 2 + 1 / 3) / 2, 1 / 4]);
    expect(at(3, 'expected')).toEqual(at(2, 'expected'));
    expect(at(4, 'expected')?.[0]).toBe(4);
  });

  test('comes before unjudged documents are taken out', () => {
    const scores = scoreRun({ rankings, judged, measures, depth: 2, ties: 'trec', documents: 'judged' });
    expect(scores.totals.get('NumRet')?.expected).toBe(1);
  });
});

test('a report without its summary has empty means and the values of the queries', () => {
  const report = scoreReport({
    qrels: 'q',
    ties: 'expected',
    runs: [{ run: 'r', scores: score() }],
    perQuery: 'shown',
    summary: 'left-out',
  });
  expect(report.runs[0]).toMatchObject({ mean: {}, range: {}, queries: 3 });
  expect(Object.keys(report.runs[0].perQuery ?? {})).toEqual(['a', 'b', 'gone']);
});
