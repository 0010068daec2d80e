import { reasonOf, TenbinError } from '../../../core/errors.js';
import { readBytes } from '../../../tasks/files.js';
import { type FeedSource, feedsOf } from './feeds.js';
import { scanGraph } from './graph-file.js';
import type { GraphFacts, Job, JobResult, Reading, SessionRequest, TensorFacts } from './job.js';
import { maximumOutput, sumOutput, withMaximum } from './maximum-graph.js';
import { outputTensor } from './output-tensor.js';
import { outputFor } from './outputs.js';
import { isFull, padded } from './padding.js';
import { readOutput } from './read-output.js';
import { readMaximum } from './read-sparse.js';
import { createSession, loadOrt, type OrtModule, type OrtSession, type Tensor } from './runtime.js';
import { useOutputs } from './use-outputs.js';

/** Open graphs in this thread: what runs jobs, wherever it stands. */
export interface Graphs {
  readonly facts: GraphFacts;
  readonly run: (job: Job) => Promise<JobResult>;
  readonly release: () => Promise<void>;
}

/** Opens the graph, and the encoder's where it is a decoder's. What is open is released when the other cannot be. */
export async function openGraphs(request: SessionRequest): Promise<Graphs> {
  const ort = await loadOrt();
  const opened: OrtSession[] = [];
  const release = async () => {
    for (const session of opened.splice(0)) await session.release();
  };
  const open = async (path: string): Promise<Graph> => {
    const session = await createSession(ort, path, request);
    opened.push(session);
    return { ort, session, facts: factsOf(session) };
  };
  try {
    const plain = await open(request.path);
    const main = request.maximum === undefined ? plain : await withMaximumInGraph(plain, request, opened);
    const encoder = request.encoderPath === null ? null : await open(request.encoderPath);
    const run = async (job: Job) => {
      try {
        return await runJob(main, encoder, request, job);
      } catch (error) {
        throw runError(request, error);
      }
    };
    return { facts: main.facts, run, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The same graph with one output more, in place of the plain one; the plain one where its file does not allow it. */
async function withMaximumInGraph(plain: Graph, request: SessionRequest, opened: OrtSession[]): Promise<Graph> {
  const logits = outputFor('sparse', plain.facts);
  if (logits.shape.length !== 3 || logits.type !== 'float32') return plain;
  const [file, { bytes }] = [await readBytes(request.path), await scanGraph(request.path)];
  // Data beside the graph is found by the graph's path only.
  const longer = file.length === bytes ? withMaximum(file, logits.name) : null;
  if (longer === null) return plain;
  const session = await createSession(plain.ort, longer, request).catch(() => null);
  if (session === null) return plain;
  opened.push(session);
  opened.splice(opened.indexOf(plain.session), 1);
  await plain.session.release();
  return { ...plain, session, maximum: true };
}

interface Graph {
  /** It also gives the maximum of its logits over the positions. */
  readonly maximum?: true;
  readonly ort: OrtModule;
  readonly session: OrtSession;
  readonly facts: GraphFacts;
}

function factsOf({ inputMetadata, outputMetadata }: OrtSession): GraphFacts {
  const facts = (metadata: OrtSession['inputMetadata']): TensorFacts[] =>
    metadata.map((each) =>
      each.isTensor
        ? { name: each.name, type: each.type, shape: each.shape }
        : { name: each.name, type: 'not a tensor', shape: [] },
    );
  return { inputs: facts(inputMetadata), outputs: facts(outputMetadata) };
}

async function runJob(main: Graph, encoder: Graph | null, request: SessionRequest, job: Job): Promise<JobResult> {
  const { leastWidth, projections } = request;
  const { reading } = job;
  const tokens = padded(job.batch, leastWidth);
  const output = outputFor(reading.kind, main.facts).name;
  if (encoder === null || job.decoder === null) {
    const alone: FeedSource = { tokens, encoder: null };
    return (
      (await maximumInGraph(main, alone, reading)) ??
      running(main, alone, [output], (tensor) =>
        readOutput(outputTensor(output, tensor), tokens, { reading, projections }),
      )
    );
  }
  const decoded = padded(job.decoder, leastWidth);
  const states = outputFor('pooled', encoder.facts).name;
  return running(encoder, { tokens, encoder: null }, [states], (tensor) => {
    const behind: FeedSource = { tokens: decoded, encoder: { states: tensor, mask: tokens } };
    return running(main, behind, [output], (logits) =>
      readOutput(outputTensor(output, logits), decoded, { reading, projections }),
    );
  });
}

/**
 * Weights from the maximum that the graph takes; null where all logits have to be read: for padding, for positions that
 * do not count, and for a logit that may be no number, which the maximum may have dropped.
 */
async function maximumInGraph(main: Graph, source: FeedSource, reading: Reading): Promise<JobResult | null> {
  const { tokens } = source;
  if (!main.maximum || reading.kind !== 'sparse' || reading.skip.length > 0 || !isFull(tokens)) return null;
  return running(main, source, [maximumOutput, sumOutput], (maximum, sums) => {
    if (outputTensor(sumOutput, sums).values.some(Number.isNaN)) return null;
    return readMaximum(outputTensor(maximumOutput, maximum), tokens.rows, reading.logarithms);
  });
}

function running<T>(
  { ort, session, facts }: Graph,
  source: FeedSource,
  outputs: readonly string[],
  use: (...tensors: readonly Tensor[]) => T | Promise<T>,
): Promise<T> {
  return useOutputs({ session, feeds: feedsOf(ort, facts.inputs, source), outputs }, use);
}

function runError({ path }: SessionRequest, error: unknown): TenbinError {
  if (error instanceof TenbinError) return error;
  return new TenbinError('refused', {
    what: `ONNX Runtime could not run the graph (${reasonOf(error).split('\n')[0].slice(0, 300)})`,
    value: path,
    fix: 'Check that the graph, its tokenizer and its card belong together.',
    cause: error,
  });
}
