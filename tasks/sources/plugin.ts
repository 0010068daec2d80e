import type { TenbinError } from '../../core/errors.js';
import type { Plugin } from '../../core/registry.js';
import type { Source } from '../types.js';

/** An npm package that a source reads, at the version its expected counts were taken from. */
export interface Need {
  readonly name: string;
  readonly version: string;
  /** The version found from the working directory or from tenbin itself; null when there is none. */
  readonly installed: string | null;
}

export interface SourceOptions {
  /** When given, a line that cannot be read is reported here and left out, instead of ending the stream. */
  readonly onMalformed?: ((error: TenbinError) => void) | undefined;
}

/**
 * One kind of source. `npm` ones are written `npm:name` or `npm:name-member` and known in advance; `path` ones are
 * written `name:path` and brought by the user.
 */
export interface SourcePlugin extends Plugin<Source> {
  readonly scheme: 'npm' | 'path';
  /** How it is written, for listings: `npm:emoji-<locale>`, `beir:<folder>`. */
  readonly form: string;
  /** The arguments it knows: libraries, locales. Empty for one that takes none, or takes a path. */
  readonly members: () => readonly string[];
  /** The packages that it reads, for one member or for all; none for files. */
  readonly needs: (member?: string) => readonly Need[];
  /** Checks the argument only; a package that is not installed is an error of the streams. */
  readonly bind: (argument: string | undefined, options?: SourceOptions) => Source;
}
