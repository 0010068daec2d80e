import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reasonOf } from '../core/errors.js';
import { analyzers } from '../runners/analyzers/index.js';
import { lexical } from '../runners/families/lexical.js';
import { bm25 } from '../runners/models/bm25.js';
import type { Texts } from '../runners/system.js';

export interface Bm25BenchOptions {
  /** Collections in BEIR layout: `../shared/datasets`. */
  readonly datasets: string;
  /** A Python with bm25s, numba and PyStemmer: `~/.cache/tenbin-peers/bin/python`. */
  readonly python: string;
  /** The program that does the same work with them: `../shared/peers/bm25_peer.py`. */
  readonly peers: string;
}

/** Seconds of the best of three runs, and of the first, which has yet to be compiled. */
export interface Seconds {
  readonly best: number;
  readonly first: number;
}

/** A peer's times and how many times ours they are, or why there are none. */
export type Bm25Peer =
  | {
      readonly peer: string;
      readonly index: { readonly seconds: number; readonly ratio: number };
      readonly search: { readonly seconds: number; readonly ratio: number };
    }
  | { readonly peer: string; readonly missing: string };

export interface Bm25Work {
  readonly docs: number;
  readonly queries: number;
  readonly meanDocTerms: number;
  /** Analysis of the documents and the queries and the index. */
  readonly index: Seconds;
  /** All queries, top 100, one after another on one thread; their analysis once more, since the peers time it here. */
  readonly search: Seconds;
}

export type Bm25Bench =
  | { readonly missing: string }
  | { readonly small: Bm25Work; readonly large: Bm25Work; readonly peers: readonly Bm25Peer[] };

const smallNames = ['scifact', 'cosqa'];
const largeNames = ['scifact', 'cosqa', 'medquad', 'npl', 'lisa', 'cranfield'];
const peerNames = ['bm25s/numba', 'bm25s/numpy'];

/** Times BM25 with the English analyzer on real texts, then lets the peers do the larger work on this machine. */
export async function benchBm25(options: Bm25BenchOptions): Promise<Bm25Bench> {
  try {
    const all = await readAll(options.datasets, smallNames);
    const small = await timedWork({ docs: all.docs.slice(0, 10_000), queries: all.queries.slice(0, 500) });
    const large = await timedWork(await readAll(options.datasets, largeNames));
    return { small, large, peers: await peersOf(options, large) };
  } catch (error) {
    return { missing: reasonOf(error) };
  }
}

/** The result in lines for people. */
export function bm25BenchLines(bench: Bm25Bench): string[] {
  if ('missing' in bench) return [`bm25: left out (${bench.missing})`];
  const { small, large, peers } = bench;
  const together = (kind: keyof Seconds): string => `${(small.index[kind] + small.search[kind]).toFixed(2)} s`;
  return [
    `bm25: index and ${small.queries} queries over ${small.docs} documents of ${Math.round(small.meanDocTerms)} terms in ${together('best')} (first run ${together('first')})`,
    `bm25: ${large.docs} documents, ${large.queries} queries, top 100`,
    `  tenbin: index ${large.index.best.toFixed(2)} s, search ${large.search.best.toFixed(3)} s (${Math.round(large.queries / large.search.best)} queries/s)`,
    ...peers.map((peer) =>
      'missing' in peer
        ? `    ${peer.peer}: left out (${peer.missing})`
        : `    ${peer.peer}: index ${shown(peer.index)}, search ${shown(peer.search)}`,
    ),
  ];
}

function shown({ seconds, ratio }: { readonly seconds: number; readonly ratio: number }): string {
  return `${seconds.toFixed(3)} s (${ratio.toFixed(2)} × tenbin)`;
}

async function readAll(datasets: string, names: readonly string[]): Promise<Texts> {
  const rowsOf = async (name: string, file: string): Promise<{ title?: string; text: string }[]> =>
    (await readFile(join(datasets, name, file), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const all: { docs: string[]; queries: string[] } = { docs: [], queries: [] };
  for (const name of names) {
    for (const { title = '', text } of await rowsOf(name, 'corpus.jsonl')) {
      all.docs.push(title === '' ? text : `${title}\n\n${text}`);
    }
    for (const { text } of await rowsOf(name, 'queries.jsonl')) all.queries.push(text);
  }
  return all;
}

async function timedWork(texts: Texts): Promise<Bm25Work> {
  const runs: { index: number; search: number }[] = [];
  let terms = 0;
  for (let run = 0; run < 3; run++) {
    const analyzer = analyzers.bind('english');
    const start = performance.now();
    const { index } = await lexical.prepare(texts, bm25.bind(undefined), { analyzer, seed: 0 });
    const indexed = performance.now();
    for (const text of texts.queries) analyzer.analyze(text);
    for (let query = 0; query < texts.queries.length; query++) index.search(query, 100);
    runs.push({ index: (indexed - start) / 1000, search: (performance.now() - indexed) / 1000 });
    if (run === 0) for (const text of texts.docs) terms += analyzer.analyze(text).length;
  }
  const secondsOf = (kind: 'index' | 'search'): Seconds => ({
    best: Math.min(...runs.map((run) => run[kind])),
    first: runs[0][kind],
  });
  return {
    docs: texts.docs.length,
    queries: texts.queries.length,
    meanDocTerms: terms / texts.docs.length,
    index: secondsOf('index'),
    search: secondsOf('search'),
  };
}

interface PeerRow {
  readonly peer: string;
  readonly index: { readonly best: number };
  readonly search: { readonly best: number };
}

async function peersOf({ python, peers, datasets }: Bm25BenchOptions, ours: Bm25Work): Promise<Bm25Peer[]> {
  try {
    const { stdout } = await promisify(execFile)(python, [peers, datasets, ...largeNames], { maxBuffer: 1 << 24 });
    const rows = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): PeerRow => JSON.parse(line));
    return peerNames.map((peer) => comparedWith(peer, rows, ours));
  } catch (error) {
    const missing = reasonOf(error).trim().split('\n').at(-1) ?? '';
    return peerNames.map((peer) => ({ peer, missing }));
  }
}

function comparedWith(peer: string, rows: readonly PeerRow[], ours: Bm25Work): Bm25Peer {
  const row = rows.find((other) => other.peer === peer);
  if (row === undefined) return { peer, missing: 'it gave no time' };
  const part = (kind: 'index' | 'search') => ({ seconds: row[kind].best, ratio: row[kind].best / ours[kind].best });
  return { peer, index: part('index'), search: part('search') };
}
