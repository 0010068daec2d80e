import { Command } from 'commander';
import { vi } from 'vitest';
import type { RegisterCommand } from '../../scripts/commands/command.js';

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One command in this thread, from the TypeScript sources: what it prints, and its exit code. Errors are thrown. */
export async function said(register: RegisterCommand, args: readonly string[]): Promise<Said> {
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const catching = (name: keyof typeof chunks) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => chunks[name].push(Buffer.from(chunk)) > 0);
  const spies = [catching('stdout'), catching('stderr')];
  let code: number | null = null;
  const program = new Command().exitOverride();
  register(program, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const text = (name: keyof typeof chunks) => Buffer.concat(chunks[name]).toString('utf8');
  return { code, stdout: text('stdout'), stderr: text('stderr') };
}
