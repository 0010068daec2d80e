#!/usr/bin/env node
import { main } from './cli.js';

process.once('SIGINT', () => process.exit(130));
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe went away (`tenbin tasks | head`): nothing is wrong.
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.exitCode = await main(process.argv.slice(2));
