import { groupBy } from '../../core/group.js';
import { fixed } from '../../core/numbers.js';
import type { RerankList } from '../../runners/cost/rerank-calls.js';
import type { TextTokens } from '../../runners/cost/rerank-prompts.js';
import { textTable } from '../output.js';
import type { OurRow } from './our-rows.js';
import type { PaperRow } from './paper-compare.js';
import type { CompareSummary } from './summary.js';

type Rows<Row> = readonly (readonly [model: string, rows: readonly Row[]])[];

export function ourTables(rows: readonly OurRow[]): string {
  const head = ['schedule', 'calls', 'least–most', 'input tokens', 'output tokens', 'TFLOP', 'queries/PFLOP'];
  const cells = (row: OurRow) => [
    row.schedule,
    shortNumber(row.calls),
    row.callsMin === row.callsMax ? 'always' : `${row.callsMin}–${row.callsMax}`,
    shortNumber(row.inputTokens),
    shortNumber(row.outputTokens),
    significant(row.flops / 1e12),
    row.QPP === null ? '–' : significant(row.QPP),
  ];
  return blocks(byModel(rows), (of) => textTable(head, of.map(cells)));
}

export function paperTables(rows: readonly PaperRow[]): string {
  const head = ['schedule', 'nDCG@10', 'calls', 'PFLOP', 'RPP', 'QPP', 'as printed', 'our PFLOP', 'ours/eer'];
  const cells = (row: PaperRow) => [
    row.schedule,
    fixed(row.ndcg10, 3),
    shortNumber(row.calls),
    row.published === null ? significant(row.pflop) : fixed(row.pflop, 3),
    fixed(row.RPP, 2),
    row.QPP === null ? '–' : significant(row.QPP),
    row.published === null ? '–' : differences(row.published),
    significant(row.ours.pflop),
    fixed(row.ours.ofEstimator, 3),
  ];
  return blocks(byModel(rows), (of) => textTable(head, of.map(cells)));
}

/** What the figures hang on that nobody measured. */
export function assumptionLines(list: RerankList, texts: TextTokens): readonly string[] {
  const { docs, top, orders, seed } = list;
  const around =
    texts.instruction === undefined ? 'the words and marks of our own prompts' : `${texts.instruction} tokens`;
  const answer = texts.answer === undefined ? 'the shortest answer asked for' : `${texts.answer} tokens`;
  return [
    `One query, the best ${Math.min(top, docs)} of ${docs} passages, a judge that is always right. A call is a prompt: pairs are two.`,
    `Heaps take fewer or more calls by the first stage's order: means over ${orders} random orders, seed ${seed}.`,
    `Assumed: a query of ${texts.query} tokens, passages of ${texts.passage}, around them ${around}, generated ${answer}.`,
    '1 multiply-add is 2 FLOPs, matrix multiplications only; keys and values are kept while an answer is generated.',
  ];
}

export function summaryLines({ frontier, dominated }: CompareSummary): readonly string[] {
  const many = new Set([...frontier, ...dominated].map(({ model }) => model)).size > 1;
  const name = ({ model, schedule }: { readonly model: string; readonly schedule: string }) =>
    many ? `${schedule} (${model})` : schedule;
  return [
    'On the frontier, and the nDCG@10 that a PetaFLOP more bought:',
    ...frontier.map((step) => {
      const gain =
        step.gain === null
          ? ''
          : `, +${fixed(step.gain.ndcg10, 3)} for ${significant(step.gain.pflop)} PFLOP: ${significant(step.gain.ndcg10PerPflop)} per PFLOP`;
      return `  ${name(step)}: ${fixed(step.ndcg10, 3)} for ${significant(step.flops / 1e15)} PFLOP${gain}`;
    }),
    ...(dominated.length > 0 ? ['Dominated (another is at least as good and no dearer):'] : []),
    ...dominated.map((point) => `  ${name(point)} by ${point.by.map(name).join(', ')}`),
    'Means of one collection without intervals: small differences of nDCG@10 may be noise.',
  ];
}

function differences(published: NonNullable<PaperRow['published']>): string {
  if (published.differs.length === 0) return 'yes';
  return published.differs.map((name) => `${name} ${published[name]}`).join(', ');
}

function byModel<Row extends { readonly model: string }>(rows: readonly Row[]): Rows<Row> {
  return [...groupBy(rows, ({ model }) => model)];
}

function blocks<Row>(rows: Rows<Row>, table: (rows: readonly Row[]) => string): string {
  return rows.map(([model, of]) => `${model}\n${table(of)}`).join('\n\n');
}

/** Four digits: 0.09158, 1.865, 27.50, 1190. */
function significant(value: number): string {
  return value >= 1000 ? String(Math.round(value)) : value === 0 ? '0' : Number(value.toPrecision(4)).toString();
}

const shortNumber = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(1));
