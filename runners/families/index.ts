import { preparedBlocks } from '../blocks.js';
import { type EncodedTask, encodeTask } from '../encode-task.js';
import { fittedOutput } from '../fitted-cache.js';
import type { Block, Engine, Family, Model, Prepared, PretrainedModel, Texts } from '../system.js';
import type { EncodedFamily } from './encoded.js';
import { lexical } from './lexical.js';
import { encodedFamilies } from './prepare-encoding.js';
import { reranker } from './reranker.js';

export const families: readonly Family[] = [lexical, ...encodedFamilies.map(encodedFamily), reranker];

/** Makes a model ready for a task, by its family; built-in and custom systems see to it themselves. */
export async function prepareModel(texts: Texts, model: Model, engine: Engine): Promise<Prepared> {
  if (model.kind === 'built-in' || model.kind === 'custom') return model.prepare(texts, engine);
  const family = families.find(({ id }) => id === model.family);
  if (family === undefined) throw new Error(`No family reads models of kind ${model.family}.`);
  return family.prepare(texts, model, engine);
}

/** The way of all families whose models give tensors: fitted to the documents, or encoded through the cache. */
function encodedFamily(family: EncodedFamily): Family {
  return {
    id: family.id,
    prepare: async (texts, model, engine) => {
      if (model.kind === 'fitted') return family.prepared(await fittedOutput(texts, model, engine), texts, model.id);
      if (model.kind === 'pretrained') return preparePretrained({ texts, model, family }, engine);
      throw new Error(`The ${family.id} family cannot read ${model.id}.`);
    },
  };
}

interface Pretrained {
  readonly texts: Texts;
  readonly model: PretrainedModel;
  readonly family: EncodedFamily;
}

async function preparePretrained({ texts, model, family }: Pretrained, engine: Engine): Promise<Prepared> {
  const encoded = await encodeTask(texts, model, engine);
  if (encoded.kind === 'whole') return family.prepared(encoded.output, texts, model.id);
  const blocks = () =>
    preparedBlocksOf(encoded.blocks, texts, (output, some) => family.prepared(output, some, model.id));
  const encoding = { kind: 'blocks', docCount: texts.docs.length, queryCount: texts.queries.length, blocks } as const;
  return preparedBlocks(encoding, []);
}

type Blocks = Extract<EncodedTask, { readonly kind: 'blocks' }>['blocks'];
type PrepareBlock = (output: Parameters<EncodedFamily['prepared']>[0], texts: Texts) => Prepared;

async function* preparedBlocksOf(blocks: Blocks, texts: Texts, prepare: PrepareBlock): AsyncGenerator<Block> {
  for await (const { start, docCount, output } of blocks()) {
    const some = { docs: texts.docs.slice(start, start + docCount), queries: texts.queries };
    yield { start, docCount, prepared: prepare(output, some) };
  }
}
