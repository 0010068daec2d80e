import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type BindSource, buildTask } from '../../builders/build.js';
import { TenbinError } from '../../core/errors.js';
import { taskId } from '../../core/ids.js';
import { byCodePoint } from '../../core/order.js';
import { readManifest, readNanoSet } from '../../tasks/store.js';
import { buildMemory, builtNanoSet, filesBelow, temporaryRoot } from './build-memory.js';
import { type MemoryRows, memorySource, shuffled, wordCollection } from './memory-source.js';

const rows = wordCollection(60);
const options = { queries: 8, docs: 40, depth: 20, poolSize: 5, dense: 'lsa@16' } as const;
const id = taskId('mine/memory');

test('a built task reads back, in code-point order, with what its manifest says', async () => {
  const nano = await builtNanoSet(rows, { options });
  const { manifest } = nano;
  expect(manifest).toMatchObject({
    schema: 'tenbin/nano@1',
    suite: 'mine',
    task: 'memory',
    language: 'en',
    domain: 'test',
    licence: 'MIT',
    source: { id: 'memory:test', title: 'Memory', attribution: 'Nobody, 2026.' },
    options: {
      queries: 8,
      docs: 40,
      seed: 17,
      sampler: 'hash',
      depth: 20,
      rrfK: 60,
      poolSize: 5,
      safeguard: 'append',
      dense: 'lsa@16',
      language: null,
      lenient: false,
    },
  });
  expect(nano.docs.length).toBe(40);
  expect(nano.queries.length).toBe(8);
  for (const ids of [nano.docs.map((doc) => doc.id), nano.queries.map((query) => query.id)]) {
    expect(ids).toEqual([...ids].sort(byCodePoint));
  }
  expect([...nano.judged.keys()]).toEqual(nano.queries.map((query) => query.id));
  const grades = [...nano.judged.values()].flatMap((judged) => [...judged.values()]);
  const counted = Object.entries(manifest.grades).map(([grade, count]) => [Number(grade), count]);
  for (const [grade, count] of counted) expect(grades.filter((other) => other === grade).length).toBe(count);
  expect(Object.keys(manifest.pools).sort()).toEqual(['bm25', 'dense', 'hybrid']);
});

test('the counts add up, with what lenient dropped apart', async () => {
  const messy: MemoryRows = {
    docs: [...rows.docs, ['copy', rows.docs[4][1]], ['blank', ' '], ['d0', 'again']],
    queries: [...rows.queries, ['blank', ''], ['unjudged', 'x'], ['zero', 'y'], ['q1', 'again']],
    qrels: [
      ...rows.qrels,
      ['zero', 'd1', 0],
      ['q0', 'copy', 1],
      ['q0', 'd4', 1],
      ['q0', 'blank', 1],
      ['blank', 'd1', 1],
      ['q0', 'd9', 'x'],
    ],
  };
  const root = await temporaryRoot();
  expect(await buildMemory(root, messy, { options })).toMatchObject({
    status: 'failed',
    error: /document id stands twice/,
  });
  const { manifest } = await builtNanoSet(messy, { options: { ...options, leniency: 'lenient' } });
  const counts = manifest.counts as unknown as Record<string, number> & typeof manifest.counts;
  const { read, kept } = counts;
  expect(read.docs - counts.emptyDocs - counts.duplicateDocs - counts.leftOutDocs).toBe(kept.docs);
  expect(read.queries - counts.emptyQueries - counts.queriesWithoutPositives - counts.leftOutQueries).toBe(
    kept.queries,
  );
  const lost = counts.qrelsOfEmptyDocs + counts.qrelsOfEmptyQueries + counts.mergedQrels + counts.leftOutQrels;
  expect(read.qrels - lost).toBe(kept.qrels);
  expect(counts).toMatchObject({
    read: { docs: 62, queries: 23 },
    emptyDocs: 1,
    duplicateDocs: 1,
    emptyQueries: 1,
    qrelsOfEmptyDocs: 1,
    qrelsOfEmptyQueries: 1,
    mergedQrels: 1,
    droppedDocs: 1,
    droppedQueries: 1,
    droppedQrels: 1,
    malformedLines: 0,
  });
  expect(counts.unjudgedQueries).toBe(1);
  expect(manifest.options.lenient).toBe(true);
});

