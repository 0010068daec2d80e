import { TenbinError } from '../../../core/errors.js';
import { feedsOf } from './feeds.js';
import type { GraphFacts, Job, JobResult, SessionRequest, TensorFacts } from './job.js';
import { outputTensor } from './output-tensor.js';
import { outputFor } from './outputs.js';
import { type Padded, padded } from './padding.js';
import { readLabels, readLikelihood, readWords } from './read-logits.js';
import { readSparse } from './read-sparse.js';
import { readPooled, readTokens } from './read-vectors.js';
import { createSession, loadOrt, type OrtModule, type OrtSession, type Tensor } from './runtime.js';

/** Open graphs in this thread: what runs jobs, wherever it stands. */
export interface Graphs {
  readonly facts: GraphFacts;
  readonly run: (job: Job) => Promise<JobResult>;
  readonly release: () => Promise<void>;
}

export async function openGraphs(request: SessionRequest): Promise<Graphs> {
  const ort = await loadOrt();
  const opened: OrtSession[] = [];
  const release = async () => {
    for (const session of opened.splice(0)) await session.release();
  };
  const open = async (path: string) => {
    const session = await createSession(ort, path, request);
    opened.push(session);
    return { ort, session, facts: factsOf(session) };
  };
  try {
    const main = await open(request.path);
    const encoder = request.encoderPath === null ? null : await open(request.encoderPath);
    return { facts: main.facts, run: (job) => runJob(main, encoder, request, job), release };
  } catch (error) {
    await release();
    throw error;
  }
}

interface Graph {
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
  const { reading } = job;
  const given = padded(job.batch, request.leastWidth);
  if (encoder === null)
    return withOutput(main, { tokens: given, encoder: null }, reading.kind, (output) => read(output, given));
  if (job.decoder === null) throw new Error('an encoder-decoder got no tokens for its decoder');
  const decoded = padded(job.decoder, request.leastWidth);
  return withTensor(encoder, { tokens: given, encoder: null }, 'pooled', (states) =>
    withOutput(main, { tokens: decoded, encoder: { states, mask: given } }, reading.kind, (output) =>
      read(output, decoded),
    ),
  );

  function read(output: ReturnType<typeof outputTensor>, tokens: Padded): JobResult {
    checkPositions(output.dims, tokens, reading.kind);
    switch (reading.kind) {
      case 'pooled':
        return readPooled(output, tokens, { ...reading, projections: request.projections });
      case 'tokens':
        return readTokens(output, tokens, { skip: new Set(reading.skip), projections: request.projections });
      case 'sparse':
        return readSparse(output, tokens, { logarithms: reading.logarithms, skip: new Set(reading.skip) });
      case 'labels':
        return readLabels(output, tokens, reading.labels);
      case 'words':
        return readWords(output, tokens, reading);
      case 'likelihood':
        return readLikelihood(output, tokens, reading);
    }
  }
}

type Source = Parameters<typeof feedsOf>[2];

function withOutput<T>(
  graph: Graph,
  source: Source,
  kind: Job['reading']['kind'],
  use: (output: ReturnType<typeof outputTensor>) => T,
): Promise<T> {
  const { name } = outputFor(kind, graph.facts);
  return withTensor(graph, source, kind, async (tensor) => use(outputTensor(name, tensor)));
}

/** Runs a graph for one output; the tensor's memory is given back when it has been used. */
async function withTensor<T>(
  { ort, session, facts }: Graph,
  source: Source,
  kind: Job['reading']['kind'],
  use: (tensor: Tensor) => Promise<T>,
): Promise<T> {
  const { name } = outputFor(kind, facts);
  const { [name]: tensor } = await session.run(feedsOf(ort, facts.inputs, source), [name]);
  try {
    return await use(tensor);
  } finally {
    tensor.dispose();
  }
}

/** Some exports keep the last position's logits only; with padding that is not each row's last. */
function checkPositions(dims: readonly number[], { rows, width }: Padded, kind: Job['reading']['kind']): void {
  if (dims[0] === rows && (dims.length < 3 || dims[1] === width)) return;
  throw new TenbinError('refused', {
    what: 'The graph gave another number of rows or positions than it was fed',
    value: `[${dims.join(', ')}] for ${rows} × ${width}, read as ${kind}`,
    fix: 'Export it so that its output has every position.',
  });
}
