#!/usr/bin/env node
// Before anything else is loaded, so that Ctrl-C during start-up ends as it should. What a killed write leaves behind
// is a temporary file that the next write sweeps away.
process.once('SIGINT', () => {
  // A graph that runs in a thread makes an abort of Node's own ending (Napi::Error, 134). The signal itself, which nobody
  // handles any more, ends the process at once, and a shell says 130 all the same.
  if (hasRuntime()) process.kill(process.pid, 'SIGINT');
  else process.exit(130);
});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe went away (`tenbin tasks | head`): nothing is wrong.
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`tenbin: stdout cannot be written (${error.code ?? error.message}). Check where it goes.\n`);
  process.exit(1);
});
const { main } = await import('./cli.js');
const code = await main(process.argv.slice(2));
process.exitCode = code === 0 ? (process.exitCode ?? 0) : code;

/** Whether ONNX Runtime is loaded, in whatever thread. */
function hasRuntime(): boolean {
  const { sharedObjects } = process.report.getReport() as { readonly sharedObjects?: readonly string[] };
  return sharedObjects?.some((path) => path.includes('onnxruntime')) ?? false;
}

export {};