test('lines that the source could not read are counted once, however often it is read', async () => {
  const root = await temporaryRoot();
  const bind: BindSource = (_, { onMalformed }) => {
    const source = memorySource(rows);
    async function* docs() {
      for (const line of [3, 9]) {
        const parts = { what: `corpus.jsonl:${line} is not JSON`, value: 'corpus.jsonl', fix: 'Mend it.' };
        if (onMalformed === undefined) throw new TenbinError('malformed', parts);
        onMalformed(new TenbinError('malformed', parts));
      }
      yield* source.docs();
    }
    return { ...source, docs };
  };
  const task = { id, source: 'memory' };
  expect(await buildTask({ root, task, options }, bind)).toMatchObject({ status: 'failed', error: /corpus\.jsonl:3/ });
  await buildTask({ root, task, options: { ...options, leniency: 'lenient' } }, bind);
  expect((await readManifest(root, id))?.counts.malformedLines).toBe(2);
});

test('shuffled lines, another root and a second time give the same bytes', async () => {
  const roots = await Promise.all([temporaryRoot(), temporaryRoot()]);
  const [straight, mixed] = [
    await buildMemory(roots[0], rows, { options }),
    await buildMemory(roots[1], shuffled(rows), { options }),
  ];
  expect(straight.status).toBe('built');
  expect(mixed).toEqual(straight);
  const files = await filesBelow(roots[0]);
  expect(files.size).toBe(7);
  expect(await filesBelow(roots[1])).toEqual(files);
  expect(await buildMemory(roots[0], rows, { options, force: true })).toEqual(straight);
  expect(await filesBelow(roots[0])).toEqual(files);
});

test('what is current is left alone; what differs or is damaged is built again', async () => {
  const root = await temporaryRoot();
  const built = await buildMemory(root, rows, { options });
  const path = (name: string) => join(root, 'nano', 'mine', name);
  const before = await stat(path('manifests/memory.json'));
  expect(await buildMemory(root, rows, { options })).toEqual({ ...built, status: 'current' });
  expect((await stat(path('manifests/memory.json'))).mtimeMs).toBe(before.mtimeMs);
  const status = async (other: MemoryRows, changed: object) =>
    (await buildMemory(root, other, { options: { ...options, ...changed } })).status;
  expect(await status(rows, { seed: 18 })).toBe('built');
  expect(await status(rows, { language: 'de' })).toBe('built');
  expect(await status({ ...rows, facts: { licence: 'CC0-1.0' } }, {})).toBe('built');
  expect(await status({ ...rows, docs: [...rows.docs, ['new', 'text']] }, {})).toBe('built');
  expect(await status(rows, {})).toBe('built');
  for (const name of ['corpus/memory.parquet', 'hybrid/memory.parquet', 'manifests/memory.json']) {
    const bytes = await readFile(path(name));
    bytes[bytes.length >> 1] ^= 1;
    await writeFile(path(name), bytes);
    expect(await status(rows, {})).toBe('built');
    await rm(path(name));
    expect(await status(rows, {})).toBe('built');
  }
  expect(await buildMemory(root, rows, { options })).toEqual({ ...built, status: 'current' });
});

test('a build that was killed between any two renames ends in the same bytes when run again', async () => {
  const root = await temporaryRoot();
  await buildMemory(root, rows, { options });
  const done = await filesBelow(root);
  const older = await temporaryRoot();
  await buildMemory(older, rows, { options: { ...options, seed: 3 } });
  const order = [...done.keys()].filter((name) => !name.endsWith('.json'));
  for (let renamed = 0; renamed <= order.length; renamed++) {
    const killed = await temporaryRoot();
    for (const [i, name] of [...order, 'nano/mine/manifests/memory.json'].entries()) {
      const data = await readFile(join(i < renamed ? root : older, name));
      await mkdir(join(killed, name, '..'), { recursive: true });
      await writeFile(join(killed, name), data);
      // A process that no longer lives left a temporary file of what it had not renamed.
      if (i >= renamed) await writeFile(join(killed, name, '..', `.${'memory.parquet'}.4194303-0123abcd.tmp`), 'half');
    }
    expect((await buildMemory(killed, rows, { options })).status).toBe('built');
    expect(await filesBelow(killed)).toEqual(done);
  }
});

