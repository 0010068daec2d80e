export interface Interrupt {
  readonly isStopped: () => boolean;
  readonly release: () => void;
}

/** Turns the first Ctrl-C into a wish to stop; the second one ends the process, as without this. */
export function stopOnInterrupt(onStop: () => void): Interrupt {
  let stopped = false;
  const usual = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT');
  const release = () => {
    process.removeListener('SIGINT', stop);
    for (const listener of usual.splice(0)) process.on('SIGINT', listener);
  };
  const stop = () => {
    stopped = true;
    release();
    onStop();
  };
  process.on('SIGINT', stop);
  return { isStopped: () => stopped, release };
}
