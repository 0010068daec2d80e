import { fixed } from '../core/numbers.js';
import type { CandidateFacts, PoolReport, StageValues } from '../results/candidates.js';
import { textTable } from './output.js';

/** Values under one heading, such as a system on a task. */
interface Staged {
  /** Cells before the measure's. */
  readonly head: readonly (string | number)[];
  readonly values: readonly StageValues[];
}

export const stageColumns = [
  'measure',
  'ideal',
  'forced',
  'first',
  'reranked',
  'oracle',
  'headroom',
  'captured',
] as const;

/** One line for each measure, ideal and form; both forms are one line where the safeguard's rows change nothing. */
export function stageTable(head: readonly string[], staged: readonly Staged[]): string {
  const rows = staged.flatMap(({ head: cells, values }) =>
    shownValues(values).map(({ measure, ideal, forced, first, reranked, oracle, headroom, capturedShare }) => [
      ...cells,
      measure,
      ideal,
      forced,
      ...[first, reranked, oracle, headroom].map((value) => fixed(value)),
      percent(capturedShare),
    ]),
  );
  return textTable([...head, ...stageColumns], rows);
}

function shownValues(values: readonly StageValues[]): readonly (Omit<StageValues, 'forced'> & { forced: string })[] {
  const others = new Map(values.filter(({ forced }) => forced === 'without').map((row) => [keyOf(row), row]));
  const isSame = (row: StageValues) => {
    const other = others.get(keyOf(row)) ?? row;
    return row.first === other.first && row.reranked === other.reranked && row.oracle === other.oracle;
  };
  if (!values.every(isSame)) return values;
  return values.filter(({ forced }) => forced === 'with').map((row) => ({ ...row, forced: 'either' }));
}

function keyOf({ measure, ideal }: StageValues): string {
  return `${ideal} ${measure}`;
}

/** The same in full precision, for csv-stringify; null is an empty cell. */
export function stageRecords(staged: readonly Staged[]): (string | number | null)[][] {
  return staged.flatMap(({ head, values }) =>
    values.map(({ measure, ideal, forced, first, reranked, oracle, headroom, capturedShare }) => [
      ...head,
      ...[measure, ideal, forced],
      ...[first, reranked, oracle, headroom, capturedShare],
    ]),
  );
}

/** What each list of candidates holds; a pool without forced rows has one line. */
export function factsTable(head: readonly string[], pools: readonly { head: readonly string[]; pool: PoolReport }[]) {
  const rows = pools.flatMap(({ head: cells, pool }) => {
    const shown = pool.with.forcedRows === 0 ? [['none', pool.with] as const] : Object.entries(pool);
    return shown.map(([form, facts]) => [...cells, form, ...factCells(facts)]);
  });
  return textTable([...head, 'forced', ...factColumns], rows);
}

const factColumns = ['queries', 'depth', 'forced rows', 'query coverage', 'relevant', 'coverage', 'candidate recall'];

function factCells(facts: CandidateFacts): (string | number)[] {
  const { queries, depth, forcedRows, queryCoverage, relevant, relevantCandidates, relevantCoverage } = facts;
  const { measure, value } = facts.candidateRecall;
  return [
    queries,
    depth === null ? '–' : depth.min === depth.max ? String(depth.max) : `${depth.min}–${depth.max}`,
    forcedRows,
    percent(queryCoverage),
    `${relevantCandidates} / ${relevant}`,
    percent(relevantCoverage),
    `${fixed(value)} ${measure.slice(measure.indexOf('@'))}`,
  ];
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(1)} %`;
}
