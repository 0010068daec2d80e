import { availableParallelism } from 'node:os';
import bytes from 'bytes';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { devices } from '../runners/backends/onnx/runtime.js';
import { defaultRuntimeSettings, type RuntimeSettings } from '../runners/backends/runtime.js';

/** What commands that run models take besides. */
export interface ModelOptions {
  readonly device: string;
  readonly memory: number;
  readonly cacheLimit: number;
}

export const defaultModelOptions: ModelOptions = {
  device: defaultRuntimeSettings.device,
  memory: defaultRuntimeSettings.memoryBytes,
  cacheLimit: defaultRuntimeSettings.cacheLimitBytes,
};

export function withModelOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--device <name>', 'execution provider of ONNX Runtime')
        .choices(devices)
        .default(defaultModelOptions.device),
    )
    .addOption(sizeOption('--memory <size>', 'embeddings held at once; a larger corpus is scored in blocks', 'memory'))
    .addOption(
      sizeOption('--cache-limit <size>', 'size of the vector cache; what was used longest ago goes', 'cacheLimit').env(
        'TENBIN_CACHE_LIMIT',
      ),
    );
}

function sizeOption(flags: string, description: string, name: 'memory' | 'cacheLimit'): Option {
  const fallback = defaultModelOptions[name];
  return new Option(flags, description).argParser(sizeFrom).default(fallback, bytes.format(fallback) ?? '');
}

/** `2GB`, `512MB`, `1048576`. */
export function sizeFrom(text: string): number {
  const size = /^\d+(\.\d+)?\s*([kmgt]?b)?$/i.test(text) ? bytes.parse(text) : null;
  if (size !== null && size > 0) return size;
  throw new InvalidArgumentError('A size such as 2GB or 512MB is wanted.');
}

interface Given extends ModelOptions {
  readonly out: string;
  readonly jobs: number;
}

/** Jobs share the processor: each session gets its part of the threads. */
export function runtimeSettings({ out, jobs, device, memory, cacheLimit }: Given): RuntimeSettings {
  const threads = Math.max(1, Math.floor(availableParallelism() / jobs));
  return { root: out, device, threads, memoryBytes: memory, cacheLimitBytes: cacheLimit };
}
