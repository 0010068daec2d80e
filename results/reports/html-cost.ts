import { bytesText, fixed } from '../../core/numbers.js';
import { type Stage, stages } from '../../runners/system.js';
import { type Board, type BoardCost, type BoardSystem, own, type Ratio } from '../board-types.js';
import { compact } from '../pareto/cost-text.js';
import { shownName } from './names.js';

export interface CostColumn {
  readonly head: string;
  readonly of: (system: BoardSystem) => number | null;
  readonly text: (value: number) => string;
  /** Why there is no number, as a sentence. */
  readonly why: (system: BoardSystem) => string;
}

const unknown = 'Not known: this run did not record it.';
const uncounted = 'No run of this system counted any.';
const flopsUnknown = 'Not known: for a model of it there is no architecture, or its tokens were not counted.';
const untimed = 'Not known: nothing was timed, or queries were timed in blocks, of which no percentile is known.';
const milliseconds = (ms: number): string => fixed(ms, 2);

/** Beside the ranking: what most choices hang on. */
const brief: readonly CostColumn[] = [
  column('bytes/doc', ({ bytesPerDoc }) => bytesPerDoc, { text: bytesText, why: unknown }),
  column('FLOPs/query', ({ flopsPerQuery }) => flopsPerQuery, { text: compact, why: flopsUnknown }),
  column('postings/query', ({ opsPerQuery }) => opsPerQuery.postings ?? null, { text: compact, why: uncounted }),
  column('batch p50 ms', ({ latencyMs }) => latencyMs.p50, { text: milliseconds, why: untimed }),
  column('batch p95 ms', ({ latencyMs }) => latencyMs.p95, { text: milliseconds, why: untimed }),
];

const operations = [
  ['postings/query', 'postings'],
  ['integer ops/query', 'integerOps'],
  ['popcount words/query', 'popcountWords'],
  ['distances/query', 'distanceComputations'],
  ['look-ups/query', 'lookUps'],
  ['tokens/query', 'tokens'],
  ['prompt tokens/query', 'promptTokens'],
  ['completion tokens/query', 'completionTokens'],
  ['calls/query', 'calls'],
] as const;

/** Everything that a board holds of cost; ratios are of the primary measure. */
function wholeOf({ primary }: Board): readonly CostColumn[] {
  const bytes = { text: bytesText, why: unknown };
  const flops = { text: compact, why: flopsUnknown };
  return [
    column('bytes/doc', ({ bytesPerDoc }) => bytesPerDoc, bytes),
    column('bytes/query', ({ bytesPerQuery }) => bytesPerQuery, {
      ...bytes,
      why: 'It searches the text itself, or nothing is known of it.',
    }),
    column('index', ({ indexBytes }) => indexBytes, bytes),
    column('index overhead', ({ indexOverheadBytes }) => indexOverheadBytes, bytes),
    column('weights', ({ modelBytes }) => modelBytes, bytes),
    column('FLOPs/query', ({ flopsPerQuery }) => flopsPerQuery, flops),
    ...stages.map((stage) =>
      column(`FLOPs ${stage}`, (cost) => stageFlops(cost, stage), {
        ...flops,
        why: 'It has no such stage, or its FLOPs are not known.',
      }),
    ),
    column('FLOPs p50', (cost) => cost.flops?.p50 ?? null, flops),
    column('FLOPs p95', (cost) => cost.flops?.p95 ?? null, flops),
    column('FLOPs max', (cost) => cost.flops?.max ?? null, flops),
    column('FLOPs padded', (cost) => cost.flops?.padded ?? null, {
      ...flops,
      why: 'No model of it padded anything, or it was not counted.',
    }),
    ...operations.map(([head, unit]) =>
      column(head, ({ opsPerQuery }) => opsPerQuery[unit] ?? null, { text: compact, why: uncounted }),
    ),
    column('batch p50 ms', ({ latencyMs }) => latencyMs.p50, { text: milliseconds, why: untimed }),
    column('batch p95 ms', ({ latencyMs }) => latencyMs.p95, { text: milliseconds, why: untimed }),
    ...ratioColumns(`RPP(${shownName(primary, 30)})`, ({ RPP }) => own(RPP, primary) ?? null),
    ...ratioColumns('QPP', ({ QPP }) => QPP),
  ];
}

/** Two figures that are never one for the other. */
function ratioColumns(name: string, of: (cost: BoardCost) => Ratio | null): readonly CostColumn[] {
  const why = 'Undefined: some query needs no FLOPs, or they are not known.';
  return [
    column(`${name}, mean of ratios`, (cost) => of(cost)?.meanOfRatios ?? null, { text: compact, why }),
    column(`${name}, ratio of means`, (cost) => of(cost)?.ratioOfMeans ?? null, { text: compact, why }),
  ];
}

const stageFlops = ({ flopsByStage }: BoardCost, stage: Stage): number | null => flopsByStage[stage] ?? null;

function column(
  head: string,
  of: (cost: BoardCost) => number | null,
  { text, why }: { readonly text: CostColumn['text']; readonly why: string },
): CostColumn {
  return {
    head,
    of: ({ cost }) => of(cost),
    text,
    why: ({ imported }) => (imported === undefined ? why : 'Imported: nothing is known of its cost.'),
  };
}

/** The columns of the ranking that at least one system has a figure for. */
export function costColumns(board: Board): readonly CostColumn[] {
  return present(board, brief);
}

/** The same of the table of costs. */
export function allCostColumns(board: Board): readonly CostColumn[] {
  return present(board, wholeOf(board));
}

function present({ systems }: Board, columns: readonly CostColumn[]): readonly CostColumn[] {
  return columns.filter(({ of }) => systems.some((system) => of(system) !== null));
}
