import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** `wink-porter2-stemmer 2.0.1`, as installed: a package that changes a term changes the version of its analyzer. */
export function packageVersion(name: string): string {
  const manifest = require(`${name}/package.json`) as { readonly version: string };
  return `${name} ${manifest.version}`;
}

/** Unicode decides what is a letter and how it is folded. Raise `rules` whenever a rule of ours changes a term. */
export const unicodeVersion = `rules 1, unicode ${process.versions.unicode}`;
