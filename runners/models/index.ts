import { registry } from '../../core/registry.js';
import type { Model } from '../system.js';
import { bm25 } from './bm25.js';
import { lsa } from './lsa.js';
import { qlDirichlet } from './ql-dirichlet.js';
import { tfIdf } from './tf-idf.js';

/** Cards of what can encode or weigh. One file and one line each. */
export const models = registry<Model>('model', 'tenbin systems', [bm25, qlDirichlet, tfIdf, lsa]);
