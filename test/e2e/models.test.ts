import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tenbin, tenbinJson } from './tenbin.js';

const root = join(import.meta.dirname, '../..');
const shared = join(root, '../shared/models');
const texts = [
  { id: 'a', text: 'how do plants make food from sunlight' },
  { id: 'b', text: '' },
  { id: 'c', text: `${'word '.repeat(2000)}[SEP] 👩‍🚀 שלום` },
];
const pairs = [
  { id: 'p', query: 'plants food', document: 'Photosynthesis turns light into sugar.' },
  { id: 'q', query: 'plants food', document: 'word '.repeat(2000) },
];
let folder = '';
let out = '';

afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenbin-models-'));
  out = join(folder, 'out');
  const jsonl = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  writeFileSync(join(folder, 'texts.jsonl'), jsonl(texts));
  writeFileSync(join(folder, 'pairs.jsonl'), `${jsonl(pairs)}\n\n`);
});

const encode = (model: string, ...flags: string[]) =>
  tenbinJson(['encode', model, '--texts', join(folder, 'texts.jsonl'), ...flags], { out, cwd: folder });

describe('tenbin encode', () => {
  test('gives vectors of a dense model, cut on request, in the order of the file', () => {
    const { json, code } = encode('dense-tiny', '--as', 'query');
    expect(code).toBe(0);
    expect(json).toMatchObject({ model: 'dense-tiny', family: 'dense', dims: 128 });
    expect(json.items.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'c']);
    expect(json.items.map(({ truncated }: { truncated: boolean }) => truncated)).toEqual([false, false, true]);
    expect(json.items[0].tokens).toEqual([101, 2129, 2079, 4264, 2191, 2833, 2013, 9325, 102]);
    expect(json.items[1].tokens).toEqual([101, 102]);
    expect(json.items[2].tokens).toHaveLength(256);
    const cut = encode('dense-tiny', '--as', 'query', '--truncate', '32').json;
    expect(cut.dims).toBe(32);
    const length = Math.hypot(...json.items[0].vector.slice(0, 32));
    for (const [i, value] of cut.items[0].vector.entries()) {
      expect(value).toBeCloseTo(json.items[0].vector[i] / length, 6);
    }
  });

  test('gives weights of terms of a sparse model', () => {
    const { json } = encode('splade-tiny');
    expect(json).toMatchObject({ family: 'sparse', dims: 30522 });
    expect(json.items[0].weights['9325']).toBeGreaterThan(2);
    expect(json.items[0]).not.toHaveProperty('vector');
  });

  test('gives a vector per scored token of a late-interaction model', () => {
    const { json } = encode('colbert-tiny', '--as', 'query');
    expect(json).toMatchObject({ family: 'late-interaction', dims: 64 });
    expect(json.items[0].tokens).toHaveLength(32);
    expect(json.items[0].tokenVectors).toHaveLength(32);
    expect(Math.hypot(...json.items[0].tokenVectors[0])).toBeCloseTo(1, 5);
  });

  test('writes .npy and Arrow, which hold the same numbers', async () => {
    const base = ['encode', 'dense-tiny', '--texts', join(folder, 'texts.jsonl'), '--out', out];
    expect(tenbin([...base, '--format', 'npy', '--output', join(folder, 'v.npy')]).code).toBe(0);
    expect(tenbin([...base, '--format', 'arrow', '--output', join(folder, 'v.arrow')]).code).toBe(0);
    const { items } = encode('dense-tiny').json;
    const npy = readFileSync(join(folder, 'v.npy'));
    const header = npy.readUInt16LE(8);
    expect(npy.subarray(10, 10 + header).toString()).toMatch(/'descr': '<f4'.*'shape': \(3, 128\)/);
    expect((10 + header) % 64).toBe(0);
    expect(npy.readFloatLE(10 + header + 4)).toBe(items[0].vector[1]);
    expect(npy.length).toBe(10 + header + 4 * 3 * 128);
    const { tableFromIPC } = await import('apache-arrow');
    const table = tableFromIPC(readFileSync(join(folder, 'v.arrow')));
    expect(table.getChild('id')?.toArray().length ?? table.numRows).toBe(3);
    expect(Array.from(table.getChild('vector')?.get(2) ?? [])).toEqual(items[2].vector);
  });

  test.each([
    ['late-interaction models have no matrix for numpy', 'colbert-tiny', ['--format', 'npy'], 2, /one vector per text/],
    ['a number format without a file is named', 'dense-tiny', ['--dtype', 'fp32'], 2, /fp32/],
    ['an unknown number format lists those of the model', 'dense-tiny', ['--dtype', 'fp99'], 2, /fp99.*--dtype: w8\./],
    [
      'a number format in two places',
      'dense-tiny@dtype=w8',
      ['--dtype', 'w8'],
      2,
      /twice: dense-tiny@dtype=w8 --dtype w8/,
    ],
    ['a service chooses its number format', 'openai:m', ['--dtype', 'fp32'], 2, /service chooses.*--dtype fp32/],
    ['an unknown model suggests the nearest', 'dense-tyni', [], 2, /dense-tiny/],
    ['a model without weights is refused', 'bm25', [], 2, /weights of its own/],
    ['a reranker has no vectors', 'ce-tiny', [], 2, /scores pairs.*`tenbin rerank ce-tiny /],
    ['terms have no dimensions to cut', 'splade-tiny', ['--truncate', '8'], 2, /no dimensions/],
    ['terms are no matrix', 'splade-tiny', ['--format', 'npy'], 2, /one vector per text/],
    ['more dimensions than there are', 'dense-tiny', ['--truncate', '129'], 2, /have 128 dimensions/],
    ['more dimensions of tokens than there are', 'colbert-tiny', ['--truncate', '65'], 2, /have 64 dimensions/],
    ['a device that nobody has', 'dense-tiny', ['--device', 'tpu'], 2, /'tpu'.*cpu, cuda, webgpu/],
    ['a folder that is not there is named', './nowhere', [], 2, /nowhere/],
    ['a device that is not there is refused', 'dense-tiny', ['--device', 'cuda'], 1, /cuda/],
  ])('%s', (_, model, flags, code, message) => {
    const run = tenbin(['encode', model, '--texts', join(folder, 'texts.jsonl'), ...flags], {
      out: join(folder, 'fresh'),
      cwd: folder,
    });
    expect(run.stderr).toMatch(message);
    expect(run.code).toBe(code);
    expect(run.stdout).toBe('');
    // Refused before a text was encoded.
    expect(existsSync(join(folder, 'fresh', 'cache'))).toBe(false);
  });

  test('all dimensions are a length like others', () => {
    expect(encode('dense-tiny', '--truncate', '128').json).toEqual(encode('dense-tiny').json);
  });

  test.each(['text', 'gzip'])('texts come from stdin too (%s)', (form) => {
    const bytes = Buffer.from(texts.map((row) => JSON.stringify(row)).join('\n'));
    const input = form === 'gzip' ? gzipSync(bytes) : bytes;
    const { stdout, code } = tenbin(['encode', 'dense-tiny', '--texts', '-', '--format', 'json'], { out, input });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(encode('dense-tiny').json);
  });

  test('a broken line is named with its file and line', () => {
    const path = join(folder, 'broken.jsonl');
    writeFileSync(path, '{"id":"a","text":"x"}\n{"id":"b"}\n');
    const { code, stderr } = tenbin(['encode', 'dense-tiny', '--texts', path], { out });
    expect(code).toBe(1);
    expect(stderr).toContain('broken.jsonl:2');
    expect(stderr).toContain('text');
  });
});

describe('tenbin rerank', () => {
  test('scores pairs by the logit, with the probability that it stands for', () => {
    const { json, code } = tenbinJson(['rerank', 'ce-tiny', '--pairs', join(folder, 'pairs.jsonl')], { out });
    expect(code).toBe(0);
    expect(json.model).toBe('ce-tiny');
    expect(json.items.map(({ id, truncated }: { id: string; truncated: boolean }) => [id, truncated])).toEqual([
      ['p', false],
      ['q', true],
    ]);
    for (const { logit, score } of json.items) expect(score).toBeCloseTo(1 / (1 + Math.exp(-logit)), 12);
    expect(json.items[1].tokens).toHaveLength(512);
  });

  test('pairs come from stdin too', () => {
    const input = readFileSync(join(folder, 'pairs.jsonl'));
    const { stdout } = tenbin(['rerank', 'ce-tiny', '--pairs', '-', '--format', 'json'], { out, input });
    const { items } = JSON.parse(stdout);
    expect(items.map(({ id }: { id: string }) => id)).toEqual(['p', 'q']);
  });

  test('a model that orders lists is refused before its service is asked', () => {
    const { code, stderr } = tenbin(['rerank', 'llm:m', '--pairs', join(folder, 'pairs.jsonl')], { out });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/scores no pairs: llm:m\. It orders lists/)]);
  });

  test('an encoder scores no pairs', () => {
    const { code, stderr } = tenbin(['rerank', 'dense-tiny', '--pairs', join(folder, 'pairs.jsonl')], { out });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/scores no pairs.*`tenbin encode dense-tiny /)]);
  });
});

