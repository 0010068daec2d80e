import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { CountRequest } from '../../../runners/cost/graph/index.js';

/** Shapes of the outputs of every node that ONNX Runtime ran, by the node's name, request by request. */
type ProfiledShapes = readonly ReadonlyMap<string, readonly (readonly number[])[]>[];

interface ProfileEvent {
  readonly cat: string;
  readonly name: string;
  readonly args: { readonly output_type_shape?: readonly Readonly<Record<string, readonly number[]>>[] };
}

const suffix = '_kernel_time';

/** What the runtime itself writes down while it runs the graph as it is in the file, without its optimizations. */
export async function profiled(graph: string | Uint8Array, requests: readonly CountRequest[]): Promise<ProfiledShapes> {
  const folder = mkdtempSync(join(tmpdir(), 'tenbin-profile-'));
  const options: InferenceSession.SessionOptions = {
    enableProfiling: true,
    profileFilePrefix: join(folder, 'run'),
    graphOptimizationLevel: 'disabled',
    intraOpNumThreads: 1,
  };
  try {
    const session = await (typeof graph === 'string'
      ? InferenceSession.create(graph, options)
      : InferenceSession.create(graph, options));
    for (const request of requests) await session.run(feedsOf(session, request));
    session.endProfiling();
    await session.release();
    return shapesIn(join(folder, readdirSync(folder)[0]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function shapesIn(path: string): ProfiledShapes {
  const runs: Map<string, readonly (readonly number[])[]>[] = [];
  const times = new Map<string, number>();
  for (const { cat, name, args } of JSON.parse(readFileSync(path, 'utf8')) as ProfileEvent[]) {
    if (cat !== 'Node' || !name.endsWith(suffix)) continue;
    const node = name.slice(0, -suffix.length);
    const run = times.get(node) ?? 0;
    times.set(node, run + 1);
    runs[run] ??= new Map();
    runs[run].set(
      node,
      (args.output_type_shape ?? []).flatMap((output) => Object.values(output)),
    );
  }
  return runs;
}

/** Ones for every position; shapes by what each input is, written down apart from the code under test. */
function feedsOf(session: InferenceSession, request: CountRequest): Record<string, Tensor> {
  const { batch, tokens, pastTokens = 0, sourceTokens = 0 } = request;
  const hasCache = session.inputNames.some((name) => name.startsWith('past'));
  return Object.fromEntries(
    session.inputMetadata.map((input) => {
      if (!input.isTensor) throw new Error(`${input.name} is no tensor`);
      const { name, type, shape } = input;
      const given = request.inputs?.[name];
      const sizes = name.startsWith('past')
        ? [batch, Number(shape[1]), pastTokens, Number(shape[3])]
        : name === 'encoder_hidden_states'
          ? [batch, sourceTokens, Number(shape[2])]
          : name === 'encoder_attention_mask'
            ? [batch, sourceTokens]
            : [batch, hasCache && name === 'attention_mask' ? pastTokens + tokens : tokens];
      return [name, ones(type, given ?? sizes)];
    }),
  );
}

export function ones(type: string, sizes: readonly number[], value = 1): Tensor {
  const count = sizes.reduce((product, size) => product * size, 1);
  if (type === 'int64') return new Tensor('int64', new BigInt64Array(count).fill(BigInt(value)), sizes);
  if (type === 'int32') return new Tensor('int32', new Int32Array(count).fill(value), sizes);
  return new Tensor('float32', new Float32Array(count).fill(value), sizes);
}
