export { catalogFrom, type FilledCatalog } from './catalog-from.js';
export { locateModel } from './locate.js';
export { modelFolders, type PassedOver, passedOver } from './model-folders.js';
export { cardHere, type Lookup, modelNames, type ResolvedModel, resolveModels } from './resolve-models.js';
