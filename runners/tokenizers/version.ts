import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * What ids depend on besides tokenizer.json: the library, Node's Unicode tables, and our own rules. Raise `rules`
 * whenever a change of ours may change an id.
 */
export const tokenizerVersion = `@huggingface/tokenizers ${libraryVersion()}, rules 2, unicode ${process.versions.unicode}`;

function libraryVersion(): string {
  // The package does not export its package.json.
  const manifest = join(dirname(require.resolve('@huggingface/tokenizers')), '../package.json');
  return (require(manifest) as { readonly version: string }).version;
}
