import { TenbinError } from '../core/errors.js';
import { shardsOf } from '../runners/encode-shards.js';
import { unitLength } from '../runners/kernels/unit-length.js';
import type { EncodedTexts, Role, TextEncoder } from '../runners/open-model.js';
import type { OneModel } from './one-model.js';

/** What `tenbin encode` prints of one text. */
export interface EncodedItem {
  readonly id: string;
  readonly tokens: readonly number[] | null;
  readonly truncated: boolean | null;
  readonly vector?: readonly number[];
  readonly weights?: Readonly<Record<string, number>>;
  readonly tokenVectors?: readonly (readonly number[])[];
}

export interface Encoded {
  readonly model: string;
  readonly family: string;
  /** Length of a vector, or terms of the vocabulary. */
  readonly dims: number;
  /** Shards of the texts, in order. */
  readonly parts: readonly EncodedTexts[];
}

/** What the user asks for besides the vectors as they come. */
export interface EncodeWish {
  readonly format: string;
  readonly truncate?: number;
}

/** Refuses what this model cannot give, as far as its card tells, before a text is encoded or paid for. */
export function checkWish({ model, card }: Pick<OneModel, 'model' | 'card'>, { format, truncate }: EncodeWish): void {
  if (model.family === 'reranker') throw scoresPairs(model.id);
  if (format === 'npy' && model.family !== 'dense') throw notOneVector(model);
  if (truncate === undefined) return;
  if (model.family === 'sparse')
    throw cannotCut('Weights of terms have no dimensions to cut', truncate, 'Leave --truncate out.');
  if (card !== null && 'dims' in card) checkLength(card.dims, truncate);
}

/** All dimensions are a length like others; more are none. */
function checkLength(dims: number, truncate: number): void {
  if (truncate > dims) throw cannotCut(`The vectors have ${dims} dimensions`, truncate, 'Give no more than there are.');
}

function scoresPairs(id: string): TenbinError {
  return new TenbinError('usage', {
    what: 'This model scores pairs and gives no vectors',
    value: id,
    fix: `\`tenbin rerank ${id} --pairs pairs.jsonl\` scores pairs; \`hybrid > ${id}@100\` reorders a list in \`tenbin run\`.`,
  });
}

function notOneVector({ id, family }: OneModel['model']): TenbinError {
  return new TenbinError('usage', {
    what: 'A .npy file holds one vector per text',
    value: `${id} is a ${family} model`,
    fix: 'Use `--format arrow` or `--format json`.',
  });
}

/** Encodes texts through the cache, cut to `truncate` dimensions and scaled to unit length again where it is given. */
export async function encodeTexts(
  { model, runtime }: OneModel,
  texts: readonly string[],
  { role, truncate }: { readonly role: Role; readonly truncate: number | undefined },
): Promise<Encoded> {
  const parts: EncodedTexts[] = [];
  for (const shard of shardsOf({ model, runtime: runtime.runtime }, texts, role)) {
    const { encoded } = await shard.read();
    parts.push(truncate === undefined ? encoded : cut(encoded, truncate, model.similarity ?? 'cosine'));
  }
  const [first] = parts;
  const dims = first.kind === 'sparse' ? first.termCount : first.dims;
  return { model: model.id, family: model.family, dims, parts };
}

function cut(encoded: EncodedTexts, dims: number, similarity: 'cosine' | 'dot'): EncodedTexts {
  if (encoded.kind === 'sparse')
    throw cannotCut('Weights of terms have no dimensions to cut', dims, 'Leave --truncate out.');
  checkLength(encoded.dims, dims);
  if (dims === encoded.dims) return encoded;
  const rows = encoded.vectors.length / encoded.dims;
  const shorter = new Float32Array(rows * dims);
  for (let row = 0; row < rows; row++) {
    shorter.set(encoded.vectors.subarray(row * encoded.dims, row * encoded.dims + dims), row * dims);
  }
  return { ...encoded, dims, vectors: similarity === 'cosine' ? unitLength(shorter, dims) : shorter };
}

function cannotCut(what: string, dims: number, fix: string): TenbinError {
  return new TenbinError('usage', { what, value: `--truncate ${dims}`, fix });
}

/** The items of a JSON document, in the order of the texts. */
export function itemsOf(
  lines: readonly { readonly id: string; readonly text: string }[],
  { parts }: Encoded,
  tokenIds: (text: string) => ReturnType<TextEncoder['tokenIds']>,
): EncodedItem[] {
  const tensors = parts.flatMap(tensorsOf);
  return lines.map(({ id, text }, i) => ({ id, tokens: tokenIds(text), ...tensors[i] }));
}

type Tensor = Omit<EncodedItem, 'id' | 'tokens'>;

function tensorsOf(encoded: EncodedTexts): Tensor[] {
  const count = encoded.kind === 'dense' ? encoded.vectors.length / encoded.dims : encoded.offsets.length - 1;
  return Array.from({ length: count }, (_, i) => ({
    truncated: encoded.tokens === null ? null : encoded.tokens.truncated[i] === 1,
    ...tensorOf(encoded, i),
  }));
}

function tensorOf(encoded: EncodedTexts, i: number): Omit<Tensor, 'truncated'> {
  if (encoded.kind === 'dense') return { vector: rowOf(encoded.vectors, encoded.dims, i) };
  const [start, end] = [encoded.offsets[i], encoded.offsets[i + 1]];
  if (encoded.kind === 'late-interaction') {
    const rows = Array.from({ length: end - start }, (_, row) => rowOf(encoded.vectors, encoded.dims, start + row));
    return { tokenVectors: rows };
  }
  const { terms, weights } = encoded;
  return {
    weights: Object.fromEntries(Array.from(terms.subarray(start, end), (term, j) => [term, weights[start + j]])),
  };
}

function rowOf(vectors: Float32Array, dims: number, row: number): number[] {
  return Array.from(vectors.subarray(row * dims, (row + 1) * dims));
}
