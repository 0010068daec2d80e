import { TenbinError } from '../../core/errors.js';
import type { BackendOutput, Encoding, EncodingFamily, Prepared, Texts } from '../system.js';
import { dense } from './dense.js';
import type { EncodedFamily } from './encoded.js';
import { lateInteraction } from './late-interaction.js';
import { sparse } from './sparse.js';

/** Families of models that turn texts into tensors. One file and one line each. */
export const encodedFamilies: readonly EncodedFamily[] = [dense, sparse, lateInteraction];

/** Makes tensors searchable, by their kind. `model` is the model's id, for errors. */
export function preparedEncoding(output: BackendOutput, texts: Texts, model: string): Prepared {
  const family = encodedFamilies.find(({ id }) => id === output.encoding.kind);
  if (family === undefined) throw new Error(`No family reads tensors of kind ${output.encoding.kind}.`);
  return family.prepared(output, texts, model);
}

type Shape = 'number' | 'floats' | 'sparse' | 'rows';
const shapes: Readonly<Record<EncodingFamily, Readonly<Record<string, Shape>>>> = {
  dense: { dims: 'number', docs: 'floats', queries: 'floats' },
  sparse: { termCount: 'number', docs: 'sparse', queries: 'sparse' },
  'late-interaction': { dims: 'number', docs: 'rows', queries: 'rows' },
};

/** Tensors from outside as an encoding of a family; a field of another shape is named. Lengths are checked by the family. */
export function checkedTensors(family: EncodingFamily, tensors: unknown, model: string): Encoding {
  const given = typeof tensors === 'object' && tensors !== null ? { ...tensors } : {};
  const fields: Record<string, unknown> = { ...given, kind: family };
  for (const [name, shape] of Object.entries(shapes[family])) {
    if (!fits(fields[name], shape)) throw wrongShape(model, family, name, shape);
  }
  if (family === 'dense') fields.similarity ??= 'cosine';
  return fields as unknown as Encoding;
}

function fits(value: unknown, shape: Shape): boolean {
  const { offsets, terms, weights, vectors } = (value ?? {}) as Readonly<Record<string, unknown>>;
  switch (shape) {
    case 'number':
      return Number.isInteger(value) && (value as number) >= 1;
    case 'floats':
      return value instanceof Float32Array;
    case 'sparse':
      return offsets instanceof Int32Array && terms instanceof Int32Array && weights instanceof Float64Array;
    case 'rows':
      return offsets instanceof Int32Array && vectors instanceof Float32Array;
  }
}

const wanted: Readonly<Record<Shape, string>> = {
  number: 'a whole number from 1',
  floats: 'a Float32Array with one row per text',
  sparse: '{ offsets: Int32Array, terms: Int32Array, weights: Float64Array }',
  rows: '{ offsets: Int32Array, vectors: Float32Array }',
};

function wrongShape(model: string, family: EncodingFamily, name: string, shape: Shape): TenbinError {
  return new TenbinError('malformed', {
    what: `The tensors of a ${family} backend lack a field or have it in another shape`,
    value: `${model}: ${name}`,
    fix: `It is ${wanted[shape]}.`,
  });
}
