import { TenbinError } from '../../core/errors.js';
import { backends } from '../backends/index.js';
import { exactIndex } from '../kernels/dense-index.js';
import { unitLength } from '../kernels/unit-length.js';
import type { BackendOutput, DenseEncoding, DenseModel, Engine, Family, Prepared, Texts } from '../system.js';

/** One vector per text, scaled to unit length: the score is the cosine. */
export const dense: Family = {
  id: 'dense',
  prepare: async (texts, model, engine) => {
    if (model.family === 'dense') return prepareDense(texts, model, engine);
    throw new TenbinError('refused', {
      what: 'The dense family reads models that give one vector per text',
      value: model.id,
      fix: `Prepare it with the ${model.family} family.`,
    });
  },
};

async function prepareDense(texts: Texts, model: DenseModel, engine: Engine): Promise<Prepared> {
  return preparedFrom(await backends.bind(model.backend).encode(texts, model, engine), texts, model);
}

/** The second half: what a backend gave, checked and made searchable. */
export function preparedFrom(output: BackendOutput, texts: Texts, model: DenseModel): Prepared {
  const { dims, docs, queries } = output.encoding;
  checkVectors(docs, { dims, texts: texts.docs.length, noun: 'document', model });
  checkVectors(queries, { dims, texts: texts.queries.length, noun: 'query', model });
  const encoding: DenseEncoding = {
    kind: 'dense',
    dims,
    docs: unitLength(docs, dims),
    queries: unitLength(queries, dims),
  };
  const exact = exactIndex(encoding);
  return {
    encoding,
    exact,
    index: exact,
    encodeWork: output.encodeWork,
    modelBytes: output.modelBytes,
    conditions: {
      ...output.conditions,
      similarity: 'cosine',
      vectorPrecision: 'float32',
      scorePrecision: 'float64',
    },
    applied: [],
  };
}

interface Expected {
  readonly dims: number;
  readonly texts: number;
  readonly noun: 'document' | 'query';
  readonly model: DenseModel;
}

function checkVectors(vectors: Float32Array, { dims, texts, noun, model }: Expected): void {
  if (vectors.length !== texts * dims || !(dims >= 1)) {
    throw new TenbinError('malformed', {
      what: `The backend ${model.backend} gave a wrong amount of numbers for the ${noun} texts`,
      value: `${vectors.length} numbers for ${texts} texts of ${dims} dimensions`,
      fix: `This is a mistake in the backend, or its files are not those of ${model.id}.`,
    });
  }
  const at = vectors.findIndex((value) => !Number.isFinite(value));
  if (at < 0) return;
  throw new TenbinError('not-finite', {
    what: `${model.id} gave a vector that is not finite`,
    value: `${vectors[at]} in dimension ${at % dims} of the ${noun} at position ${Math.floor(at / dims)}`,
    fix: 'Look at that text; if it is ordinary, the model overflows (run it in float32) or its file is damaged.',
  });
}
