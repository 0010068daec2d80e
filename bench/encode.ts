import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reasonOf } from '../core/errors.js';
import { feedsOf } from '../runners/backends/onnx/feeds.js';
import { readTokenizer } from '../runners/backends/onnx/folder.js';
import { openOnnx } from '../runners/backends/onnx/index.js';
import { batchOf, padded } from '../runners/backends/onnx/padding.js';
import { createSession, loadOrt } from '../runners/backends/onnx/runtime.js';
import type { DenseCard } from '../runners/models/card.js';
import { openPipelinePeer } from './encode-peer.js';

export interface EncodeBenchOptions {
  /** Folder with the models: `../shared/models`. */
  readonly models: string;
  /** A BEIR folder whose documents are encoded: `../shared/datasets/scifact`. */
  readonly dataset: string;
  /** Folder with node_modules/@huggingface/transformers: `~/.cache/tenbin-peers/node`. */
  readonly node: string;
  /** A Python with onnxruntime and tokenizers: `~/.cache/tenbin-peers/bin/python`. */
  readonly python: string;
  /** The program that encodes with them: `../shared/peers/encode_peer.py`. */
  readonly peer: string;
  readonly threads?: number;
}

/** A peer's speed and ours as a multiple of it, or why there is none. */
export type EncodePeer =
  | { readonly peer: string; readonly tokensPerSecond: number; readonly ratio: number }
  | { readonly peer: string; readonly missing: string };

export interface EncodeBench {
  readonly model: string;
  readonly texts: number;
  readonly tokens: number;
  /** Ours from texts to vectors, tokenizing included. */
  readonly tokensPerSecond: number;
  readonly peers: readonly EncodePeer[];
}

/** Tokens of the longest text: longer ones are left out, since each program cuts at a length of its own. */
const longestTokens = 256;
const rounds = 3;
const models = [
  { name: 'all-minilm-l6-v2', dims: 384, texts: 300 },
  { name: 'dense-tiny', dims: 128, texts: 1000 },
] as const;

/** Encodes the same documents in turns with tenbin, with bare session calls, and with the peers; the best of three. */
export async function benchEncode(options: EncodeBenchOptions): Promise<readonly EncodeBench[]> {
  const all = await documentsOf(options.dataset);
  const results: EncodeBench[] = [];
  for (const model of models) results.push(await benchModel(options, model, all));
  return results;
}

type BenchModel = (typeof models)[number];
type Timed = () => Promise<number>;

async function benchModel(
  options: EncodeBenchOptions,
  model: BenchModel,
  all: readonly string[],
): Promise<EncodeBench> {
  const { threads = 2 } = options;
  const folder = join(options.models, model.name);
  const tokenizer = await readTokenizer(folder);
  const rows = all
    .map((text) => ({ text, ids: tokenizer.encode(text, longestTokens + 1).ids }))
    .filter(({ ids }) => ids.length <= longestTokens)
    .slice(0, model.texts);
  const texts = rows.map(({ text }) => text);
  const tokens = rows.reduce((sum, { ids }) => sum + ids.length, 0);
  const encoder = await openOnnx({ card: cardOf(model), dtype: 'fp32', folder }, { device: 'cpu', threads });
  const bare = await bareSession(
    join(folder, 'onnx/model.onnx'),
    rows.map(({ ids }) => ids),
    threads,
  );
  const pipeline = await openPipelinePeer({ ...options, model: model.name, texts, threads }).catch(reasonOf);
  const seconds = await alternating([
    async () => (encoder.kind === 'encoder' ? timed(() => encoder.encode(texts, 'document')) : Number.NaN),
    bare.time,
    ...(typeof pipeline === 'string' ? [] : [pipeline.time]),
  ]);
  await Promise.all([encoder.close(), bare.close(), typeof pipeline === 'string' ? null : pipeline.close()]);
  const speed = tokens / seconds[0];
  const compared = (peer: string, theirs: number): EncodePeer => ({
    peer,
    tokensPerSecond: theirs,
    ratio: speed / theirs,
  });
  return {
    model: model.name,
    texts: texts.length,
    tokens,
    tokensPerSecond: speed,
    peers: [
      compared('bare session, tokenized and sorted before', tokens / seconds[1]),
      typeof pipeline === 'string'
        ? { peer: 'transformers.js', missing: pipeline }
        : compared('transformers.js, 32 texts at a time', tokens / seconds[2]),
      await pythonPeer(options, model, compared),
    ],
  };
}

