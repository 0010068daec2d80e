export { findCached, type HubModel, type ModelWish } from './cached.js';
export { type DownloadStep, downloadModel, type ModelRequest } from './download.js';
export { type HubListing, listModel } from './list.js';
export type { RepoKind } from './names.js';
export { type HubOutside, realOutside } from './outside.js';
export type { HubRequest } from './session.js';
export { type Environment, type HubSettings, hubSettings } from './settings.js';
