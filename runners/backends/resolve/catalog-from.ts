import { reasonOf, TenbinError } from '../../../core/errors.js';
import { catalogOf, type ModelCatalog } from '../../models/catalog.js';
import type { Model, ModelAccess } from '../../system.js';
import { customModel } from './custom-model.js';
import { modelOfFiles } from './make-model.js';
import { type Lookup, modelNames, type ResolvedModel } from './resolve-models.js';
import { serviceModel } from './service-model.js';

/** The models of what was looked up. The same plain data gives the same models in every thread. */
export async function catalogFrom({ resolved, failures }: Lookup, access: ModelAccess): Promise<FilledCatalog> {
  const models = new Map<string, Model>();
  const failed = new Map(failures);
  for (const one of resolved) {
    const text = one.kind === 'service' ? one.reference.text : one.text;
    try {
      models.set(text, await modelFrom(one, access));
    } catch (error) {
      if (error instanceof TenbinError && error.code === 'usage') throw error;
      failed.set(text, reasonOf(error));
    }
  }
  for (const [text, reason] of failed) models.set(text, unusable(text, reason));
  return { catalog: catalogOf(models, modelNames(access)), failures: failed };
}

export interface FilledCatalog {
  readonly catalog: ModelCatalog;
  /** Why a model cannot be used, by its text. */
  readonly failures: ReadonlyMap<string, string>;
}

/** Takes the place of a model that could not be looked up, so that its systems can be named and recorded as failed. */
function unusable(id: string, reason: string): Model {
  const prepare = (): never => {
    throw new TenbinError('missing', { what: 'This model could not be looked up', value: id, fix: reason });
  };
  return { kind: 'custom', family: 'dense', id, summary: reason, identity: { unusable: reason }, prepare };
}

async function modelFrom(resolved: ResolvedModel, access: ModelAccess): Promise<Model> {
  switch (resolved.kind) {
    case 'files':
      return modelOfFiles(resolved);
    case 'service':
      return serviceModel(resolved.reference, access);
    case 'module':
      return customModel(resolved);
  }
}
