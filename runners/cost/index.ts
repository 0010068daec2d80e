/** What things cost, as closed forms and as counts of a graph. One multiply-add is two FLOPs; matrix multiplications only. */

export type { Architecture } from '../models/card.js';
export { backwardFlops, type ForwardFlops, type ForwardRequest, forwardFlops } from './forward.js';
export * from './graph/index.js';
export { passFlops } from './pass.js';
export * from './retrieval.js';
export type * from './types.js';