/** The result in lines for people. */
export function encodeBenchLines(results: readonly EncodeBench[]): string[] {
  return results.flatMap(({ model, texts, tokens, tokensPerSecond, peers }) => [
    `encode: ${model} fp32, ${texts} documents of ${(tokens / texts).toFixed(0)} tokens on average`,
    `  tenbin: ${tokensPerSecond.toFixed(0)} tokens/s`,
    ...peers.map((peer) =>
      'missing' in peer
        ? `    ${peer.peer}: left out (${peer.missing})`
        : `    ${peer.peer}: ${peer.tokensPerSecond.toFixed(0)} tokens/s; tenbin is ${peer.ratio.toFixed(2)} × as fast`,
    ),
  ]);
}

/** The best seconds of each, run in turns, so that a busy machine slows all of them. */
async function alternating(works: readonly Timed[]): Promise<number[]> {
  const best = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [i, work] of works.entries()) best[i] = Math.min(best[i], await work());
  }
  return best;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** The least that encoding costs: sorted batches of 32, feeds made beforehand, outputs thrown away. */
async function bareSession(path: string, rows: readonly (readonly number[])[], threads: number) {
  const ort = await loadOrt();
  const session = await createSession(ort, path, { device: 'cpu', threads });
  const inputs = session.inputMetadata.flatMap((each) => (each.isTensor ? [each] : []));
  const sorted = [...rows].sort((a, b) => b.length - a.length);
  const batches = Array.from({ length: Math.ceil(sorted.length / 32) }, (_, i) => sorted.slice(32 * i, 32 * (i + 1)));
  const feeds = batches.map((batch) =>
    feedsOf(ort, inputs, { tokens: padded(batchOf(batch.map((ids) => ({ ids })))), encoder: null }),
  );
  const run = async () => {
    for (const feed of feeds) {
      for (const output of Object.values(await session.run(feed))) output.dispose();
    }
  };
  return { time: () => timed(run), close: () => session.release() };
}

async function pythonPeer(
  { python, peer, models: folder, dataset }: EncodeBenchOptions,
  { name, texts }: BenchModel,
  compared: (peer: string, tokensPerSecond: number) => EncodePeer,
): Promise<EncodePeer> {
  try {
    const { stdout } = await promisify(execFile)(python, [peer, join(folder, name), dataset, String(texts)]);
    const { version, tokensPerSecond } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    return compared(`onnxruntime ${version} in Python`, tokensPerSecond);
  } catch (error) {
    return { peer: 'onnxruntime in Python', missing: reasonOf(error).trim().split('\n').at(-1) ?? '' };
  }
}

async function documentsOf(folder: string): Promise<string[]> {
  const lines = (await readFile(join(folder, 'corpus.jsonl'), 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const { title = '', text } = JSON.parse(line) as { title?: string; text: string };
    return title === '' ? text : `${title}\n\n${text}`;
  });
}

function cardOf({ name, dims }: BenchModel): DenseCard {
  return {
    family: 'dense',
    id: name,
    summary: name,
    origin: { kind: 'folder', path: name },
    files: { fp32: 'onnx/model.onnx' },
    maxLength: longestTokens,
    languages: ['en'],
    licence: 'Apache-2.0',
    verified: true,
    pooling: 'mean',
    normalize: true,
    dims,
    matryoshkaDims: [],
    similarity: 'cosine',
    prompts: { query: '', document: '' },
  };
}
