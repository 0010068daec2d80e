import type { MeasureKind } from '../types.js';
import { ap } from './ap.js';
import { dcg } from './dcg.js';
import { f1 } from './f1.js';
import { judged } from './judged.js';
import { ndcg } from './ndcg.js';
import { numQ } from './num-q.js';
import { numRel } from './num-rel.js';
import { numRelRet } from './num-rel-ret.js';
import { numRet } from './num-ret.js';
import { precision } from './precision.js';
import { recall } from './recall.js';
import { rprec } from './rprec.js';
import { rr } from './rr.js';
import { success } from './success.js';

/** The registry of measures: one line each. */
export const measureKinds: readonly MeasureKind[] = [
  ndcg,
  dcg,
  rr,
  ap,
  recall,
  precision,
  f1,
  rprec,
  success,
  judged,
  numQ,
  numRet,
  numRel,
  numRelRet,
];
