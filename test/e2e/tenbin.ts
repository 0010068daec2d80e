import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const entry = join(import.meta.dirname, '../../dist/scripts/tenbin.js');

export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line as a user would, without a terminal. */
export function tenbin(
  args: readonly string[],
  options: { readonly out?: string; readonly input?: string | Uint8Array; readonly cwd?: string } = {},
): Printed {
  const { out, input, cwd } = options;
  const env = { ...process.env, NO_COLOR: '1', ...(out === undefined ? {} : { TENBIN_OUT: out }) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
    env,
    encoding: 'utf8',
    input,
    cwd,
    maxBuffer: 1 << 28,
  });
  return { code: status, stdout, stderr };
}

/** The one JSON document that a command prints. */
export function tenbinJson(args: readonly string[], options: { readonly out?: string; readonly cwd?: string } = {}) {
  const printed = tenbin([...args, '--format', 'json'], options);
  return { ...printed, json: JSON.parse(printed.stdout) };
}
