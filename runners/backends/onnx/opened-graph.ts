import { join } from 'node:path';
import { TenbinError } from '../../../core/errors.js';
import type { ModelCard, ModelFiles } from '../../models/card.js';
import { type Tokenizer, tokenizerVersion } from '../../tokenizers/index.js';
import { encoderOf } from '../model-folder/graph-files.js';
import { readTokenizer } from './folder.js';
import { scanGraph } from './graph-file.js';
import type { Job, JobResult, Projection, Reading, TensorFacts } from './job.js';
import { outputFor } from './outputs.js';
import { type BatchRule, floatRule, fullRule, ruleFor, singleRule } from './plan.js';
import { ortVersion } from './runtime.js';
import { openSession } from './session.js';

export interface OnnxOptions {
  /** Execution provider: `cpu`, `cuda`, `webgpu`. */
  readonly device: string;
  /** Threads of one session; they change no number. */
  readonly threads: number;
}

/** A model's graph, tokenizer and rules, open and ready. */
export interface OpenedGraph {
  readonly tokenizer: Tokenizer;
  readonly run: (job: Job) => Promise<JobResult>;
  readonly rule: BatchRule;
  /** Width of the output that is read, as the graph says; null where only a run tells. */
  readonly outputWidth: number | null;
  readonly opened: {
    readonly conditions: Readonly<Record<string, string | number | boolean>>;
    readonly modelBytes: number;
    readonly close: () => Promise<void>;
  };
}

export interface GraphUse {
  /** What will be read, which decides the output and how much of it fits in memory. */
  readonly reading: Reading['kind'];
  readonly projections?: readonly Projection[];
  /** No batch has padding, and the graph takes the maximum over positions itself. */
  readonly maximum?: 'in-graph';
}

/** Opens a model's files. Whatever was opened is released when a later step fails. */
export async function openGraph(
  { card, dtype, folder }: ModelFiles,
  { device, threads }: OnnxOptions,
  { reading, projections = [], maximum }: GraphUse,
): Promise<OpenedGraph> {
  const paths = graphsOf(card, dtype).map((name) => join(folder, name));
  const tokenizer = await readTokenizer(folder);
  const scans = await Promise.all(paths.map(scanGraph));
  const quantized = scans.some(({ dynamicQuantization }) => dynamicQuantization);
  const base = quantized ? singleRule : maximum === undefined ? floatRule : fullRule;
  const [path, encoderPath = null] = paths;
  const request = {
    path,
    encoderPath,
    device,
    threads,
    projections,
    leastWidth: base.leastWidth,
    ...(maximum && { maximum }),
  };
  const { facts, run, close } = await openSession(request);
  try {
    const outputWidth = widthOf(outputFor(reading, facts));
    const conditions = {
      'onnx.device': device,
      'onnx.dtype': dtype,
      'onnx.version': await ortVersion(),
      'onnx.batchRule': base.name,
      tokenizer: tokenizerVersion,
      maxLength: card.maxLength,
    };
    const modelBytes = scans.reduce((sum, { bytes }) => sum + bytes, 0);
    return {
      tokenizer,
      run,
      rule: ruleFor(base, outputWidth ?? 1),
      outputWidth,
      opened: { conditions, modelBytes, close },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** An output with one axis has one number for each row. */
function widthOf({ shape }: TensorFacts): number | null {
  const last = shape.length === 1 ? 1 : shape.at(-1);
  return typeof last === 'number' && last > 0 ? last : null;
}

/** What is built on an open graph; the graph is closed when that fails. */
export async function builtOn<T>(graph: OpenedGraph, build: () => T | Promise<T>): Promise<T> {
  try {
    return await build();
  } catch (error) {
    await graph.opened.close();
    throw error;
  }
}

/** The graph of that number format, and the encoder's where it is a decoder's. */
function graphsOf(card: ModelCard, dtype: ModelFiles['dtype']): readonly string[] {
  const file = card.files[dtype];
  if (file === undefined) {
    throw new TenbinError('usage', {
      what: `${card.id} has no graph in that number format`,
      value: dtype,
      fix: `It has ${Object.keys(card.files).join(', ')}.`,
    });
  }
  const encoder = encoderOf(file);
  return encoder === null ? [file] : [file, encoder];
}

/** Ids of tokens by their text; one that the vocabulary lacks is an error that names it. */
export function requiredId(tokenizer: Tokenizer, token: string, purpose: string): number {
  const id = tokenizer.idOf(token);
  if (id !== null) return id;
  throw new TenbinError('malformed', {
    what: `The vocabulary lacks the token that the card names as ${purpose}`,
    value: token,
    fix: 'Check that tokenizer.json and the card belong together.',
  });
}

/** The id that stands where there is no token. */
export function padIdOf({ special }: Tokenizer): number {
  return special.pad ?? special.eos ?? 0;
}