describe('tenbin models', () => {
  test('lists what comes with the product first, which needs nothing', () => {
    const { json } = tenbinJson(['models']);
    const embedded = json.filter(({ id }: { id: string }) => id.endsWith('-tiny'));
    expect(embedded.map(({ family }: { family: string }) => family).sort()).toEqual([
      'dense',
      'late-interaction',
      'reranker',
      'sparse',
    ]);
    for (const row of embedded) expect(row).toMatchObject({ needs: null, verified: true });
    expect(json.length).toBeGreaterThan(43);
    for (const row of json) expect(Object.keys(row)).toEqual(expect.arrayContaining(['id', 'family', 'licence']));
  });

  test('says how models behind services are named, and which want a key', () => {
    const { OPENAI_API_KEY: key } = process.env;
    delete process.env.OPENAI_API_KEY;
    try {
      const lines = tenbin(['models']).stdout.split('\n');
      expect(lines.find((line) => line.startsWith('  openai:…'))).toMatch(/needs OPENAI_API_KEY$/);
      expect(lines.find((line) => line.startsWith('  ollama:…'))).not.toContain('needs');
    } finally {
      if (key !== undefined) process.env.OPENAI_API_KEY = key;
    }
  });
});

describe('the vector cache', () => {
  test('a second encoding asks the model nothing, a damaged file is found, and pruning empties', () => {
    const own = join(folder, 'cached');
    const flags = ['encode', 'dense-tiny', '--texts', join(folder, 'texts.jsonl')];
    const first = tenbinJson(flags, { out: own });
    const { json } = tenbinJson(['cache'], { out: own });
    expect(json).toMatchObject({ files: 1, models: [{ model: 'dense-tiny', kind: 'dense', files: 1 }] });
    expect(tenbinJson(flags, { out: own }).json).toEqual(first.json);
    expect(tenbinJson(['cache', 'list'], { out: own }).json.files).toBe(1);
    const [group] = readdirSync(join(own, 'cache/vectors'));
    const [name] = readdirSync(join(own, 'cache/vectors', group as string));
    const path = join(own, 'cache/vectors', group as string, name as string);
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] ^= 1;
    writeFileSync(path, bytes);
    const verified = tenbin(['cache', 'verify', '--format', 'json'], { out: own });
    expect(verified.code).toBe(1);
    expect(JSON.parse(verified.stdout)).toMatchObject({ files: 1, damaged: [{ path }] });
    expect(tenbinJson(flags, { out: own }).json).toEqual(first.json);
    expect(tenbin(['cache', 'verify'], { out: own }).code).toBe(0);
    expect(tenbinJson(['cache', 'prune', '--to', '1B'], { out: own }).json).toMatchObject({
      removedFiles: 1,
      keptBytes: 0,
    });
    expect(tenbin(['cache', 'prune'], { out: own }).code).toBe(2);
  });
});

