import { registry } from '../../core/registry.js';
import type { Variant } from '../system.js';
import { binary } from './binary.js';
import { hnsw } from './hnsw.js';
import { int8 } from './int8.js';
import { lateBinary } from './late-binary.js';
import { withLate } from './late-dispatch.js';
import { lateInt8 } from './late-int8.js';
import { prune } from './prune.js';
import { rescore } from './rescore.js';
import { pool } from './token-pool.js';
import { truncate } from './truncate.js';

/** Those of dense variants' ids that token vectors have too. */
const lateQuantizations = new Map([lateInt8, lateBinary].map((variant) => [variant.id, variant]));
const quantizations = [int8, binary].map((plugin) => withLate(plugin, (id) => lateQuantizations.get(id)));

/** Changes of an encoded index, `Prepared → Prepared`. One file and one line each. */
export const variants = registry<Variant>('variant', 'tenbin systems', [
  truncate,
  ...quantizations,
  hnsw,
  prune,
  pool,
  rescore,
]);
