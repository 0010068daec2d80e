import { registry } from '../../core/registry.js';
import { listwiseGeneration } from './listwise-generation.js';
import { listwiseLikelihood } from './listwise-likelihood.js';
import { pairwiseAllpair } from './pairwise-allpair.js';
import { pairwiseBubblesort } from './pairwise-bubblesort.js';
import { pairwiseHeapsort } from './pairwise-heapsort.js';
import { pointwiseQlm } from './pointwise-qlm.js';
import { pointwiseYesNo } from './pointwise-yes-no.js';
import type { Schedule } from './schedule.js';
import { setwiseBubblesort } from './setwise-bubblesort.js';
import { setwiseHeapsort } from './setwise-heapsort.js';

/** How a list is sorted by asking a model. One file and one line each; the names are those of arXiv 2507.06223. */
export const schedules = registry<Schedule>('schedule', 'tenbin flops compare --help', [
  pointwiseQlm,
  pointwiseYesNo,
  listwiseGeneration,
  listwiseLikelihood,
  pairwiseAllpair,
  pairwiseHeapsort,
  pairwiseBubblesort,
  setwiseHeapsort,
  setwiseBubblesort,
]);
