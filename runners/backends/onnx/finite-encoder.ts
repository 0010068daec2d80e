import { TenbinError } from '../../../core/errors.js';
import type { EncodedTexts, TextEncoder } from '../../open-model.js';

/** The encoder, with a number that is not finite as an error: nobody caches, prints or ranks by one. */
export function finiteEncoder(model: string, encoder: TextEncoder): TextEncoder {
  return {
    ...encoder,
    encode: async (texts, role, onStep) => {
      const encoded = await encoder.encode(texts, role, onStep);
      const values = encoded.kind === 'sparse' ? encoded.weights : encoded.vectors;
      const at = firstNotFinite(values);
      if (at === null) return encoded;
      const position = textOf(encoded, at);
      throw new TenbinError('not-finite', {
        what: `${model} gave a number that is not finite`,
        value: `${values[at]} for ${role} ${position + 1} of ${texts.length} (${quoted(texts[position])})`,
        fix: 'Look at that text; if it is ordinary, the model overflows (run it in float32) or its file is damaged.',
      });
    },
  };
}

/** x − x is 0 for every finite x. A plain loop: it sees every number that a model gives. */
function firstNotFinite(values: Float32Array): number | null {
  for (let i = 0; i < values.length; i++) if (values[i] - values[i] !== 0) return i;
  return null;
}

/** The position of the text that a value belongs to. */
function textOf(encoded: EncodedTexts, at: number): number {
  if (encoded.kind === 'dense') return Math.floor(at / encoded.dims);
  const row = encoded.kind === 'sparse' ? at : Math.floor(at / encoded.dims);
  return encoded.offsets.findIndex((start) => start > row) - 1;
}

/** Enough of a text to find it by: the texts of a corpus come in shards, whose positions are their own. */
function quoted(text: string): string {
  const start = text.slice(0, 60);
  return `"${start}${start.length < text.length ? '…' : ''}"`;
}