test('a write that fails half-way says why, leaves nothing temporary, and can be run again', async () => {
  const root = await temporaryRoot();
  await buildMemory(root, rows, { options });
  const done = await filesBelow(root);
  for (const name of ['corpus', 'qrels', 'hybrid', 'manifests']) {
    const broken = await temporaryRoot();
    const file = join(broken, 'nano/mine', name, name === 'manifests' ? 'memory.json' : 'memory.parquet');
    await mkdir(join(file, 'in the way'), { recursive: true });
    const outcome = await buildMemory(broken, rows, { options });
    expect(outcome).toMatchObject({
      task: 'mine/memory',
      status: 'failed',
      error: /folder stands where a file is wanted/,
    });
    expect([...(await filesBelow(broken)).keys()].filter((path) => path.endsWith('.tmp'))).toEqual([]);
    await expect(readNanoSet(broken, id)).rejects.toThrow();
    await rm(file, { recursive: true });
    expect((await buildMemory(broken, rows, { options })).status).toBe('built');
    expect(await filesBelow(broken)).toEqual(done);
  }
});

test('a failed build leaves the old nano-set as it was', async () => {
  const root = await temporaryRoot();
  await buildMemory(root, rows, { options });
  const before = await filesBelow(root);
  const faulty = { ...rows, qrels: [...rows.qrels, ['q0', 'nowhere', 1] as const] };
  expect(await buildMemory(root, faulty, { options })).toMatchObject({ status: 'failed', error: /qrels\.tsv:\d+/ });
  expect(await filesBelow(root)).toEqual(before);
});

test('no time, no host name and no path is in the manifest', async () => {
  const root = await temporaryRoot();
  await buildMemory(root, rows, { options });
  const text = await readFile(join(root, 'nano/mine/manifests/memory.json'), 'utf8');
  for (const secret of [root, process.cwd(), String(new Date().getFullYear()).concat('-')])
    expect(text).not.toContain(secret);
  if (hostname().length > 3) expect(text).not.toContain(hostname());
});

test('facts of the task stand in for those of the source; --language for both', async () => {
  const task = { id: 'mine/memory', source: 'memory', language: 'fr', domain: 'law' };
  const facts = { language: 'en', documentLanguage: 'de' };
  const { manifest } = await builtNanoSet({ ...rows, facts }, { options, task });
  expect(manifest).toMatchObject({
    language: 'fr',
    documentLanguage: 'de',
    domain: 'law',
    options: { language: null },
  });
  const overridden = await builtNanoSet({ ...rows, facts }, { options: { ...options, language: 'ja' }, task });
  expect(overridden.manifest).toMatchObject({ language: 'ja', documentLanguage: 'de', options: { language: 'ja' } });
  const same = await builtNanoSet({ ...rows, facts }, { options: { ...options, language: 'de' } });
  expect(same.manifest.documentLanguage).toBeUndefined();
});

test('a collection in which nothing is relevant is an error that says so', async () => {
  const root = await temporaryRoot();
  const bare = { ...rows, qrels: rows.qrels.map(([query, doc]) => [query, doc, 0] as const) };
  expect(await buildMemory(root, bare, { options })).toMatchObject({
    status: 'failed',
    error: /No query of this source has a relevant document/,
  });
  const empty = { docs: [], queries: [], qrels: [] };
  expect(await buildMemory(root, empty, { options })).toMatchObject({
    status: 'failed',
    error: /0 documents, 0 queries/,
  });
  expect(await readManifest(root, id)).toBeNull();
});

test('wrong options and names fail before anything is read', async () => {
  const root = await temporaryRoot();
  expect(await buildMemory(root, rows, { options: { queries: 0 } })).toMatchObject({
    status: 'failed',
    error: /option queries/,
  });
  expect(await buildMemory(root, rows, { task: { id: '../x', source: 'memory' } })).toMatchObject({
    status: 'failed',
    error: /SUITE\/TASK/,
  });
});

test('steps are told', async () => {
  const steps: string[] = [];
  await builtNanoSet(rows, { options, onStep: (step) => steps.push(step) });
  expect(steps).toEqual([
    'reading',
    'sampling',
    'ranking the whole collection',
    'ranking with bm25',
    'ranking with lsa@16',
    'fusing',
    'writing',
  ]);
});
