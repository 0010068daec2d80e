import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { datasetCard, writeCard } from '../../builders/card.js';
import { splitNames } from '../../builders/card-front-matter.js';
import { taskId } from '../../core/ids.js';
import { readManifest } from '../../tasks/store.js';
import type { Manifest } from '../../tasks/types.js';
import { buildMemory, builtNanoSet, filesBelow, temporaryRoot } from './build-memory.js';
import { wordCollection } from './memory-source.js';

const options = { queries: 8, docs: 40, depth: 20, poolSize: 5, dense: 'lsa@16' } as const;

function headOf(card: string) {
  const [, yaml, body] = /^---\n([\s\S]*?)---\n([\s\S]*)$/.exec(card) ?? [];
  return { head: parse(yaml ?? ''), body: body ?? '' };
}

test('the front matter leads the hub to every file of every task', async () => {
  const root = await temporaryRoot();
  for (const id of ['mine/b-task', 'mine/a', 'other/x']) {
    await buildMemory(root, wordCollection(60), { options, task: { id, source: 'memory' } });
  }
  const path = (await writeCard(root, 'mine')) ?? '';
  expect(path).toBe(join(root, 'nano', 'mine', 'README.md'));
  const { head, body } = headOf(await readFile(path, 'utf8'));
  expect(head.configs.map((config: { config_name: string }) => config.config_name)).toEqual([
    'queries',
    'corpus',
    'qrels',
    'bm25',
    'dense',
    'hybrid',
  ]);
  const files = await filesBelow(join(root, 'nano', 'mine'));
  for (const { data_files } of head.configs) {
    expect(data_files.map((file: { split: string }) => file.split)).toEqual(['a', 'b_task']);
    for (const { path: file } of data_files) expect(files.has(file)).toBe(true);
  }
  expect(head.configs[0].default).toBe(true);
  expect(head).toMatchObject({ language: ['en'], license: ['mit'] });
  expect(head.tags).toContain('information-retrieval');
  for (const part of ['Nobody, 2026.', 'Licence: MIT', '## Counts', '## How they were built', '## Candidate quality']) {
    expect(body).toContain(part);
  }
  const before = await readFile(path);
  await writeCard(root, 'mine');
  expect(await readFile(path)).toEqual(before);
});

test('hostile names stay text', async () => {
  const { manifest } = await builtNanoSet(
    {
      ...wordCollection(60),
      facts: {
        title: '<script>alert(1)</script> | [x](javascript:y)\n## Not a heading',
        attribution: '\u202e`code` *bold*\0',
        licence: 'evil: "yaml" # x',
        citation: '![](http://x)',
      },
    },
    { options },
  );
  const { head, body } = headOf(datasetCard('mine', [manifest]));
  expect(head.license).toEqual(['other']);
  expect(body).not.toMatch(/<script|\n## Not|!\[|\]\(|\u202e|\0/);
  expect(body).toContain('&lt;script&gt;alert\\(1\\)&lt;/script&gt; \\|');
});

test('the order in which manifests come does not show', async () => {
  const { manifest } = await builtNanoSet(wordCollection(60), { options });
  const other: Manifest = { ...manifest, task: 'a-first' };
  expect(datasetCard('mine', [manifest, other])).toBe(datasetCard('mine', [other, manifest]));
});

test('splits are names that the hub takes, and stay apart', () => {
  const names = splitNames(['a-b', 'a_b', 'c.d', 'c..d', 'e.']);
  expect([...names.values()]).toEqual(['a_b', 'a_b_2', 'c.d', 'c_.d', 'e_']);
  for (const name of names.values()) expect(name).toMatch(/^\w+(\.\w+)*$/);
});

test('a suite without tasks has no card', async () => {
  const root = await temporaryRoot();
  await buildMemory(root, wordCollection(60), { options });
  expect(await readManifest(root, taskId('none/x'))).toBeNull();
  expect(await writeCard(root, 'none')).toBeNull();
});
