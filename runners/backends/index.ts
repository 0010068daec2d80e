import { registry } from '../../core/registry.js';
import type { Backend } from '../system.js';
import { lsa } from './lsa.js';

/** Engines that turn texts into vectors. One file and one line each. */
export const backends = registry<Backend>('backend', 'tenbin systems', [lsa]);
