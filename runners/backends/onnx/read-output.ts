import { TenbinError } from '../../../core/errors.js';
import type { JobResult, Projection, Reading } from './job.js';
import type { OutputTensor } from './output-tensor.js';
import type { Padded } from './padding.js';
import { readLabels, readLikelihood, readWords } from './read-logits.js';
import { readSparse } from './read-sparse.js';
import { readPooled, readTokens } from './read-vectors.js';

export interface ReadingOf {
  readonly reading: Reading;
  readonly projections: readonly Projection[];
}

/** Takes off a graph's output what is asked for; the output itself never leaves the thread. */
export function readOutput(output: OutputTensor, tokens: Padded, { reading, projections }: ReadingOf): JobResult {
  checkPositions(output.dims, tokens, reading.kind);
  switch (reading.kind) {
    case 'pooled':
      return readPooled(output, tokens, { ...reading, projections });
    case 'tokens':
      return readTokens(output, tokens, { skip: new Set(reading.skip), projections });
    case 'sparse':
      return readSparse(output, tokens, { logarithms: reading.logarithms, skip: new Set(reading.skip) });
    case 'labels':
      return readLabels(output, tokens, reading.labels);
    case 'words':
      return readWords(output, tokens, reading);
    case 'likelihood':
      return readLikelihood(output, tokens, reading);
  }
}

/** Some exports keep the last position's logits only; with padding that is not each row's last. */
function checkPositions(dims: readonly number[], { rows, width }: Padded, kind: Reading['kind']): void {
  if (dims[0] === rows && (dims.length < 3 || dims[1] === width)) return;
  throw new TenbinError('refused', {
    what: 'The graph gave another number of rows or positions than it was fed',
    value: `[${dims.join(', ')}] for ${rows} × ${width}, read as ${kind}`,
    fix: 'Export it so that its output has every position.',
  });
}
