import type { MeasureKind } from '../types.js';
import { ap } from './ap.js';
import { bpref } from './bpref.js';
import { candidateRecall } from './candidate-recall.js';
import { dcg } from './dcg.js';
import { err } from './err.js';
import { f1 } from './f1.js';
import { gmap } from './gmap.js';
import { infAp } from './inf-ap.js';
import { iprec } from './iprec.js';
import { judged } from './judged.js';
import { ndcg } from './ndcg.js';
import { numQ } from './num-q.js';
import { numRel } from './num-rel.js';
import { numRelRet } from './num-rel-ret.js';
import { numRet } from './num-ret.js';
import { precision } from './precision.js';
import { rbp } from './rbp.js';
import { rbpResidual } from './rbp-residual.js';
import { recall } from './recall.js';
import { rprec } from './rprec.js';
import { rr } from './rr.js';
import { setF } from './set-f.js';
import { setP } from './set-p.js';
import { setR } from './set-r.js';
import { success } from './success.js';
import { unjudged } from './unjudged.js';

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
  bpref,
  infAp,
  iprec,
  gmap,
  rbp,
  rbpResidual,
  err,
  setP,
  setR,
  setF,
  judged,
  unjudged,
  candidateRecall,
  numQ,
  numRet,
  numRel,
  numRelRet,
];
