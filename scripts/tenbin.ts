#!/usr/bin/env node
// Before anything else is loaded, so that Ctrl-C during start-up ends as it should. What a killed write leaves behind
// is a temporary file that the next write sweeps away.
process.once('SIGINT', () => process.exit(130));
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe went away (`tenbin tasks | head`): nothing is wrong.
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`tenbin: stdout cannot be written (${error.code ?? error.message}). Check where it goes.\n`);
  process.exit(1);
});
const { main } = await import('./cli.js');
const code = await main(process.argv.slice(2));
process.exitCode = code === 0 ? (process.exitCode ?? 0) : code;

export {};
