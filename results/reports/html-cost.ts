import { bytesText } from '../../core/numbers.js';
import type { Board, BoardSystem } from '../board-types.js';

export interface CostColumn {
  readonly head: string;
  readonly of: (system: BoardSystem) => number | null;
  readonly text: (value: number) => string;
}

const all: readonly CostColumn[] = [
  { head: 'bytes/doc', of: ({ cost }) => cost.bytesPerDoc, text: bytesText },
  { head: 'FLOPs/query', of: ({ cost }) => cost.flopsPerQuery, text: compact },
  { head: 'postings/query', of: ({ cost }) => cost.opsPerQuery.postings ?? null, text: compact },
  { head: 'integer ops/query', of: ({ cost }) => cost.opsPerQuery.integerOps ?? null, text: compact },
  { head: 'popcount words/query', of: ({ cost }) => cost.opsPerQuery.popcountWords ?? null, text: compact },
  { head: 'p50 ms', of: ({ cost }) => cost.latencyMs.p50, text: (ms) => ms.toFixed(2) },
  { head: 'p95 ms', of: ({ cost }) => cost.latencyMs.p95, text: (ms) => ms.toFixed(2) },
];

/** The columns that at least one system has a figure for. */
export function costColumns(board: Board): readonly CostColumn[] {
  return all.filter(({ of }) => board.systems.some((system) => of(system) !== null));
}

/** Three figures and an SI prefix: 2347000 → `2.35 M`. */
export function compact(value: number): string {
  const prefixes = ['', ' k', ' M', ' G', ' T', ' P'];
  const power = value < 1000 ? 0 : Math.min(prefixes.length - 1, Math.floor(Math.log10(value) / 3));
  const scaled = value / 1000 ** power;
  return `${Number.isInteger(scaled) && scaled < 1000 ? scaled : scaled.toPrecision(3)}${prefixes[power]}`;
}
