import { vi } from 'vitest';
import { main } from '../../scripts/cli.js';

/** A command line in this process, which saves starting one: it writes through process.stdout and process.stderr alone. */
export async function tenbinHere(...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const take = (to: string[]) => (chunk: string | Uint8Array) => {
    to.push(String(chunk));
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(take(out)),
    vi.spyOn(process.stderr, 'write').mockImplementation(take(err)),
  ];
  try {
    const code = await main(args);
    return { code, stdout: out.join(''), stderr: err.join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
