import { execFile } from 'node:child_process';
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reasonOf } from '../core/errors.js';
import { mulberry32 } from '../core/random.js';
import { parseMeasure } from '../results/measures/parse.js';
import { decodeQrels, decodeRun } from '../results/readers/index.js';
import { scoreRun } from '../results/score.js';

export interface ScoreBenchOptions {
  /** A Python with ir_measures, ranx and pytrec_eval: `~/.cache/tenbin-peers/bin/python`. */
  readonly python: string;
  /** The program that does the same work with them: `../shared/peers/score_peer.py`. */
  readonly peers: string;
  /** trec_eval's own program; `TREC_EVAL` of the environment when not said. */
  readonly trecEval?: string;
  readonly queries?: number;
  readonly depth?: number;
}

export interface Seconds {
  readonly best: number;
  readonly median: number;
}

/** A peer's time and how many times ours it is, or why there is none. */
export type Peer =
  | { readonly peer: string; readonly seconds: Seconds; readonly ratio: number }
  | { readonly peer: string; readonly missing: string };

export interface ScoreBench {
  readonly queries: number;
  readonly depth: number;
  readonly measures: readonly string[];
  readonly runBytes: number;
  readonly read: Seconds;
  readonly score: Seconds;
  /** Reading and scoring, as the peers are timed. */
  readonly total: Seconds;
  /** The whole of `tenbin score --format trec`, start and printing included, as trec_eval is timed. */
  readonly process: Seconds;
  readonly peers: readonly Peer[];
}

/** The peers' ten, with Judged@10 where they have bpref, and every value over all orders inside the ties. */
const measures = ['AP', 'nDCG', 'nDCG@10', 'nDCG@100', 'RR', 'P@10', 'R@100', 'Success@10', 'Rprec', 'Judged@10'];

/** The same with trec_eval's names, and its bpref. */
const trecMeasures = [
  'map',
  'ndcg',
  'ndcg_cut.10,100',
  'recip_rank',
  'P.10',
  'recall.100',
  'success.10',
  'Rprec',
  'bpref',
];

