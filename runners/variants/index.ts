import { registry } from '../../core/registry.js';
import type { Variant } from '../system.js';
import { binary } from './binary.js';
import { int8 } from './int8.js';
import { rescore } from './rescore.js';
import { truncate } from './truncate.js';

/** Changes of an encoded index, `Prepared → Prepared`. One file and one line each. */
export const variants = registry<Variant>('variant', 'tenbin systems', [truncate, int8, binary, rescore]);
