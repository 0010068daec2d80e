import { z } from 'zod';
import type { CostHead } from '../../../cost/types.js';
import { fieldsOf, type JsonFile } from '../json-file.js';

const schema = z.object({
  architectures: z.array(z.string().max(200)).max(10).nullish(),
  id2label: z.record(z.string().max(40), z.unknown()).nullish(),
  num_labels: z.number().int().min(1).max(1_000_000).nullish(),
});

/** What stands on the layers, by the first class that config.json names; nothing where it names none. */
export function headOfConfig(config: JsonFile, kind: 'encoder' | 'decoder' | 'encoder-decoder'): CostHead {
  const [name = ''] = fieldsOf(config, schema).architectures ?? [];
  if (name.endsWith('ForMaskedLM')) return { kind: 'masked-language-model' };
  if (name.endsWith('ForSequenceClassification')) return classifierHead(config, kind);
  if (/(ForCausalLM|ForConditionalGeneration|LMHeadModel)$/.test(name))
    return { kind: 'language-model', positions: 'last' };
  return { kind: 'none' };
}

/** Encoders have a dense layer or a pooler below their labels, decoders read the last position as it is. */
function classifierHead(config: JsonFile, kind: 'encoder' | 'decoder' | 'encoder-decoder'): CostHead {
  const { id2label, num_labels: labels } = fieldsOf(config, schema);
  const named = id2label == null ? undefined : Object.keys(id2label).length;
  return { kind: 'classifier', labels: named ?? labels ?? 2, dense: kind !== 'decoder' };
}
