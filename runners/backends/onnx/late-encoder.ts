import { TenbinError } from '../../../core/errors.js';
import type { LateInteractionCard, ModelFiles } from '../../models/card.js';
import type { Role, TextEncoder } from '../../open-model.js';
import type { Tokenizer } from '../../tokenizers/index.js';
import { neverEmpty, type PreparedRow, runEncoding } from './encoding-run.js';
import { readProjections } from './folder.js';
import type { JobResult } from './job.js';
import { builtOn, type OnnxOptions, openGraph, padIdOf, requiredId } from './opened-graph.js';
import { batchOf } from './padding.js';

/** One vector per scored token (ColBERT, Khattab and Zaharia 2020): markers, expansion by masks, a skip list. */
export async function openLateInteraction(
  files: ModelFiles<LateInteractionCard>,
  options: OnnxOptions,
): Promise<TextEncoder> {
  const { card, folder } = files;
  const projections = await readProjections(folder);
  const graph = await openGraph(files, options, { reading: 'tokens', projections });
  const { tokenizer, rule, run, opened } = graph;
  const { prepared, skip } = await builtOn(graph, () => ({
    prepared: preparing(card, tokenizer),
    skip: card.skiplist.map((token) => requiredId(tokenizer, token, 'skipped')),
  }));
  return {
    ...opened,
    kind: 'encoder',
    tokenIds: (text, role) => prepared(text, role).ids,
    encode: async (texts, role, onStep) => {
      const rows = Array<Float32Array>(texts.length);
      const encoded = await runEncoding({
        characters: texts.map(({ length }) => length),
        prepare: (position) => prepared(texts[position], role),
        rule,
        run,
        jobOf: (batch) => ({
          batch: batchOf(batch),
          reading: { kind: 'tokens', skip: role === 'document' ? skip : [] },
          decoder: null,
        }),
        keep: (result, positions) => {
          const { offsets, values } = checked(result, card);
          positions.forEach((position, row) => {
            rows[position] = values.slice(offsets[row] * card.dims, offsets[row + 1] * card.dims);
          });
        },
        ...(onStep && { onStep }),
      });
      return { kind: 'late-interaction', dims: card.dims, ...joined(rows, card.dims), ...encoded };
    },
  };
}

/** Prompt, tokens, the marker's id after the first special token, and for queries masks up to the length of a query. */
function preparing(card: LateInteractionCard, tokenizer: Tokenizer): (text: string, role: Role) => PreparedRow {
  const marker = {
    query: card.queryMarker === null ? [] : [requiredId(tokenizer, card.queryMarker, 'the marker of queries')],
    document:
      card.documentMarker === null ? [] : [requiredId(tokenizer, card.documentMarker, 'the marker of documents')],
  };
  const length = { query: card.queryLength, document: card.documentLength };
  const mask = card.expansion === null ? null : maskOf(tokenizer, card);
  const at = tokenizer.around.before.length > 0 ? 1 : 0;
  return (text, role) => {
    const row = tokenizer.encode(card.prompts[role] + text, length[role] - marker[role].length);
    const marked = [...row.ids.slice(0, at), ...marker[role], ...row.ids.slice(at)];
    const ids = neverEmpty(marked, padIdOf(tokenizer));
    if (role === 'document' || mask === null) return { ids, truncated: row.truncated };
    const masks = Array<number>(Math.max(0, length.query - ids.length)).fill(mask);
    const attended = card.expansion === 'attended' ? ids.length + masks.length : ids.length;
    return { ids: [...ids, ...masks], attended, truncated: row.truncated };
  };
}

/** Without its masks a query has other vectors, so a model that fills up its queries needs to know the token. */
function maskOf({ special }: Tokenizer, { id }: LateInteractionCard): number {
  if (special.mask !== null) return special.mask;
  throw new TenbinError('refused', {
    what: 'Queries of this model are filled up with mask tokens, and its tokenizer has none',
    value: id,
    fix: 'Name a token of tokenizer.json as `mask_token` in tokenizer_config.json or special_tokens_map.json; if queries are not filled up, write "expansion": null into tenbin.json.',
  });
}

function checked(result: JobResult, { id, dims }: LateInteractionCard): Extract<JobResult, { kind: 'vectors' }> {
  if (result.kind === 'vectors' && (result.width === dims || result.values.length === 0)) return result;
  throw new TenbinError('malformed', {
    what: `The token vectors of ${id} have another length than its card says`,
    value: `${result.kind === 'vectors' ? result.width : result.kind}, not ${dims}`,
    fix: 'A linear layer that is not inside the graph needs its model.safetensors in the folder; else correct the card.',
  });
}

function joined(rows: readonly Float32Array[], dims: number): { offsets: Int32Array; vectors: Float32Array } {
  const offsets = new Int32Array(rows.length + 1);
  rows.forEach((row, r) => {
    offsets[r + 1] = offsets[r] + row.length / dims;
  });
  const vectors = new Float32Array(offsets[rows.length] * dims);
  rows.forEach((row, r) => {
    vectors.set(row, offsets[r] * dims);
  });
  return { offsets, vectors };
}
