import { TenbinError } from '../../../core/errors.js';
import type { DenseCard, ModelFiles } from '../../models/card.js';
import type { DenseTexts, Role, TextEncoder } from '../../open-model.js';
import { neverEmpty, type PreparedRow, runEncoding } from './encoding-run.js';
import { readProjections } from './folder.js';
import type { JobResult } from './job.js';
import { type OnnxOptions, openGraph, padIdOf } from './opened-graph.js';
import { batchOf } from './padding.js';

/** One vector per text: prompt, tokens, graph, pooling, linear layers of the folder, and length 1 if the card says so. */
export async function openDense(files: ModelFiles<DenseCard>, options: OnnxOptions): Promise<TextEncoder> {
  const { card, folder } = files;
  const projections = await readProjections(folder);
  const graph = await openGraph(files, options, { reading: 'pooled', projections });
  const { tokenizer, rule, run, opened } = graph;
  const prepared = (text: string, role: Role): PreparedRow => {
    const { ids, truncated } = tokenizer.encode(card.prompts[role] + text, card.maxLength);
    return { ids: neverEmpty(ids, padIdOf(tokenizer)), truncated };
  };
  return {
    ...opened,
    kind: 'encoder',
    tokenIds: (text, role) => prepared(text, role).ids,
    encode: async (texts, role, onStep) => {
      const vectors = new Float32Array(texts.length * card.dims);
      const encoded = await runEncoding({
        characters: texts.map(({ length }) => length),
        prepare: (position) => prepared(texts[position], role),
        rule,
        run,
        jobOf: (rows) => ({
          batch: batchOf(rows),
          reading: { kind: 'pooled', pooling: card.pooling, normalize: card.normalize },
          decoder: null,
        }),
        keep: (result, positions) => {
          const values = vectorsOf(result, card);
          positions.forEach((position, row) => {
            vectors.set(values.subarray(row * card.dims, (row + 1) * card.dims), position * card.dims);
          });
        },
        ...(onStep && { onStep }),
      });
      return { kind: 'dense', dims: card.dims, vectors, ...encoded } satisfies DenseTexts & typeof encoded;
    },
  };
}

function vectorsOf(result: JobResult, { id, dims }: DenseCard): Float32Array {
  if (result.kind === 'vectors' && result.width === dims) return result.values;
  throw new TenbinError('malformed', {
    what: `The vectors of ${id} have another length than its card says`,
    value: `${result.kind === 'vectors' ? result.width : result.kind}, not ${dims}`,
    fix: 'A linear layer behind the pooling needs its model.safetensors in the folder; else correct the card.',
  });
}
