import { TenbinError } from '../../core/errors.js';
import { unknownName } from '../../core/suggest.js';
import { eerFlops } from '../../runners/cost/eer.js';
import { asPrinted, type CostFigures, differing, figuresOf } from '../../runners/cost/paper-rows.js';
import { type PaperCell, type PaperModel, paperTable2 } from '../../runners/cost/paper-table2.js';
import { checkAnswers } from '../../runners/cost/rerank-flops.js';
import { flopsOfPaperCell } from '../../runners/cost/rerank-schedule.js';
import type { Schedule } from '../../runners/schedules/schedule.js';
import type { ComparedModel } from './our-rows.js';

/** What the paper prints, and which of our figures are others. */
interface Published extends CostFigures {
  readonly ndcg10: number;
  readonly calls: number;
  readonly differs: ReturnType<typeof differing>;
}

/** A schedule of table 2 by its estimator, and by our count on the same calls and tokens. */
export interface PaperRow extends CostFigures {
  readonly schedule: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** By the estimator, rounded to a whole number. */
  readonly flops: number;
  readonly model: string;
  /** Null for models that the table has not. */
  readonly ndcg10: number | null;
  /** Without the paper's cutting and rounding. */
  readonly exact: CostFigures;
  readonly published: Published | null;
  readonly ours: { readonly flops: number; readonly pflop: number; readonly ofEstimator: number };
}

const tokensOfOthers: PaperModel = 'flan-t5-large';

/** `queryTokens` is the length that query likelihood reads, which no table has. */
export function paperRows(
  models: readonly ComparedModel[],
  schedules: readonly Schedule[],
  queryTokens: number,
): readonly PaperRow[] {
  for (const { model, architecture } of models) checkAnswers(model, architecture);
  return models.flatMap((model) => schedules.map((schedule) => paperRow(model, schedule, queryTokens)));
}

/**
 * The column of the table that is of this very model, by its name: other weights with the same layers have another
 * quality. Models that have none are counted with the tokens of Flan-T5-large.
 */
function columnOf(model: string): PaperModel | null {
  const [, name] = /^(?:hub:google\/)?([^@]+)/.exec(model.toLowerCase()) ?? [];
  return [...paperTable2.keys()].find((known) => known === name) ?? null;
}

function paperRow({ model, architecture }: ComparedModel, schedule: Schedule, queryTokens: number): PaperRow {
  const column = columnOf(model);
  const cell = cellOf(column ?? tokensOfOthers, schedule.id);
  const { tokens } = cell;
  const ndcg10 = column === null ? null : cell.ndcg10;
  const flops = eerFlops(architecture, tokens);
  const exact = figuresOf(flops, ndcg10);
  const figures = ndcg10 === null ? exact : asPrinted(flops, ndcg10);
  const ours = flopsOfPaperCell(architecture, schedule, cell, queryTokens);
  return {
    schedule: schedule.id,
    ...tokens,
    flops: Math.round(flops),
    model,
    ndcg10,
    ...figures,
    exact,
    published: ndcg10 === null ? null : publishedOf(cell, figures),
    ours: { flops: Math.round(ours), pflop: ours / 1e15, ofEstimator: ours / flops },
  };
}

function publishedOf(cell: PaperCell, figures: CostFigures): Published {
  const { ndcg10, calls, pflop, RPP, QPP, tokens } = cell;
  return { ndcg10, calls, pflop, RPP, QPP, differs: differing({ ...figures, calls: tokens.calls }, cell) };
}

function cellOf(column: PaperModel, schedule: string): PaperCell {
  const cells = paperTable2.get(column) ?? new Map<string, PaperCell>();
  const cell = cells.get(schedule);
  if (cell !== undefined) return cell;
  if (!schedule.includes('@'))
    throw unknownName('schedule of table 2', schedule, [...cells.keys()], 'tenbin flops compare --help');
  throw new TenbinError('usage', {
    what: 'Table 2 has schedules with the parameters of its authors only',
    value: schedule,
    fix: 'Leave the parameters out, or take `--estimator ours`.',
  });
}
