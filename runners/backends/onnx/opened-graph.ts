import { join } from 'node:path';
import { TenbinError } from '../../../core/errors.js';
import type { ModelCard, ModelFiles } from '../../models/card.js';
import { type Tokenizer, tokenizerVersion } from '../../tokenizers/index.js';
import { encoderOf } from '../model-folder/graph-files.js';
import { readTokenizer } from './folder.js';
import { scanGraph } from './graph-file.js';
import type { GraphFacts, Job, JobResult, Projection, Reading } from './job.js';
import { outputFor } from './outputs.js';
import { type BatchRule, floatRule, ruleFor, singleRule } from './plan.js';
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
  readonly facts: GraphFacts;
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
}

/** Opens a model's files. Whatever was opened is released when a later step fails. */
export async function openGraph(
  { card, dtype, folder }: ModelFiles,
  { device, threads }: OnnxOptions,
  { reading, projections = [] }: GraphUse,
): Promise<OpenedGraph> {
  const file = graphOf(card, dtype);
  const encoder = encoderOf(file);
  const paths = [file, ...(encoder === null ? [] : [encoder])].map((name) => join(folder, name));
  const tokenizer = await readTokenizer(folder);
  const scans = await Promise.all(paths.map(scanGraph));
  const [path, encoderPath = null] = paths;
  const base = scans.some(({ dynamicQuantization }) => dynamicQuantization) ? singleRule : floatRule;
  const request = { path, encoderPath, device, threads, projections, leastWidth: base.leastWidth };
  const session = await openSession(request);
  try {
    const last = outputFor(reading, session.facts).shape.at(-1);
    const outputWidth = typeof last === 'number' ? last : null;
    const rule = ruleFor(base, outputWidth ?? 1);
    return {
      facts: session.facts,
      tokenizer,
      run: session.run,
      rule,
      outputWidth,
      opened: {
        conditions: {
          'onnx.device': device,
          'onnx.dtype': dtype,
          'onnx.version': await ortVersion(),
          'onnx.batchRule': rule.name,
          tokenizer: tokenizerVersion,
          maxLength: card.maxLength,
        },
        modelBytes: scans.reduce((sum, { bytes }) => sum + bytes, 0),
        close: session.close,
      },
    };
  } catch (error) {
    await session.close();
    throw error;
  }
}

function graphOf(card: ModelCard, dtype: ModelFiles['dtype']): string {
  const file = card.files[dtype];
  if (file !== undefined) return file;
  throw new TenbinError('usage', {
    what: `${card.id} has no graph in that number format`,
    value: dtype,
    fix: `It has ${Object.keys(card.files).join(', ')}.`,
  });
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