/** Reads and scores a seeded run with ten measures, then lets the peers do the same on this machine. */
export async function benchScore(options: ScoreBenchOptions): Promise<ScoreBench> {
  const { queries = 1000, depth = 1000, trecEval = process.env.TREC_EVAL } = options;
  const folder = await mkdtemp(join(tmpdir(), 'tenbin-bench-'));
  try {
    const files = await writeFiles(folder, queries, depth);
    const times: { read: number; score: number }[] = [];
    for (let i = 0; i < 3; i++) times.push(await timedOnce(files));
    const total = secondsOf(times.map(({ read, score }) => read + score));
    const { process, peer: trecEvalPeer } = await asProcesses(trecEval, files);
    return {
      queries,
      depth,
      measures,
      runBytes: (await stat(files.run)).size,
      read: secondsOf(times.map(({ read }) => read)),
      score: secondsOf(times.map(({ score }) => score)),
      total,
      process,
      peers: [trecEvalPeer, ...(await peersOf(options, { queries, depth }, total))],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The result in lines for people. */
export function scoreBenchLines({
  queries,
  depth,
  runBytes,
  read,
  score,
  total,
  process,
  peers,
}: ScoreBench): string[] {
  const text = ({ best, median }: Seconds) => `${best.toFixed(2)} s (median ${median.toFixed(2)})`;
  return [
    `score: ${queries} queries × ${depth} documents, ${(runBytes / 1e6).toFixed(1)} MB, ${measures.length} measures`,
    `  tenbin: read ${text(read)}, score ${text(score)}, together ${text(total)}`,
    `  tenbin score --format trec, as a process: ${text(process)}`,
    ...peers.map((peer) =>
      'missing' in peer
        ? `  ${peer.peer}: left out (${peer.missing})`
        : `  ${peer.peer}: ${text(peer.seconds)}, ${peer.ratio.toFixed(2)} × tenbin${peer.peer === 'trec_eval' ? ' as a process' : ''}`,
    ),
  ];
}

interface Files {
  readonly run: string;
  readonly qrels: string;
}

async function timedOnce({ run, qrels }: Files): Promise<{ read: number; score: number }> {
  const start = performance.now();
  const { rankings } = await decodeRun(await readFile(run), run);
  const { judged } = await decodeQrels(await readFile(qrels), qrels);
  const between = performance.now();
  scoreRun({ rankings, judged, measures: measures.map(parseMeasure) });
  return { read: (between - start) / 1000, score: (performance.now() - between) / 1000 };
}

/** Both programs read, score and print the very same files, in turns, so that a slow minute is one of both. */
async function asProcesses(trecEval: string | undefined, { run, qrels }: Files) {
  const asked = trecMeasures.flatMap((name) => ['-m', name]);
  const ours: number[] = [];
  const theirs: number[] = [];
  const tenbin = join(import.meta.dirname, '../scripts/tenbin.js');
  let missing = trecEval === undefined ? 'TREC_EVAL does not say where its program is' : null;
  for (let i = 0; i < 5; i++) {
    ours.push(
      await processSeconds(process.execPath, [tenbin, 'score', qrels, run, '--format', 'trec', '-c', ...asked]),
    );
    if (trecEval === undefined || missing !== null) continue;
    const seconds = await processSeconds(trecEval, ['-c', ...asked, qrels, run]).catch((error: unknown) =>
      reasonOf(error),
    );
    if (typeof seconds === 'string') missing = seconds.split('\n')[0];
    else theirs.push(seconds);
  }
  const own = secondsOf(ours);
  if (missing !== null) return { process: own, peer: { peer: 'trec_eval', missing } };
  const seconds = secondsOf(theirs);
  return { process: own, peer: { peer: 'trec_eval', seconds, ratio: seconds.median / own.median } };
}

async function processSeconds(program: string, parameters: readonly string[]): Promise<number> {
  const start = performance.now();
  await promisify(execFile)(program, parameters);
  return (performance.now() - start) / 1000;
}

function secondsOf(values: readonly number[]): Seconds {
  const sorted = values.toSorted((a, b) => a - b);
  return { best: sorted[0], median: sorted[Math.floor(sorted.length / 2)] };
}

/** The peers' own shape: distinct six-digit scores that descend, twenty judgements a query, half of them retrieved. */
async function writeFiles(folder: string, queries: number, depth: number): Promise<Files> {
  const files = { run: join(folder, 'run.txt'), qrels: join(folder, 'qrels.txt') };
  const random = mulberry32(17);
  const [run, qrels] = await Promise.all([open(files.run, 'w'), open(files.qrels, 'w')]);
  for (let q = 0; q < queries; q++) {
    const docs = sample(random, 10 * depth, depth);
    const rows = docs.map((doc, i) => `q${q} Q0 d${doc} ${i + 1} ${(1000 - i - random()).toFixed(6)} tag\n`);
    const judged = new Set([...sample(random, depth, 10).map((i) => docs[i]), ...sample(random, 10 * depth, 10)]);
    await run.write(rows.join(''));
    await qrels.write([...judged].map((doc) => `q${q} 0 d${doc} ${Math.floor(random() * 4)}\n`).join(''));
  }
  await Promise.all([run.close(), qrels.close()]);
  return files;
}

function sample(random: () => number, from: number, count: number): number[] {
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, from)) chosen.add(Math.floor(random() * from));
  return [...chosen];
}

async function peersOf(
  options: ScoreBenchOptions,
  work: { queries: number; depth: number },
  ours: Seconds,
): Promise<Peer[]> {
  for (const path of [options.python, options.peers]) {
    const there = await stat(path).then(
      () => true,
      () => false,
    );
    if (!there) return [{ peer: 'peers', missing: `${path} is not there` }];
  }
  const parameters = [options.peers, String(work.queries), String(work.depth)];
  try {
    const { stdout } = await promisify(execFile)(options.python, parameters, { maxBuffer: 1 << 24 });
    return stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => peerOf(JSON.parse(line), ours))
      .filter(({ peer }) => peer !== 'trec_eval');
  } catch (error) {
    return [{ peer: 'peers', missing: reasonOf(error).split('\n')[0] }];
  }
}

function peerOf(row: { peer: string; missing?: string; total?: Seconds }, ours: Seconds): Peer {
  if (row.total === undefined) return { peer: row.peer, missing: row.missing ?? 'no time given' };
  return { peer: row.peer, seconds: row.total, ratio: row.total.best / ours.best };
}
