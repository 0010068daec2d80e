const cleanups = new Set<() => Promise<void>>();

/** What must be closed before the process may end. It may run again: a test ends many command lines. */
export function atEnd(cleanup: () => Promise<void>): void {
  cleanups.add(cleanup);
}

/** Runs what was named. A command that opened nothing loads nothing for it. */
export async function closeAll(): Promise<void> {
  for (const cleanup of cleanups) await cleanup();
}
