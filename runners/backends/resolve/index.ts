export { catalogFrom, type FilledCatalog } from './catalog-from.js';
export { locateModel } from './locate.js';
export { modelFolders } from './model-folders.js';
export { type Lookup, modelNames, type ResolvedModel, resolveModels } from './resolve-models.js';
