import { registry } from '../../core/registry.js';
import type { Model } from '../system.js';
import { bm25 } from './bm25.js';
import { lsa } from './lsa.js';
import { lsaExpand } from './lsa-expand.js';
import { lsaLate } from './lsa-late.js';
import { proximity } from './proximity.js';
import { qlDirichlet } from './ql-dirichlet.js';
import { staticWords } from './static-words.js';
import { tfIdf } from './tf-idf.js';
import { wink } from './wink.js';

/** Cards of what can encode or weigh. One file and one line each. */
export const models = registry<Model>('model', 'tenbin systems', [
  bm25,
  qlDirichlet,
  tfIdf,
  wink,
  lsa,
  staticWords,
  lsaExpand,
  lsaLate,
  proximity,
]);
