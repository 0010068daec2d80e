import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The models that come with the product stand beside the sources, and the compiled files in a folder of the same root. */
export function embeddedFolder(name: string): string {
  const beside = join(import.meta.dirname, '..', '..', 'models', 'embedded', name);
  return existsSync(beside)
    ? beside
    : join(import.meta.dirname, '..', '..', '..', '..', 'runners', 'models', 'embedded', name);
}
