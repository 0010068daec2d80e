import { readFile, writeFile } from 'node:fs/promises';
import { prettyJson } from '../core/canonical.js';
import { policyJsonSchema } from '../results/gate/policy-schema.js';
import { note } from './output.js';
import { referenceDocs } from './reference-docs.js';

// `npm run docs` writes what is made from the code; with --check it only says whether the files are up to date.
const root = new URL(import.meta.url.includes('/dist/') ? '../../' : '../', import.meta.url);
const made = new Map([
  ['docs/reference.md', await referenceDocs()],
  ['results/gate.schema.json', prettyJson(policyJsonSchema())],
]);
for (const [name, text] of made) {
  const path = new URL(name, root);
  const there = await readFile(path, 'utf8').catch(() => '');
  if (text === there) {
    note(`${name} is up to date`);
  } else if (process.argv.includes('--check')) {
    note(`${name} is out of date: run \`npm run docs\` and commit it.`);
    process.exitCode = 1;
  } else {
    await writeFile(path, text);
    note(`wrote ${name}`);
  }
}
