#!/usr/bin/env node
// Before anything else is loaded, so that Ctrl-C during start-up ends as it should. What a killed write leaves behind
// is a temporary file that the next write sweeps away.
process.once('SIGINT', () => process.exit(130));
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe went away (`tenbin tasks | head`): nothing is wrong.
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
const { main } = await import('./cli.js');
process.exitCode = await main(process.argv.slice(2));

export {};
