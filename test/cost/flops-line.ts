import { expect, vi } from 'vitest';
import { main } from '../../scripts/cli.js';

/** The command line in this process: it writes through process.stdout and process.stderr alone. */
export async function flops(...args: readonly string[]) {
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
    const code = await main(['flops', ...args]);
    return { code, stdout: out.join(''), stderr: err.join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** The one JSON document that it prints, with nothing on stderr. */
export async function flopsJson(...args: readonly string[]) {
  const printed = await flops(...args, '--format', 'json');
  expect(printed.stderr).toBe('');
  expect(printed.code).toBe(0);
  return JSON.parse(printed.stdout);
}

export const sumOf = (parts: readonly { readonly flops: number }[]) =>
  parts.reduce((sum, { flops: value }) => sum + value, 0);
