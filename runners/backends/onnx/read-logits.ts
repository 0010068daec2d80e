import { TenbinError } from '../../../core/errors.js';
import type { JobResult, Reading } from './job.js';
import type { OutputTensor } from './output-tensor.js';
import type { Padded } from './padding.js';

/** One logit per pair, or the second label's minus the first's, in float64. */
export function readLabels({ values, dims }: OutputTensor, tokens: Padded, labels: 1 | 2): JobResult {
  const given = dims[1] ?? 1;
  if (given !== labels) {
    throw new TenbinError('malformed', {
      what: 'The graph gives another number of logits than its card has labels',
      value: `${given}, not ${labels}`,
      fix: 'Correct num_labels and id2label in config.json, or write `labels` into tenbin.json; one or two can be read.',
    });
  }
  const margins = Float64Array.from({ length: tokens.rows }, (_, row) =>
    labels === 1 ? values[row] : values[2 * row + 1] - values[2 * row],
  );
  return { kind: 'margins', values: margins };
}

/** logit(yes) − logit(no) at the last position of each row: the log-odds of the two words against each other. */
export function readWords(output: OutputTensor, tokens: Padded, { yes, no }: { yes: number; no: number }): JobResult {
  const margins = Float64Array.from({ length: tokens.rows }, (_, row) => {
    const logits = logitsAt(output, row, tokens.attended[row] - 1);
    return logits[yes] - logits[no];
  });
  return { kind: 'margins', values: margins };
}

type Targets = Extract<Reading, { kind: 'likelihood' }>;

/** Mean of log softmax(logits)[token] over a row's targets, in float64; 0 where there are none. */
export function readLikelihood(
  output: OutputTensor,
  { rows }: Padded,
  { offsets, positions, tokens }: Targets,
): JobResult {
  const margins = Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let i = offsets[row]; i < offsets[row + 1]; i++) {
      sum += logSoftmax(logitsAt(output, row, positions[i]), tokens[i]);
    }
    return sum / Math.max(1, offsets[row + 1] - offsets[row]);
  });
  return { kind: 'margins', values: margins };
}

/** The vocabulary's logits at one position of a row. */
function logitsAt({ values, dims }: OutputTensor, row: number, position: number): Float32Array {
  const at = (row * dims[1] + position) * dims[2];
  return values.subarray(at, at + dims[2]);
}

/** The greatest logit is taken off first, so that no exponential overflows. */
function logSoftmax(logits: Float32Array, token: number): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (const logit of logits) if (logit > greatest) greatest = logit;
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - greatest);
  return logits[token] - greatest - Math.log(sum);
}
