import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

export interface PipelinePeerOptions {
  /** Folder with node_modules/@huggingface/transformers. */
  readonly node: string;
  readonly models: string;
  readonly model: string;
  readonly texts: readonly string[];
  readonly threads: number;
}

export interface PipelinePeer {
  /** Encodes all texts once; the seconds that it took. */
  readonly time: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Runs in a process of its own, since two builds of ONNX Runtime do not load into one. */
const program = `
  const { env, pipeline } = await import(process.argv[1]);
  const { createInterface } = await import('node:readline');
  const { models, model, threads, texts } = JSON.parse(await new Promise((got) => {
    globalThis.lines = createInterface({ input: process.stdin });
    lines.once('line', got);
  }));
  env.localModelPath = models;
  env.allowRemoteModels = false;
  const session_options = { intraOpNumThreads: threads };
  const extract = await pipeline('feature-extraction', model, { dtype: 'fp32', device: 'cpu', session_options });
  console.log('ready');
  for await (const _ of lines) {
    const start = performance.now();
    for (let i = 0; i < texts.length; i += 32) {
      await extract(texts.slice(i, i + 32), { pooling: 'mean', normalize: true });
    }
    console.log((performance.now() - start) / 1000);
  }
`;

/** transformers.js as its documentation shows it: the feature-extraction pipeline, 32 texts at a time, as they come. */
export async function openPipelinePeer({ node, ...job }: PipelinePeerOptions): Promise<PipelinePeer> {
  const library = pathToFileURL(`${node}/node_modules/@huggingface/transformers/dist/transformers.node.mjs`).href;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, library], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  const gone = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (question: string): Promise<string> => {
    child.stdin.write(`${question}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error('it is not installed, or it failed');
    return value;
  };
  await answer(JSON.stringify(job));
  return {
    time: async () => Number(await answer('go')),
    close: async () => {
      child.stdin.end();
      await gone;
    },
  };
}
