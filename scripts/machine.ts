import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import type { Machine } from '../runners/run.js';
import { version } from './version.js';

/** Where this process runs, as far as it bears on times and on numbers. */
export function thisMachine(): Machine {
  return {
    tenbin: version,
    node: process.version,
    platform: `${platform()} ${release()} ${arch()}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
  };
}
