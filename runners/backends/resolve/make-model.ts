import type { PretrainedModel } from '../../system.js';
import { requiredFiles } from '../model-folder/index.js';
import { locateModel } from './locate.js';
import { costOfCard } from './model-cost.js';
import type { ResolvedModel } from './resolve-models.js';

type FilesModel = Extract<ResolvedModel, { readonly kind: 'files' }>;

/** A model that comes as files. ONNX Runtime is loaded when the first one is opened. */
export function modelOfFiles({ text, card, dtype, identity }: FilesModel): PretrainedModel {
  const cost = costOfCard(card);
  return {
    kind: 'pretrained',
    family: card.family,
    id: text,
    summary: card.summary,
    identity,
    ...(card.family === 'dense' && { similarity: card.similarity }),
    ...(cost !== null && { cost }),
    open: async (access) => {
      const { openOnnx } = await import('../onnx/index.js');
      const folder = await locateModel(card, requiredFiles(card, dtype), access.environment, access);
      return openOnnx({ card, dtype, folder }, { device: access.device, threads: access.threads });
    },
  };
}
