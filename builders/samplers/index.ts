import { registry } from '../../core/registry.js';
import { hash } from './hash.js';
import { head } from './head.js';
import type { Sampler } from './sampler.js';

/** Ways to shrink a collection. One file and one line each. */
export const samplers = registry<Sampler>('sampler', 'tenbin build --help', [hash, head]);