describe.skipIf(!existsSync(shared))('TENBIN_MODELS (../shared/models, skipped where it is missing)', () => {
  test('a folder is known by its name and comes before the card of that name', () => {
    process.env.TENBIN_MODELS = shared;
    try {
      const { json } = encode('dense-tiny', '--dtype', 'fp32');
      expect(json.model).toBe('dense-tiny@dtype=fp32');
      const rows = tenbinJson(['models']).json;
      expect(rows.find(({ id }: { id: string }) => id === 'random-llama-tiny')).toMatchObject({
        family: 'reranker',
        needs: null,
      });
      expect(
        tenbin(['encode', 'bge-small-en-v1.5', '--dtype', 'fp16', '--texts', join(folder, 'texts.jsonl')]).stderr,
      ).toMatch(/fp16.*int8/s);
    } finally {
      delete process.env.TENBIN_MODELS;
    }
  });
});

test('a module that breaks its contract is told so', () => {
  mkdirSync(join(folder, 'modules'));
  const write = (name: string, text: string) => writeFileSync(join(folder, 'modules', name), text);
  write('empty.mjs', 'export const nothing = 1;\n');
  write('broken.mjs', 'export const backend = {\n');
  write(
    'wrong.mjs',
    "export const backend = { family: 'dense', encode: () => ({ dims: 2, docs: [1], queries: [] }) };\n",
  );
  expect(tenbin(['build', 'embedded-code/jsfn-rxjs'], { out }).code).toBe(0);
  const systems = ['empty', 'broken', 'wrong'].map((name) => `./modules/${name}.mjs`).join(', ');
  const run = tenbin(
    ['run', '--systems', `bm25, ${systems}`, '--tasks', 'embedded-code/jsfn-rxjs', '--format', 'json'],
    {
      out,
      cwd: folder,
    },
  );
  expect(run.code).toBe(1);
  const { runs } = JSON.parse(run.stdout);
  const reasons = new Map<string, string>(
    runs.map((row: { system: string; reason?: string }) => [row.system, row.reason ?? '']),
  );
  expect(reasons.get('bm25')).toBe('');
  expect(reasons.get('./modules/empty.mjs')).toMatch(/exports no system/);
  expect(reasons.get('./modules/broken.mjs')).toMatch(/cannot be loaded/);
  expect(reasons.get('./modules/wrong.mjs')).toMatch(/docs.*Float32Array/);
});
