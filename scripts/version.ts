import { createRequire } from 'node:module';

// package.json is one folder up from the sources and two from dist/.
const require = createRequire(import.meta.url);
const manifest = (import.meta.url.includes('/dist/') ? require('../../package.json') : require('../package.json')) as {
  readonly version: string;
};

export const version = manifest.version;
