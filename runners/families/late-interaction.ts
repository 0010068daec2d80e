import { TenbinError } from '../../core/errors.js';
import { maxSimIndex } from '../kernels/max-sim-index.js';
import type { BackendOutput, LateInteractionEncoding, Prepared, Texts, TokenRows } from '../system.js';
import type { EncodedFamily } from './encoded.js';
import { checkOffsets, meanRowLength, type RowsOf } from './row-offsets.js';

/** One vector for each scored token: the score is the sum over query vectors of the greatest dot product (MaxSim). */
export const lateInteraction: EncodedFamily = { id: 'late-interaction', prepared: preparedLate };

/** Matrices of a wrong size, or with a number that is not finite, are errors that name the text. */
export function preparedLate(output: BackendOutput, texts: Texts, model: string): Prepared {
  const encoding = checkedVectors(output, texts, model);
  const exact = maxSimIndex(encoding);
  return {
    encoding,
    exact,
    index: exact,
    encodeWork: output.encodeWork,
    ...(output.tokens && { tokens: output.tokens }),
    modelBytes: output.modelBytes,
    conditions: {
      ...output.conditions,
      similarity: 'MaxSim, dot product',
      'late.dims': encoding.dims,
      'late.meanVectorsDocs': meanRowLength(encoding.docs.offsets),
      'late.meanVectorsQueries': meanRowLength(encoding.queries.offsets),
      vectorPrecision: 'float32',
      scorePrecision: 'float64',
    },
    applied: [],
  };
}

function checkedVectors({ encoding }: BackendOutput, texts: Texts, model: string): LateInteractionEncoding {
  if (encoding.kind !== 'late-interaction') {
    throw new Error(`The late-interaction family cannot read ${encoding.kind} tensors of ${model}.`);
  }
  const { dims, docs, queries } = encoding;
  if (!(Number.isInteger(dims) && dims >= 1)) {
    throw new TenbinError('malformed', {
      what: `${model} gave vectors without dimensions`,
      value: String(dims),
      fix: `This is a mistake in its backend, or its files are not those of ${model}.`,
    });
  }
  checkRows(docs, dims, { model, noun: 'document', texts: texts.docs.length });
  checkRows(queries, dims, { model, noun: 'query', texts: texts.queries.length });
  return encoding;
}

function checkRows({ offsets, vectors }: TokenRows, dims: number, of: RowsOf): void {
  checkOffsets(offsets, vectors.length / dims, of);
  const at = vectors.findIndex((value) => !Number.isFinite(value));
  if (at < 0) return;
  const row = Math.floor(at / dims);
  const text = offsets.findIndex((start) => start > row) - 1;
  throw new TenbinError('not-finite', {
    what: `${of.model} gave a vector that is not finite`,
    value: `${vectors[at]} in dimension ${at % dims} of vector ${row - offsets[text]} of the ${of.noun} at position ${text}`,
    fix: 'Look at that text; if it is ordinary, the model overflows (run it in float32) or its file is damaged.',
  });
}
