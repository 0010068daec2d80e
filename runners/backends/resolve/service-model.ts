import type { ModelReference } from '../../models/reference.js';
import type { ModelAccess, PretrainedModel } from '../../system.js';
import { apiModels } from '../api/index.js';
import { llmReranker } from '../llm/index.js';

/** A model behind an API. */
export async function serviceModel(
  { service, rest, text }: Extract<ModelReference, { readonly kind: 'service' }>,
  access: ModelAccess,
): Promise<PretrainedModel> {
  if (service === 'llm') return llmReranker(rest, access);
  const plugin = apiModels.find(({ name }) => name === service);
  if (plugin === undefined) throw new Error(`No API is called ${service}.`);
  return { ...(await plugin.bind(rest, access)), id: text };
}
