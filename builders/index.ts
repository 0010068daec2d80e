/** `tenbin/builders`: from a source to a frozen nano-set, its card and its audit. */
export { type Audit, auditNanoSet } from './audit.js';
export { type BindSource, type BuildOutcome, type BuildRequest, buildTask } from './build.js';
export { datasetCard, writeCard } from './card.js';
export type { Collection } from './collection.js';
export { builderRevision, type TaskToBuild } from './identity.js';
export {
  type BuildOptions,
  checkOptions,
  defaultBuildOptions,
  optionRanges,
  type SafeguardPolicy,
  safeguardPolicies,
} from './options.js';
export { poolFacts } from './pool-facts.js';
export { makePools } from './pools.js';
export { readCollection } from './read.js';
export type { Leniency } from './read-policy.js';
export { samplers } from './samplers/index.js';
