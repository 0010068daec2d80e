import { TenbinError } from '../../core/errors.js';
import type { BackendOutput, Prepared, SparseEncoding, SparseRows, Texts } from '../system.js';
import type { EncodedFamily } from './encoded.js';
import { checkOffsets, meanRowLength, type RowsOf } from './row-offsets.js';
import { sparseIndex } from './sparse-index.js';

/** Weighted terms for each text: the score is the dot product of two sparse rows, by the inverted index of BM25. */
export const sparse: EncodedFamily = { id: 'sparse', prepared: preparedSparse };

/** Rows that are not one per text, not sorted, not unique or not finite are errors that name the text. */
export function preparedSparse(output: BackendOutput, texts: Texts, model: string): Prepared {
  const encoding = checkedRows(output, texts, model);
  const exact = sparseIndex(encoding, 0);
  return {
    encoding,
    exact,
    index: exact,
    encodeWork: output.encodeWork,
    ...(output.tokens && { tokens: output.tokens }),
    modelBytes: output.modelBytes,
    conditions: {
      ...output.conditions,
      similarity: 'dot',
      'sparse.meanActiveDimsDocs': meanRowLength(encoding.docs.offsets),
      'sparse.meanActiveDimsQueries': meanRowLength(encoding.queries.offsets),
      scorePrecision: 'float64',
    },
    applied: [],
  };
}

function checkedRows({ encoding }: BackendOutput, texts: Texts, model: string): SparseEncoding {
  if (encoding.kind !== 'sparse')
    throw new Error(`The sparse family cannot read ${encoding.kind} tensors of ${model}.`);
  const { docs, queries, termCount, docBias } = encoding;
  checkRows(docs, termCount, { model, noun: 'document', texts: texts.docs.length });
  checkRows(queries, termCount, { model, noun: 'query', texts: texts.queries.length });
  if (docBias !== undefined) checkBias(docBias, { model, noun: 'document', texts: texts.docs.length });
  return encoding;
}

function checkRows({ offsets, terms, weights }: SparseRows, termCount: number, of: RowsOf): void {
  if (weights.length !== terms.length) {
    throw malformed(of, `${terms.length} terms with ${weights.length} weights`);
  }
  checkOffsets(offsets, terms.length, of);
  for (let text = 0; text < of.texts; text++) {
    let before = -1;
    for (let i = offsets[text]; i < offsets[text + 1]; i++) {
      const term = terms[i];
      if (term <= before)
        throw malformed(of, `term ${term} after term ${before} in the ${of.noun} at position ${text}`);
      if (term >= termCount) throw malformed(of, `term ${term} of ${termCount} in the ${of.noun} at position ${text}`);
      if (!Number.isFinite(weights[i])) {
        throw notFinite(of, `${weights[i]} for term ${term} of the ${of.noun} at position ${text}`);
      }
      before = term;
    }
  }
}

function checkBias(bias: Float64Array, of: RowsOf): void {
  if (bias.length !== of.texts) throw malformed(of, `${bias.length} priors for ${of.texts} documents`);
  const at = bias.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) throw notFinite(of, `${bias[at]} as the prior of the document at position ${at}`);
}

function malformed({ model, noun }: RowsOf, value: string): TenbinError {
  return new TenbinError('malformed', {
    what: `${model} gave wrong rows for the ${noun} texts`,
    value,
    fix: `Terms ascend and each comes once: this is a mistake in its backend, or its files are not those of ${model}.`,
  });
}

function notFinite({ model }: RowsOf, value: string): TenbinError {
  return new TenbinError('not-finite', {
    what: `${model} gave a weight that is not finite`,
    value,
    fix: 'Look at that text; if it is ordinary, the model overflows (run it in float32) or its file is damaged.',
  });
}
