import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lengthsFrom } from '../../scripts/flops/lengths.js';
import { siText } from '../../scripts/flops/si.js';
import { flops, flopsJson as json, sumOf } from './flops-line.js';

const folder = mkdtempSync(join(tmpdir(), 'tenbin-flops-'));
const llama = {
  model_type: 'llama',
  architectures: ['LlamaForCausalLM'],
  vocab_size: 100,
  hidden_size: 16,
  num_hidden_layers: 3,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 24,
  max_position_embeddings: 64,
};

function configFile(name: string, value: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

let bare = '';
beforeAll(() => {
  bare = configFile('config.json', llama);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the closed form', () => {
  test.each(['op', 'layer', 'part'])('parts by %s add up to the total', async (by) => {
    for (const args of [
      ['dense-tiny', '--tokens', '128'],
      ['modernbert-embed-base', '--tokens', '300'],
      ['flan-t5-xl', '--tokens', '3', '--source-tokens', '198', '--generate', '5'],
      [bare, '--tokens', '9', '--generate', '4', '--no-cache'],
    ]) {
      const report = await json('--model', ...args, '--by', by);
      expect(sumOf(report.parts)).toBe(report.flops.total);
      expect(report.flops.body + report.flops.head).toBe(report.flops.total);
    }
  });

  test('Flan-T5-large is what metrics.md §D.2 says of its runs, and its decoder alone is causal', async () => {
    const report = await json(
      '--model',
      'flan-t5-large',
      '--source-tokens',
      '198',
      '--tokens',
      '3',
      '--generate',
      '2',
      '--head',
      'lm-all',
    );
    expect(report.flops.total + 24 * 16 * (198 * 198 + 4 * 198 + 13)).toBe(149_091_249_536);
    const prefix = 3;
    const hidden = prefix * prefix - (prefix * (prefix + 1)) / 2;
    expect(report.flops.body - report.flops.causalUseful).toBe(4 * 24 * 1024 * hidden);
    expect(report).toMatchObject({ model: 'flan-t5-large', tokens: 3, sourceTokens: 198, generate: 2, cache: 'kept' });
  });

  test('a bare config.json: the head of its class, and layers by number', async () => {
    const report = await json('--model', bare, '--tokens', '10', '--by', 'layer');
    expect(report.head).toBe('lm-last');
    expect(report.flops.head).toBe(2 * 16 * 100);
    expect(report.parts.map(({ name }: { name: string }) => name)).toEqual(['layer 0', 'layer 1', 'layer 2', 'head']);
    expect(report.flops.causalUseful).toBeLessThan(report.flops.body);
  });

  test('layers with a window stand where the family has them', async () => {
    const gemma = configFile('gemma.json', { ...llama, model_type: 'gemma2', head_dim: 4, sliding_window: 8 });
    const { parts } = await json('--model', gemma, '--tokens', '20', '--by', 'layer', '--head', 'none');
    const [first, second, third] = parts.map((part: { flops: number }) => part.flops);
    expect(first).toBe(third);
    expect(second - first).toBe(4 * 16 * (20 * 20 - 20 * 8));
  });

  test('heads can be chosen', async () => {
    const heads = ['none', 'pooler', 'classifier', 'mlm', 'lm-last', 'lm-all', 'two-words'];
    const counts: number[] = [];
    for (const head of heads) {
      const report = await json('--model', 'dense-tiny', '--tokens', '4', '--head', head);
      counts.push(report.flops.head);
    }
    const [d, v] = [128, 30_522];
    expect(counts).toEqual([0, 2 * d * d, 2 * d * d + 2 * d, 8 * d * (d + v), 2 * d * v, 8 * d * v, 4 * d]);
  });

  test('batches with and without padding', async () => {
    const one = async (tokens: number) => (await json('--model', 'dense-tiny', '--tokens', String(tokens))).flops.total;
    const report = await json('--model', 'dense-tiny', '--lengths', '5,9,12', '--batch', '2');
    const [five, nine, twelve] = [await one(5), await one(9), await one(12)];
    expect(report.flops.total).toBe(five + nine + twelve);
    expect(report.batch.padded.total).toBe(2 * nine + twelve);
    expect(report.batch.paddingShare).toBeCloseTo(1 - (five + nine + twelve) / (2 * nine + twelve), 12);
    expect(report.tokens).toBe(12);
    const equal = await json('--model', 'dense-tiny', '--tokens', '9', '--batch', '4');
    expect([equal.flops.total, equal.batch.paddingShare]).toEqual([4 * nine, 0]);
  });

  test('a backward pass is shown apart', async () => {
    const report = await json('--model', 'dense-tiny', '--tokens', '9', '--backward');
    expect(report.backward).toEqual({ flops: 2 * report.flops.total, training: 3 * report.flops.total });
    expect(sumOf(report.parts)).toBe(report.flops.total);
  });

  test('for people: figures with prefixes, parts with shares', async () => {
    const { stdout, code } = await flops('--model', 'dense-tiny', '--tokens', '128');
    expect(code).toBe(0);
    expect(stdout).toContain('117.4 M  117440512');
    expect(stdout).toMatch(/feed-forward +67\.11 M +57\.1 %/);
  });
});

describe('bad input', () => {
  test.each([
    [['--tokens', '3'], '--model'],
    [['--model', 'dense-tiny'], '--tokens is missing'],
    [['--model', 'flan-t5-xl', '--tokens', '3'], '--source-tokens is missing'],
    [['--model', 'dense-tiny', '--tokens', '3', '--source-tokens', '4'], 'encoder-decoder'],
    [['--model', 'dense-tiny', '--tokens', '3', '--lengths', '4'], 'twice'],
    [['--model', 'dense-tiny', '--tokens', '0'], 'whole number from 1'],
    [['--model', 'dense-tiny', '--tokens', '3', '--generate', '2'], 'encoder'],
    [['--model', 'qwen2.5-7b', '--tokens', '3', '--generate', '2', '--head', 'pooler'], '--head lm-last'],
    [['--model', 'flan-t5-lage', '--tokens', '3'], 'Did you mean `flan-t5-large`?'],
    [['--model', './no-such-folder', '--tokens', '3'], 'no such folder'],
    [['--model', './no-such.json', '--tokens', '3'], 'no such file'],
    [['--model', 'dense-tiny', '--lengths', '3,x'], 'x'],
    [['compar'], 'Did you mean `compare`?'],
    [['--model', 'dense-tiny', '--tokens', '3', 'more'], 'Unknown command of `tenbin flops`'],
  ])('%o is wrong use', async (args, reason) => {
    const { code, stderr, stdout } = await flops(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
  });

  test('a config.json without a figure names the field, one of an unknown kind the known ones', async () => {
    const { intermediate_size: _, ...short } = llama;
    const lacking = await flops('--model', configFile('short.json', short), '--tokens', '3');
    expect([lacking.code, lacking.stderr]).toEqual([1, expect.stringMatching(/`intermediate_size`.*short\.json/s)]);
    const mamba = await flops('--model', configFile('mamba.json', { model_type: 'mamba' }), '--tokens', '3');
    expect([mamba.code, mamba.stderr]).toEqual([1, expect.stringContaining('Known are bert,')]);
    const service = await flops('--model', 'openai:text-embedding-3-small', '--tokens', '3');
    expect([service.code, service.stderr]).toEqual([1, expect.stringContaining('not known')]);
  });

  test('a file that is wrong is named as it was given, with what helps here', async () => {
    const path = join(folder, 'broken.json');
    writeFileSync(path, '{"model_type": "bert"');
    const impossible = configFile('impossible.json', { ...llama, num_key_value_heads: 3 });
    const short = configFile('none.json', {});
    for (const [file, reason] of [
      [path, /not JSON: .*broken\.json\. Correct the file/],
      [impossible, /`num_attention_heads` \(4\).*`num_key_value_heads` \(3\): .*impossible\.json\. Correct the file/],
      [short, /no `model_type`.*none\.json\. Known are bert/],
    ] as const) {
      const { code, stderr } = await flops('--model', file, '--tokens', '3');
      expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
      expect(stderr).toContain(file);
      expect(stderr).not.toMatch(/tenbin\.json|Did you mean/);
    }
  });

  test('the encoder of a T5 takes --tokens, and its decoder costs nothing', async () => {
    const t5 = { model_type: 't5', vocab_size: 100, d_model: 16, d_kv: 4, d_ff: 24, num_layers: 3, num_heads: 4 };
    const encoder = configFile('encoder.json', { ...t5, num_decoder_layers: 3, architectures: ['T5EncoderModel'] });
    const report = await json('--model', encoder, '--tokens', '7');
    expect(report.head).toBe('none');
    expect(report.flops.total).toBe(3 * (7 * (8 * 16 * 16 + 4 * 16 * 24) + 4 * 7 * 7 * 16));
    const both = await flops('--model', configFile('both.json', t5), '--tokens', '7');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--source-tokens is missing')]);
  });

  test('more tokens than positions are counted, with a note; too many to count exactly are an error', async () => {
    const long = await flops('--model', bare, '--tokens', '60', '--generate', '6', '--format', 'json');
    expect(long.code).toBe(0);
    expect(long.stderr).toContain('65 tokens are more than the 64');
    expect((await flops('--model', bare, '--tokens', '65', '--quiet')).stderr).toBe('');
    const huge = await flops('--model', 'qwen2.5-14b', '--tokens', '1000000', '--quiet');
    expect([huge.code, huge.stderr]).toEqual([1, expect.stringContaining('2^53')]);
  });

  test('lengths are a list of whole numbers', () => {
    expect(lengthsFrom('5, 9,12')).toEqual([5, 9, 12]);
    for (const wrong of ['', '0', '1,,2', '1.5', '-1', '99999999'])
      expect(() => lengthsFrom(wrong)).toThrow('--lengths');
  });
});

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1.000 k'],
  [999_949, '999.9 k'],
  [999_999, '1.000 M'],
  [22_347_251_712, '22.35 G'],
  [9_007_199_254_740_991, '9.007 P'],
])('%d is written %s', (value, text) => {
  expect(siText(value)).toBe(text);
});
