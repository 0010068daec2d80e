/** Turns the first Ctrl-C into a wish to stop; the second ends the process as usual. */
export function stopOnInterrupt(onStop: () => void): {
  readonly isStopped: () => boolean;
  readonly release: () => void;
} {
  let stopped = false;
  const stop = () => {
    stopped = true;
    onStop();
  };
  process.once('SIGINT', stop);
  return { isStopped: () => stopped, release: () => void process.removeListener('SIGINT', stop) };
}
