import { TenbinError } from '../../core/errors.js';
import { fileError } from '../../tasks/files.js';

export { makeFolder } from '../../tasks/files.js';

/** One clear sentence for what the file system says; errors that have theirs already go through. */
export async function inFile<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw cause instanceof TenbinError ? cause : fileError('write', path, cause);
  }
}
