import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { openHub } from '../hub/loopback-hub.js';
import { flops, flopsJson as json, sumOf } from './flops-line.js';

const shared = join(import.meta.dirname, '../../../shared/models');
const reason = existsSync(shared) ? '' : ` (no ${shared})`;

describe('the graph', () => {
  test.each([
    ['dense-tiny', 'layer'],
    ['splade-tiny', 'op'],
    ['colbert-tiny', 'part'],
    ['ce-tiny', 'layer'],
  ])('%s is the closed form', async (model, by) => {
    const closed = await json('--model', model, '--tokens', '33');
    const graph = await json('--model', model, '--tokens', '33', '--from', 'graph', '--by', by);
    expect(graph.flops).toEqual(closed.flops);
    expect(graph).toMatchObject({ from: 'graph', difference: [], atLeast: false, problems: [] });
    expect(sumOf(graph.parts)).toBe(graph.flops.total);
    expect(graph.others.length).toBeGreaterThan(5);
  });

  test('a projection is the head, though its node has the name of a layer', async () => {
    const { flops: all, parts } = await json(
      '--model',
      'colbert-tiny',
      '--tokens',
      '33',
      '--from',
      'graph',
      '--by',
      'layer',
    );
    expect(parts.find(({ name }: { name: string }) => name === 'head')?.flops).toBe(all.head);
    const layers = parts.filter(({ name }: { name: string }) => name.startsWith('layer'));
    expect(layers.map(({ flops: value }: { flops: number }) => value)).toEqual([all.body / 2, all.body / 2]);
  });

  test('several texts at once, and another head than the graph has', async () => {
    const closed = await json('--model', 'splade-tiny', '--tokens', '7', '--batch', '3');
    const graph = await json('--model', 'splade-tiny', '--tokens', '7', '--batch', '3', '--from', 'graph');
    expect(graph.flops).toEqual(closed.flops);
    const other = await json('--model', 'dense-tiny', '--tokens', '7', '--from', 'graph', '--head', 'pooler');
    expect(other.difference).toEqual([
      { op: 'pooler', flops: -2 * 128 * 128, why: expect.stringContaining('not in the graph') },
    ]);
    expect(other.flops.head).toBe(0);
  });

  test.each([
    [['--lengths', '3,4'], 'one length'],
    [['--tokens', '3', '--dtype', 'int9'], 'int9'],
  ])('%o is wrong use', async (args, reason) => {
    const { code, stderr, stdout } = await flops('--model', 'dense-tiny', '--from', 'graph', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
  });

  test('what has no graph says so', async () => {
    const { code, stderr } = await flops('--model', 'flan-t5-large', '--source-tokens', '9', '--from', 'graph');
    expect(code).toBe(2);
    expect(stderr).toContain('no graph');
  });

  test.skipIf(reason !== '').each([
    ['all-minilm-l6-v2', []],
    ['bge-small-en-v1.5', []],
    ['random-llama-tiny', ['lm_head']],
    ['random-t5-tiny', []],
  ])(`%s of the shared models: the difference explains itself${reason}`, async (name, unlike) => {
    const t5 = name.includes('t5')
      ? ['--source-tokens', '21', '--tokens', '2', '--head', 'lm-all']
      : ['--tokens', '21'];
    const closed = await json('--model', join(shared, name), ...t5);
    const graph = await json('--model', join(shared, name), ...t5, '--from', 'graph', '--by', 'layer');
    expect(graph.flops.total - closed.flops.total).toBe(sumOf(graph.difference));
    expect([...new Set(graph.difference.map(({ op }: { op: string }) => op))]).toEqual(unlike);
    expect(graph.flops.body).toBe(closed.flops.body);
    expect(sumOf(graph.parts)).toBe(graph.flops.total);
  });
});

describe.skipIf(reason !== '')(`a graph with a node that nobody knows${reason}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenbin-flops-graph-'));
  const known = join(shared, 'random-llama-tiny');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The shared model, its `nth` product of matrices made into an operator that no one has. */
  async function damaged(nth: number): Promise<string> {
    const path = join(folder, String(nth));
    cpSync(known, path, { recursive: true });
    chmodSync(join(path, 'onnx'), 0o755);
    for (const name of readdirSync(join(path, 'onnx')).filter((one) => one.endsWith('.onnx'))) {
      const bytes = readFileSync(join(path, 'onnx', name));
      let at = -1;
      // The field of the kind of a node, and its length.
      for (let i = 0; i < nth; i++) at = bytes.indexOf('\x22\x06MatMul', at + 1);
      bytes.write('MatMuX', at + 2);
      chmodSync(join(path, 'onnx', name), 0o644);
      writeFileSync(join(path, 'onnx', name), bytes);
    }
    return path;
  }

  test.each([1, 2, 5])('product %i: the useful part is not known, and no figure is below zero', async (nth) => {
    const path = await damaged(nth);
    const closed = await json('--model', known, '--tokens', '21');
    const args = ['--model', path, '--tokens', '21', '--from', 'graph'];
    const { stdout, stderr, code } = await flops(...args, '--format', 'json');
    const graph = JSON.parse(stdout);
    expect([code, graph.atLeast, graph.flops.causalUseful]).toEqual([0, true, null]);
    expect(stderr).toContain('MatMuX');
    for (const figure of ['body', 'head', 'total']) expect(graph.flops[figure]).toBeGreaterThanOrEqual(0);
    expect(graph.flops.total - closed.flops.total).toBe(sumOf(graph.difference));
    const text = await flops(...args);
    expect(text.stdout).toMatch(/useful part of the body +– +not known/);
  });

  test.each([1, 5])('product %i: two words of a head that is not in the graph are missing once', async (nth) => {
    const head = ['--tokens', '21', '--head', 'two-words'];
    const closed = await json('--model', known, ...head);
    const { stdout } = await flops('--model', await damaged(nth), ...head, '--from', 'graph', '--format', 'json');
    const { flops: counted, difference } = JSON.parse(stdout);
    const rows = difference.filter(({ op }: { op: string }) => op === 'lm_head');
    expect(rows).toEqual([{ op: 'lm_head', flops: -2 * 64 * 2, why: expect.stringContaining('not in the graph') }]);
    expect(counted.head).toBe(0);
    expect(counted.total - closed.flops.total).toBe(sumOf(difference));
  });

  test('two words of a head that the graph has', async () => {
    const closed = await json('--model', known, '--tokens', '21', '--head', 'two-words');
    const graph = await json('--model', known, '--tokens', '21', '--head', 'two-words', '--from', 'graph');
    const whys = graph.difference.map(({ why }: { why: string }) => why);
    expect(whys).toContainEqual(expect.stringContaining('whole vocabulary'));
    expect(graph.flops.total - closed.flops.total).toBe(sumOf(graph.difference));
    expect(graph.flops.causalUseful).toBe(closed.flops.causalUseful);
  });
});

describe('a model of the hub', () => {
  const cache = mkdtempSync(join(tmpdir(), 'tenbin-flops-hub-'));
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(cache, { recursive: true, force: true });
  });

  test('its config.json is fetched and nothing else', async () => {
    const config = {
      model_type: 'bert',
      architectures: ['BertForSequenceClassification'],
      vocab_size: 50,
      hidden_size: 8,
      num_hidden_layers: 2,
      num_attention_heads: 2,
      intermediate_size: 16,
      max_position_embeddings: 32,
      num_labels: 1,
    };
    const files = new Map([
      ['config.json', Buffer.from(JSON.stringify(config))],
      ['model.safetensors', Buffer.from('weights')],
    ]);
    const hub = await openHub({ files, repo: 'org/tiny' });
    vi.stubEnv('HF_ENDPOINT', hub.endpoint);
    vi.stubEnv('HF_HUB_CACHE', cache);
    vi.stubEnv('HF_HUB_OFFLINE', '');
    const report = await json('--model', 'hub:org/tiny', '--tokens', '5', '--by', 'op');
    expect(report).toMatchObject({ model: 'hub:org/tiny', head: 'classifier of 1 behind a dense layer' });
    expect(report.flops.head).toBe(2 * 8 * 8 + 2 * 8);
    expect(hub.asked.filter(({ url }) => url.pathname.includes('safetensors'))).toEqual([]);
    const missing = await flops('--model', 'hub:org/none', '--tokens', '5', '--quiet');
    expect(missing.code).toBe(1);
  });
});
