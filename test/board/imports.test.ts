import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { taskId } from '../../core/ids.js';
import { gatherSystems } from '../../results/board-systems.js';
import { importedPath } from '../../results/imports/imported-path.js';
import { hasResults, type ScoredTask, scoreTask } from '../../results/store.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import { writeNanoSet } from '../../tasks/store.js';
import { animals, smallNano, temporaryFolder } from '../small-nano.js';

const task = taskId('test/small');
const origin = { format: 'mteb', file: 'Small.json', digest: 'a'.repeat(64) };

function importedFile(
  system: string,
  measures: Readonly<Record<string, unknown>> = { 'nDCG@10': { value: 0.5, n: 3 } },
) {
  return { schema: 'tenbin/imported@1', task, system, family: 'dense', origin, measures };
}

async function setUp() {
  const root = temporaryFolder();
  await writeNanoSet(root, sealNanoSet(smallNano(animals)));
  const write = (path: string, content: unknown) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const score = (systems: readonly string[] | null = null, measures = ['nDCG@10', 'RR@10']) =>
    scoreTask({ root, task, measures, systems });
  return { root, write, score };
}

test('imported results are read with the measures asked for', async () => {
  const { root, write, score } = await setUp();
  const name = '../up > <b>';
  write(
    importedPath(task, name),
    importedFile(name, { 'nDCG@10': { value: 0.5, n: null }, 'P@5': { value: 1, n: 2 } }),
  );
  write(importedPath(task, 'other'), importedFile('other', { 'P@5': { value: 1, n: 2 } }));
  const { imported, systems, leftOut } = await score();
  expect({ systems, leftOut }).toEqual({ systems: [], leftOut: [] });
  expect(imported).toEqual([
    { id: name, family: 'dense', origin, values: new Map([['nDCG@10', { value: 0.5, n: null }]]) },
  ]);
  expect((await score(['other'])).imported).toEqual([]);
  expect((await score([name])).imported).toHaveLength(1);
  expect((await score(null, ['P@5'])).imported.map(({ id }) => id)).toHaveLength(2);
  expect(await hasResults(root, [task], name)).toBe(true);
  expect(await hasResults(root, [task], 'nobody')).toBe(false);
});

test('a damaged file is named and left out, and the rest counts', async () => {
  const { write, score } = await setUp();
  const folder = dirname(importedPath(task, ''));
  write(importedPath(task, 'good'), importedFile('good'));
  write(join(folder, 'not-json.json'), '{');
  write(join(folder, 'renamed.json'), importedFile('renamed'));
  write(importedPath(task, 'nan'), importedFile('nan', { 'nDCG@10': { value: 'NaN', n: 1 } }));
  write(importedPath(task, 'huge'), `${JSON.stringify(importedFile('huge'))}${' '.repeat(1_000_000)}`);
  write(importedPath(task, 'strayed'), { ...importedFile('strayed'), task: 'test/else' });
  write(join(folder, '.hidden.json.1-00000000.tmp'), '{');
  write(join(folder, '.hidden.json'), '{');
  const { imported, leftOut } = await score();
  expect(imported.map(({ id }) => id)).toEqual(['good']);
  const about = (text: string) => leftOut.filter((line) => line.includes(text));
  expect(leftOut).toHaveLength(5);
  expect(about('not JSON')[0]).toContain('not-json.json');
  expect(about('not named after its system')[0]).toContain('renamed');
  expect(about('tenbin/imported@1')[0]).toContain('imported/test/small/nan.');
  expect(about('too large')).toHaveLength(1);
  expect(about('of another task: test/else')).toHaveLength(1);
});

test('imported means under the name of a system with runs are refused, on whatever task', () => {
  const results = { cost: { bytesPerDoc: 1, indexBytes: 1, work: {} }, queryMs: { p50: 1, p95: 1 }, values: new Map() };
  const row = (id: string) => ({ id, family: 'dense' as const, origin, values: new Map() });
  const facts = { suite: 's', language: 'en', domain: 'x', queries: 1, docs: 1, digest: '' };
  const scored: readonly ScoredTask[] = [
    { task: { id: 's/b', ...facts }, systems: [], imported: [row('both\u001b'), row('theirs')], leftOut: [] },
    { task: null, systems: [], imported: [], leftOut: ['crashed'] },
    {
      task: { id: 's/a', ...facts },
      systems: [{ id: 'both\u001b', family: 'lexical', results }],
      imported: [row('theirs')],
      leftOut: [],
    },
  ];
  const { systems, imported, leftOut } = gatherSystems(scored);
  expect(systems.map(({ id, family, tasks }) => [id, family, [...tasks.keys()]])).toEqual([
    ['both\u001b', 'lexical', ['s/a']],
  ]);
  expect(imported.map(({ id, tasks }) => [id, [...tasks.keys()]])).toEqual([['theirs', ['s/a', 's/b']]]);
  expect(leftOut).toEqual([
    'both\\x1b, imported for 1 task: there are runs of that name; import it under another --system',
  ]);
});
