import { readFile, writeFile } from 'node:fs/promises';
import { note } from './output.js';
import { referenceDocs } from './reference-docs.js';

// `npm run docs` writes docs/reference.md; with --check it only says whether the file is up to date.
const path = new URL(
  import.meta.url.includes('/dist/') ? '../../docs/reference.md' : '../docs/reference.md',
  import.meta.url,
);
const made = referenceDocs();
const there = await readFile(path, 'utf8').catch(() => '');
if (made === there) {
  note('docs/reference.md is up to date');
} else if (process.argv.includes('--check')) {
  note('docs/reference.md is out of date: run `npm run docs` and commit it.');
  process.exitCode = 1;
} else {
  await writeFile(path, made);
  note('wrote docs/reference.md');
}
