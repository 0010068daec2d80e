import type * as Ort from 'onnxruntime-node';
import { reasonOf, TenbinError } from '../../../core/errors.js';
import { gemmGraph } from '../gemm/gemm-graph.js';

export type OrtModule = typeof Ort;
export type OrtSession = Ort.InferenceSession;
export type Tensor = Ort.Tensor;
export type TypedTensor = Ort.TypedTensor<'float32' | 'float16' | 'float64'>;

/** Execution providers by the names of ONNX Runtime for Node; which of them are there depends on the machine. */
export const devices = ['cpu', 'cuda', 'webgpu', 'tensorrt', 'coreml', 'dml'] as const;

let loading: Promise<OrtModule> | null = null;

/** ONNX Runtime, loaded when it is first needed: 26 ms and 46 MB that a lexical run never pays. */
export function loadOrt(): Promise<OrtModule> {
  loading ??= import('onnxruntime-node').then(
    (ort) => {
      // Its C++ side writes coloured lines to stderr by itself, also for what we report as an error.
      ort.env.logLevel = 'fatal';
      return ort;
    },
    (cause) => {
      loading = null;
      throw new TenbinError('missing', {
        what: 'The library of ONNX Runtime could not be loaded',
        value: reasonOf(cause).split('\n')[0],
        fix: 'Run `npm ci` on this machine again; there are builds for Linux, macOS and Windows on x64 and arm64.',
        cause,
      });
    },
  );
  return loading;
}

/** `1.30.0`. */
export async function ortVersion(): Promise<string> {
  const { env } = await loadOrt();
  return env.versions.node ?? env.versions.common;
}

/**
 * Rejects with `refused` where this machine lacks the device. A build may list a device whose driver is not installed, so
 * one product of matrices is opened on it. The processor is always there and costs nothing to ask for.
 */
export async function requireDevice(device: string): Promise<void> {
  if (device === 'cpu') return;
  const session = await createSession(await loadOrt(), gemmGraph(), { device, threads: 1 });
  await session.release();
}

/** Opens one graph on exactly that device: there is no silent fallback. */
export async function createSession(ort: OrtModule, graph: string | Uint8Array, on: Device): Promise<OrtSession> {
  const backends = ort.listSupportedBackends().map(({ name }) => name);
  if (!backends.includes(on.device)) throw noDevice(on.device, backends, 'this build does not know it');
  try {
    const options: Ort.InferenceSession.SessionOptions = {
      executionProviders: [on.device],
      intraOpNumThreads: on.threads,
      interOpNumThreads: 1,
      // Threads that wait in a loop take the core that the tokenizer needs: 94 against 56 ms of CPU for one batch.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
      logSeverityLevel: 4,
    };
    return await (typeof graph === 'string'
      ? ort.InferenceSession.create(graph, options)
      : ort.InferenceSession.create(graph, options));
  } catch (cause) {
    const path = typeof graph === 'string' ? graph : `${graph.length} bytes`;
    throw openingError({ path, device: on.device, backends, cause });
  }
}

interface Device {
  readonly device: string;
  readonly threads: number;
}

interface Failure {
  readonly path: string;
  readonly device: string;
  readonly backends: readonly string[];
  readonly cause: unknown;
}

/** The runtime's errors have no codes, so they are told apart by their text. */
function openingError({ path, device, backends, cause }: Failure): TenbinError {
  const reason = reasonOf(cause).trim();
  if (/doesn't exist/i.test(reason)) {
    return new TenbinError('missing', { what: 'There is no such graph', value: path, fix: 'Check the path.', cause });
  }
  if (/protobuf parsing failed/i.test(reason)) {
    const fix = 'It is damaged or no ONNX file: get it again.';
    return new TenbinError('damaged', { what: 'This graph cannot be read', value: path, fix, cause });
  }
  if (device !== 'cpu' && !reason.includes(path)) return noDevice(device, backends, firstLine(reason), cause);
  return new TenbinError('refused', {
    what: `ONNX Runtime cannot open this graph (${firstLine(reason)})`,
    value: path,
    fix: 'Files of external data must lie beside it; a graph of a newer version needs a newer ONNX Runtime.',
    cause,
  });
}

function noDevice(device: string, backends: readonly string[], reason: string, cause?: unknown): TenbinError {
  return new TenbinError('refused', {
    what: `This device cannot be used (${reason})`,
    value: device,
    fix: `ONNX Runtime here knows ${backends.join(', ')}; cpu works everywhere: --device cpu.`,
    ...(cause === undefined ? {} : { cause }),
  });
}

const firstLine = (text: string) => text.split('\n')[0].slice(0, 300);
