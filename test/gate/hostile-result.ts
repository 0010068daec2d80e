import { judge } from '../../results/gate/judge.js';
import { type Policy, parsePolicy } from '../../results/gate/policy.js';
import type { Paired } from '../../results/sides.js';
import { hostileNames } from '../board/hostile.js';
import { cycled, pairedBy, plain } from './paired.js';

/** One check of each verdict, over queries, tasks, texts and slices whose names are each a bug of some report. */
const policy: Policy = parsePolicy(
  `resamples: 1000
worst: 12
checks:
  - {measure: nDCG@10, drop: 0.01}
  - {measure: nDCG@10, drop: 0.01, slice: ${JSON.stringify(hostileNames[1])}}
  - {measure: nDCG@10, drop: 0, slice: "</details>::error title=x,y%::z"}
  - {measure: RR, drop: 2%}
  - {measure: RR, drop: 0, fail: on-point}
  - {measure: P@5, drop: 0.001}
  - {measure: AP, drop: 0.01}
  - {measure: "RBP(p=0.8)", drop: 0.01}
  - {cost: bytesPerDoc, rise: 10%}
  - {cost: opsPerQuery.postings, rise: 10%}
`,
  'gate.yaml',
);

const half = Array<number>(48).fill(0.5);
const worse = half.map((_, i) => -0.05 - (i % 12) / 50);
const around = cycled([-0.2, 0.19, 0.05, -0.05], 48);
const tied = Float64Array.from(half);

const paired: Paired = {
  ...pairedBy(half, worse),
  queries: half.map((_, i) => ({
    id: hostileNames[i % 12],
    text: hostileNames[(i + 1) % 12],
    task: i % 12 === 3 ? null : `suite/${hostileNames[(i + 2) % 12]}`,
    slices: i % 2 === 0 ? [hostileNames[1]] : [],
  })),
  base: new Map([
    ['nDCG@10', plain(half)],
    ['RR', plain(half)],
    ['P@5', plain(half)],
    ['AP', { expected: tied, min: tied.map(() => 0.25), max: tied.map(() => 0.75) }],
    ['RBP(p=0.8)', plain(half)],
  ]),
  candidate: new Map([
    ['nDCG@10', plain(half.map((value, i) => value + worse[i]))],
    ['RR', plain(half.map((value, i) => value + around[i]))],
    ['P@5', plain(half.map((value) => value + 0.125))],
    ['AP', plain(half.map((value, i) => value + (i === 0 ? 0.01 : i === 1 ? -0.01 : 0)))],
  ]),
  costs: {
    base: new Map([
      ['bytesPerDoc', 123456.5],
      ['opsPerQuery.postings', 0.00001],
    ]),
    candidate: new Map([
      ['bytesPerDoc', 234567.25],
      ['opsPerQuery.postings', 0.00001],
    ]),
  },
};

export const hostileResult = judge(policy, paired);

export const hostileContext = { policy: hostileNames[9], baseline: hostileNames[7], candidate: hostileNames[6] };
