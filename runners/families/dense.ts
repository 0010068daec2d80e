import { TenbinError } from '../../core/errors.js';
import { exactIndex } from '../kernels/dense-index.js';
import { unitLength } from '../kernels/unit-length.js';
import type { BackendOutput, DenseEncoding, Prepared, Texts } from '../system.js';
import type { EncodedFamily } from './encoded.js';

/** One vector per text: the score is the cosine, or the plain dot product where the model is trained for that. */
export const dense: EncodedFamily = { id: 'dense', prepared: preparedDense };

export function preparedDense(output: BackendOutput, texts: Texts, model: string): Prepared {
  const encoding = checkedVectors(output, texts, model);
  const exact = exactIndex(encoding);
  return {
    encoding,
    exact,
    index: exact,
    encodeWork: output.encodeWork,
    ...(output.tokens && { tokens: output.tokens }),
    modelBytes: output.modelBytes,
    conditions: {
      ...output.conditions,
      similarity: encoding.similarity,
      vectorPrecision: 'float32',
      scorePrecision: 'float64',
    },
    applied: [],
  };
}

function checkedVectors({ encoding }: BackendOutput, texts: Texts, model: string): DenseEncoding {
  if (encoding.kind !== 'dense') throw new Error(`The dense family cannot read ${encoding.kind} tensors of ${model}.`);
  const { dims, similarity, docs, queries } = encoding;
  checkVectors(docs, { dims, texts: texts.docs.length, noun: 'document', model });
  checkVectors(queries, { dims, texts: texts.queries.length, noun: 'query', model });
  if (similarity === 'dot') return encoding;
  return { ...encoding, docs: unitLength(docs, dims), queries: unitLength(queries, dims) };
}

interface Expected {
  readonly dims: number;
  readonly texts: number;
  readonly noun: 'document' | 'query';
  readonly model: string;
}

function checkVectors(vectors: Float32Array, { dims, texts, noun, model }: Expected): void {
  if (vectors.length !== texts * dims || !(dims >= 1)) {
    throw new TenbinError('malformed', {
      what: `${model} gave a wrong amount of numbers for the ${noun} texts`,
      value: `${vectors.length} numbers for ${texts} texts of ${dims} dimensions`,
      fix: `This is a mistake in its backend, or its files are not those of ${model}.`,
    });
  }
  const at = vectors.findIndex((value) => !Number.isFinite(value));
  if (at < 0) return;
  throw new TenbinError('not-finite', {
    what: `${model} gave a vector that is not finite`,
    value: `${vectors[at]} in dimension ${at % dims} of the ${noun} at position ${Math.floor(at / dims)}`,
    fix: 'Look at that text; if it is ordinary, the model overflows (run it in float32) or its file is damaged.',
  });
}
